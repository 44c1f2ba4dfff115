//! The variables of a collection, by scope.

use std::cell::Cell;

use indexmap::IndexMap;
use serde_json::Value;

use crate::api::postman::json_text::{self, scalar_text};
use crate::sensitivity::is_secret_name;

/// Maximum total length of the values that replace variables in one document, in bytes: a value may contain other
/// variables, so the result can be far longer than the document.
const FILLED_MAX: usize = 16 * 1024 * 1024;

/// A variable with a value.
#[derive(Clone, Debug)]
pub(super) struct PostmanVariable {
    pub(super) value: String,
    pub(super) is_secret: bool,
}

/// The variables that are visible at a position in the collection.
pub(super) struct VariableScopes<'o> {
    /// The variables of the collection, of each open folder, and of the request.
    scopes: Vec<IndexMap<String, PostmanVariable>>,
    /// Descriptions of variables, including those without a value.
    descriptions: IndexMap<String, String>,
    /// The values that were passed to the import.
    passed: &'o IndexMap<String, String>,
    /// The remaining part of `FILLED_MAX`.
    budget: Cell<usize>,
}

impl<'o> VariableScopes<'o> {
    pub(super) fn new(passed: &'o IndexMap<String, String>) -> Self {
        Self { scopes: Vec::new(), descriptions: IndexMap::new(), passed, budget: Cell::new(FILLED_MAX) }
    }

    /// Enters a collection, folder or request.
    pub(super) fn enter(&mut self, owner: &Value) {
        let mut scope = IndexMap::new();
        for variable in owner.get("variable").and_then(Value::as_array).into_iter().flatten() {
            let Some(name) = ["key", "id"].iter().find_map(|key| variable.get(key)?.as_str()) else { continue };
            let description = json_text::description(variable);
            if !description.is_empty() {
                self.descriptions.entry(name.to_owned()).or_insert(description);
            }
            let value = variable.get("value").and_then(scalar_text).unwrap_or_default();
            if !value.is_empty() && variable.get("disabled") != Some(&Value::Bool(true)) {
                let is_secret = variable.get("type").is_some_and(|kind| kind == "secret") || is_secret_name(name);
                scope.insert(name.to_owned(), PostmanVariable { value, is_secret });
            }
        }
        self.scopes.push(scope);
    }

    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// The value of a variable: that of the innermost scope, else the one that was passed to the import. `None` if it
    /// has no value, or if the values so far exceed `FILLED_MAX`.
    pub(super) fn get(&self, name: &str) -> Option<PostmanVariable> {
        let own = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        let passed = || self.passed.get(name).filter(|value| !value.is_empty());
        let length = own.map_or_else(|| passed().map(String::len), |variable| Some(variable.value.len()))?;
        // The constant bounds the number of replacements by short values.
        self.budget.set(self.budget.get().checked_sub(length + 16)?);
        own.cloned().or_else(|| Some(PostmanVariable { value: passed()?.clone(), is_secret: is_secret_name(name) }))
    }

    pub(super) fn description(&self, name: &str) -> Option<&str> {
        self.descriptions.get(name).map(String::as_str)
    }
}
