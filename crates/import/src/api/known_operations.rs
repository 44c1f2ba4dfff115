//! Operations that earlier imports of the document made tools of.

use std::collections::{HashMap, HashSet};

use crate::api::candidate::Candidate;

/// What is known of operations from earlier imports.
#[derive(Clone, Debug, Default)]
pub struct KnownOperations {
    names: HashMap<String, String>,
    /// Names by `operationId`, for operations whose path changes.
    names_by_id: HashMap<String, String>,
    /// Operations that are listed even if the filter leaves them out.
    listed: HashSet<String>,
}

impl KnownOperations {
    /// Operations with the names that were given to their tools.
    pub fn new(names: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { names: names.into_iter().collect(), ..Self::default() }
    }

    /// Lists these operations even if the filter leaves them out.
    #[must_use]
    pub fn list_always(mut self, operations: impl IntoIterator<Item = String>) -> Self {
        self.listed.extend(operations);
        self
    }

    /// Adds the names of an earlier version, by `operationId`.
    pub fn add_ids(&mut self, candidates: &[Candidate]) {
        for candidate in candidates {
            if let (Some(id), Some(name)) = (&candidate.operation_id, self.names.get(&candidate.operation)) {
                self.names_by_id.insert(id.clone(), name.clone());
                if self.listed.contains(&candidate.operation) {
                    self.listed.insert(id.clone());
                }
            }
        }
    }

    /// The name of the tool that an operation became.
    pub(crate) fn name(&self, operation: &str, operation_id: Option<&str>) -> Option<&str> {
        let by_id = || operation_id.and_then(|id| self.names_by_id.get(id));
        self.names.get(operation).or_else(by_id).map(String::as_str)
    }

    /// Whether the operation is listed even if the filter leaves it out.
    pub(crate) fn is_listed(&self, operation: &str, operation_id: Option<&str>) -> bool {
        self.listed.contains(operation) || operation_id.is_some_and(|id| self.listed.contains(id))
    }
}
