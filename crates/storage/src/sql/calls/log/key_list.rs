//! The keys of a statement with `IN`.

use std::iter;

use crate::sql::row::Param;

/// Keys, padded with the last one to a power of two, so that there are few distinct statements.
pub(super) struct KeyList {
    /// `$1,$2,…`
    pub(super) placeholders: String,
    pub(super) values: Vec<Param>,
}

impl KeyList {
    pub(super) fn new(keys: &[i64]) -> Self {
        let length = keys.len().next_power_of_two();
        let placeholders: Vec<String> = (1..=length).map(|number| format!("${number}")).collect();
        let filler = keys.last().copied().unwrap_or_default();
        let values = keys.iter().copied().chain(iter::repeat(filler)).take(length).map(Param::from).collect();
        Self { placeholders: placeholders.join(","), values }
    }
}
