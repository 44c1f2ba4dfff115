//! Overlays: the owner's changes to the tools of a document.
//!
//! An overlay is passed to the import, by operation, or is part of the document as extensions: `x-toolgate-…`,
//! `x-speakeasy-mcp` and `x-mcp`. The passed overlay takes precedence over the extensions.

mod extensions;
mod reader;

use std::collections::HashSet;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgate_domain::tool::ToolStatus;

use crate::api::candidate::Candidate;
use crate::api::error::ApiError;

pub(crate) use extensions::{argument_extensions, operation_extensions};

/// The key of the changes for all operations.
const ALL_OPERATIONS: &str = "*";

/// Changes to the tools, by operation.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    operations: IndexMap<String, OperationOverlay>,
}

/// Changes to one tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct OperationOverlay {
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    /// Whether the operation is left out.
    pub(crate) hidden: Option<bool>,
    pub(crate) tags: Option<Vec<String>>,
    pub(crate) status: Option<ToolStatus>,
    pub(crate) timeout: Option<i64>,
    /// The changes to arguments, by location and name: `query:limit`.
    pub(crate) arguments: IndexMap<String, ArgumentOverlay>,
    /// Hints for `annotations`.
    pub(crate) hints: Map<String, Value>,
}

/// Changes to one argument.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArgumentOverlay {
    pub(crate) rename: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) default: Option<Value>,
    /// The argument is a constant with this value.
    pub(crate) fixed: Option<Value>,
    /// Whether the argument is left out of the tool.
    pub(crate) hidden: Option<bool>,
    /// Members that replace those of the schema.
    pub(crate) schema: Map<String, Value>,
}

impl Overlay {
    /// Reads an overlay, and refuses unknown keys and values of another type.
    pub(crate) fn parse(overlay: &Map<String, Value>) -> Result<Self, ApiError> {
        let operations = overlay.iter().map(|(key, value)| {
            let path = format!("overlay[{key}]");
            Ok((normalized(key), reader::operation(&path, value)?))
        });
        Ok(Self { operations: operations.collect::<Result<_, ApiError>>()? })
    }

    /// Operations and arguments that the overlay names but the document does not have. Arguments under `*` need not
    /// exist in every operation.
    pub(crate) fn orphans(&self, operations: &[String], candidates: &[Candidate]) -> Vec<String> {
        let known: HashSet<&str> = operations.iter().map(String::as_str).collect();
        let is_gone = |key: &&String| *key != ALL_OPERATIONS && !known.contains(key.as_str());
        let mut orphans: Vec<String> = self.operations.keys().filter(is_gone).cloned().collect();
        for candidate in candidates.iter().filter(|candidate| !candidate.overlay_orphans.is_empty()) {
            let Some(own) = self.operations.get(&candidate.operation) else { continue };
            let own = candidate.overlay_orphans.iter().filter(|key| own.arguments.contains_key(*key));
            orphans.extend(own.map(|key| format!("{} {key}", candidate.operation)));
        }
        orphans
    }

    /// The changes to an operation: those of `*`, replaced by those of its own key.
    pub(crate) fn for_operation(&self, operation: &str) -> OperationOverlay {
        let all = self.operations.get(ALL_OPERATIONS).cloned().unwrap_or_default();
        match self.operations.get(&normalized(operation)) {
            Some(own) => own.clone().over(all),
            None => all,
        }
    }
}

/// A key with the method in upper case.
fn normalized(key: &str) -> String {
    match key.trim().split_once(' ') {
        Some((method, path)) => format!("{} {}", method.to_ascii_uppercase(), path.trim()),
        None => key.trim().to_owned(),
    }
}

impl OperationOverlay {
    /// These changes, with `others` for everything that these do not set.
    #[must_use]
    pub(crate) fn over(self, others: Self) -> Self {
        let mut arguments = others.arguments;
        for (key, own) in self.arguments {
            let other = arguments.shift_remove(&key).unwrap_or_default();
            arguments.insert(key, own.over(other));
        }
        let mut hints = others.hints;
        hints.extend(self.hints);
        Self {
            name: self.name.or(others.name),
            description: self.description.or(others.description),
            hidden: self.hidden.or(others.hidden),
            tags: self.tags.or(others.tags),
            status: self.status.or(others.status),
            timeout: self.timeout.or(others.timeout),
            arguments,
            hints,
        }
    }
}

impl ArgumentOverlay {
    /// These changes, with `others` for everything that these do not set.
    #[must_use]
    pub(crate) fn over(self, others: Self) -> Self {
        let mut schema = others.schema;
        schema.extend(self.schema);
        Self {
            rename: self.rename.or(others.rename),
            description: self.description.or(others.description),
            default: self.default.or(others.default),
            fixed: self.fixed.or(others.fixed),
            hidden: self.hidden.or(others.hidden),
            schema,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(value: &Value) -> Result<Overlay, ApiError> {
        Overlay::parse(value.as_object().unwrap())
    }

    #[test]
    fn the_changes_of_an_operation_replace_those_of_all() {
        let overlay = parse(&json!({
            "*": {"timeout": 5, "tags": ["a"], "arguments": {"query:limit": {"rename": "max", "default": 1}}},
            "get /pets": {"timeout": 10, "arguments": {"query:limit": {"default": 20, "fixed": null}}},
        }))
        .unwrap();
        let pets = overlay.for_operation("GET /pets");
        assert_eq!((pets.timeout, pets.tags.as_deref()), (Some(10), Some(&["a".to_owned()][..])));
        let limit = &pets.arguments["query:limit"];
        assert_eq!((limit.rename.as_deref(), &limit.default, &limit.fixed), (Some("max"), &Some(json!(20)), &None));
        assert_eq!(overlay.for_operation("GET /cats").timeout, Some(5));
    }

    #[test]
    fn a_wrong_overlay_is_refused_with_its_path() {
        for (overlay, expected) in [
            (json!({"GET /a": 1}), "overlay[GET /a]"),
            (json!({"GET /a": {"nam": "x"}}), "overlay[GET /a][nam]"),
            (json!({"GET /a": {"name": "a b"}}), "overlay[GET /a][name]"),
            (json!({"GET /a": {"timeout": 301}}), "overlay[GET /a][timeout]"),
            (json!({"GET /a": {"status": "draft"}}), "overlay[GET /a][status]"),
            (json!({"GET /a": {"tags": "x"}}), "overlay[GET /a][tags]"),
            (json!({"GET /a": {"hidden": "yes"}}), "overlay[GET /a][hidden]"),
            (json!({"GET /a": {"arguments": {"limit": {}}}}), "overlay[GET /a][arguments][limit]"),
            (
                json!({"GET /a": {"arguments": {"query:x": {"rename": "a b"}}}}),
                "overlay[GET /a][arguments][query:x][rename]",
            ),
            (
                json!({"GET /a": {"arguments": {"query:x": {"schema": []}}}}),
                "overlay[GET /a][arguments][query:x][schema]",
            ),
        ] {
            let Err(ApiError::Argument { field, message }) = parse(&overlay) else { panic!("{overlay} is accepted") };
            assert_eq!(field, expected);
            assert!(message.starts_with(expected), "{message}");
        }
    }
}
