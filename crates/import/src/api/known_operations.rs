//! Operations that became tools in earlier imports of the document.

use std::collections::{HashMap, HashSet};

use crate::api::candidate::Candidate;

/// The operations of earlier imports, with the names of their tools.
#[derive(Clone, Debug, Default)]
pub struct KnownOperations {
    /// Names of tools by operation.
    names: HashMap<String, String>,
    /// Names of tools by `operationId`, for operations whose path changes.
    names_by_id: HashMap<String, String>,
    /// Operations, by name and by `operationId`, that are candidates even if the filter leaves them out.
    always_included: HashSet<String>,
}

impl KnownOperations {
    /// Operations with the names that were given to their tools.
    pub fn new(names: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { names: names.into_iter().collect(), ..Self::default() }
    }

    /// Makes these operations candidates even if the filter leaves them out.
    #[must_use]
    pub fn always_including(mut self, operations: impl IntoIterator<Item = String>) -> Self {
        self.always_included.extend(operations);
        self
    }

    /// Adds the names of an earlier version, by `operationId`.
    pub fn add_ids(&mut self, candidates: &[Candidate]) {
        for candidate in candidates {
            if let (Some(id), Some(name)) = (&candidate.operation_id, self.names.get(&candidate.operation)) {
                self.names_by_id.insert(id.clone(), name.clone());
                if self.always_included.contains(&candidate.operation) {
                    self.always_included.insert(id.clone());
                }
            }
        }
    }

    /// The name of the tool that an operation became.
    pub(crate) fn name(&self, operation: &str, operation_id: Option<&str>) -> Option<&str> {
        let by_id = || operation_id.and_then(|id| self.names_by_id.get(id));
        self.names.get(operation).or_else(by_id).map(String::as_str)
    }

    /// Whether the operation is a candidate even if the filter leaves it out.
    pub(crate) fn is_always_included(&self, operation: &str, operation_id: Option<&str>) -> bool {
        self.always_included.contains(operation) || operation_id.is_some_and(|id| self.always_included.contains(id))
    }
}
