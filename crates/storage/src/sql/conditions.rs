//! Builds the `WHERE` clause of a statement from optional filters.

use super::row::Param;

/// Conditions and their parameters. Placeholders are numbered in the order in which parameters are added.
#[derive(Clone, Default)]
pub(super) struct Conditions {
    pub(super) sql: Vec<String>,
    pub(super) params: Vec<Param>,
}

impl Conditions {
    /// Adds a condition; its `$` is replaced by the placeholder of `param`.
    pub(super) fn add(&mut self, sql: &str, param: impl Into<Param>) {
        let placeholder = self.bind(param);
        self.sql.push(sql.replace('$', &placeholder));
    }

    /// Adds a parameter for another part of the statement, and returns its placeholder.
    pub(super) fn bind(&mut self, param: impl Into<Param>) -> String {
        self.params.push(param.into());
        format!("${}", self.params.len())
    }

    pub(super) fn to_where_clause(&self) -> String {
        if self.sql.is_empty() { String::new() } else { format!("WHERE {}", self.sql.join(" AND ")) }
    }
}
