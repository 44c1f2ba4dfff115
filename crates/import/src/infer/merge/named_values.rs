//! Groups the values of requests by name.

use indexmap::IndexMap;

use crate::infer::argument::Occurrence;

/// The values that several requests have for one name.
pub(super) struct NamedValues<'a, T> {
    /// The values in the order of the requests; at least one.
    pub(super) values: Vec<&'a T>,
    /// The value in the first request that has one.
    pub(super) first: &'a T,
    /// Whether the first of all requests has a value.
    is_in_first: bool,
}

impl<T> NamedValues<'_, T> {
    /// In which of all requests the name occurs, and whether its values are equal.
    pub(super) fn occurrence(&self, example_count: usize, is_same: impl Fn(&T, &T) -> bool) -> Occurrence {
        let is_in_all = self.values.len() == example_count;
        let is_same_in_all =
            example_count > 1 && is_in_all && self.values.iter().all(|value| is_same(value, self.first));
        Occurrence { is_in_first: self.is_in_first, is_in_all, is_same_in_all }
    }
}

/// Groups the values of requests by name, in the order in which the names first occur.
pub(super) fn group_by_name<'a, T: 'a>(
    examples: impl Iterator<Item = &'a IndexMap<String, T>>,
) -> IndexMap<&'a str, NamedValues<'a, T>> {
    let mut groups: IndexMap<&str, NamedValues<'a, T>> = IndexMap::new();
    for (index, example) in examples.enumerate() {
        for (name, value) in example {
            let new = || NamedValues { values: Vec::new(), first: value, is_in_first: index == 0 };
            groups.entry(name.as_str()).or_insert_with(new).values.push(value);
        }
    }
    groups
}
