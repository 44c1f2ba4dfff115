//! Decides whether an imported tool is created, updates a tool with the same name or operation, or is left out.

use std::collections::{HashMap, HashSet};

use toolgate_domain::ids::{DocumentId, ServerId, ToolId};
use toolgate_domain::tool_import::{ConflictRule, numbered_name};

use crate::error::Result;
use crate::sql::row::params;
use crate::sql::tx::Tx;
use crate::tool_imports::SkipReason;

/// What is done with an imported tool.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ImportDecision {
    /// A tool with this name is created.
    Create(String),
    /// This existing tool is updated.
    Update(ToolId),
    /// The imported tool is left out.
    Skip(SkipReason),
}

/// The tools that the server has, with those of the import that were planned so far.
pub(super) struct ExistingTools {
    names: HashSet<String>,
    /// The tools of the document, by operation.
    operations: HashMap<String, ToolId>,
}

impl ExistingTools {
    pub(super) async fn read(tx: &mut Tx, server_id: ServerId, document_id: Option<DocumentId>) -> Result<Self> {
        let sql =
            "SELECT id, name, origin_document_id, origin_operation FROM tools WHERE server_id = $1 ORDER BY id DESC";
        let (mut names, mut operations) = (HashSet::new(), HashMap::new());
        for row in tx.fetch_all(sql, params![server_id.0]).await? {
            names.insert(row.text("name")?);
            let document = row.opt_int("origin_document_id")?.map(DocumentId);
            if document.is_some() && document == document_id {
                operations.insert(row.text("origin_operation")?, ToolId(row.int("id")?));
            }
        }
        Ok(Self { names, operations })
    }

    pub(super) fn add_name(&mut self, name: String) {
        self.names.insert(name);
    }

    pub(super) fn decide(&self, name: &str, operation: &str, rule: ConflictRule) -> ImportDecision {
        let imported = self.operations.get(operation);
        let is_taken = |name: &str| self.names.contains(name);
        match (rule, imported) {
            (ConflictRule::Update, Some(id)) => ImportDecision::Update(*id),
            (ConflictRule::Update, None) if is_taken(name) => ImportDecision::Skip(SkipReason::OtherOrigin),
            (ConflictRule::Skip, _) if is_taken(name) => ImportDecision::Skip(SkipReason::NameTaken),
            (ConflictRule::Skip, Some(_)) => ImportDecision::Skip(SkipReason::AlreadyImported),
            _ => ImportDecision::Create(numbered_name(name, is_taken)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_decides_what_is_done_with_a_tool_that_exists() {
        let existing = ExistingTools {
            names: HashSet::from(["a".to_owned(), "renamed".to_owned()]),
            operations: HashMap::from([("GET /b".to_owned(), ToolId(7))]),
        };
        let decide = |name, operation, rule| existing.decide(name, operation, rule);
        let created = |name: &str| ImportDecision::Create(name.to_owned());
        for rule in [ConflictRule::Skip, ConflictRule::Duplicate, ConflictRule::Update] {
            assert_eq!(decide("new", "GET /new", rule), created("new"));
        }
        assert_eq!(decide("a", "GET /a", ConflictRule::Skip), ImportDecision::Skip(SkipReason::NameTaken));
        assert_eq!(decide("a", "GET /a", ConflictRule::Duplicate), created("a_2"));
        assert_eq!(decide("a", "GET /a", ConflictRule::Update), ImportDecision::Skip(SkipReason::OtherOrigin));
        assert_eq!(decide("b", "GET /b", ConflictRule::Skip), ImportDecision::Skip(SkipReason::AlreadyImported));
        assert_eq!(decide("b", "GET /b", ConflictRule::Duplicate), created("b"));
        assert_eq!(decide("b", "GET /b", ConflictRule::Update), ImportDecision::Update(ToolId(7)));
    }
}
