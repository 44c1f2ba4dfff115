//! The conditions of a statement that is put together for what was asked.

use super::row::Param;

/// Conditions and their values, numbered as they are added.
#[derive(Clone, Default)]
pub(super) struct Conditions {
    pub(super) sql: Vec<String>,
    pub(super) params: Vec<Param>,
}

impl Conditions {
    /// Adds a condition whose `$` becomes the next placeholder.
    pub(super) fn add(&mut self, sql: &str, param: impl Into<Param>) {
        let placeholder = self.bind(param);
        self.sql.push(sql.replace('$', &placeholder));
    }

    /// Adds a value that is used elsewhere in the statement, and returns its placeholder.
    pub(super) fn bind(&mut self, param: impl Into<Param>) -> String {
        self.params.push(param.into());
        format!("${}", self.params.len())
    }

    pub(super) fn to_where(&self) -> String {
        if self.sql.is_empty() { String::new() } else { format!("WHERE {}", self.sql.join(" AND ")) }
    }
}
