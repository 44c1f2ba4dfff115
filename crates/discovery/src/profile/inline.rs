//! Replaces references by the schemas they refer to.

use serde_json::{Map, Value};

use super::{DEPTH_MAX, SCHEMAS_MAX};
use crate::schema::budget::WorkBudget;
use crate::schema::pointer::{LocalRef, resolve};
use crate::schema::{SubschemaKind, keyword_kind};

/// Keywords that refer to another schema.
pub(super) const REFERENCE_KEYWORDS: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
/// Keywords that describe a value without restricting it.
const ANNOTATIONS: [&str; 10] = [
    "$comment",
    "default",
    "deprecated",
    "description",
    "example",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
    "nullable",
];

/// The references that are not replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AllowedReferences {
    None,
    /// `#/$defs/<name>` of the root schema.
    Definitions,
}

/// The schema with all references replaced, except the `allowed` ones. A reference to another document becomes a schema
/// that accepts any value; of a recursive one, only the type of its target remains.
pub(super) fn inline(schema: &Value, allowed: AllowedReferences) -> Value {
    let mut inliner = Inliner { root: schema, allowed, budget: WorkBudget::new(SCHEMAS_MAX), open: Vec::new() };
    let mut result = inliner.schema(schema, 0);
    if let Value::Object(members) = &mut result {
        members.shift_remove("definitions");
        if allowed == AllowedReferences::None {
            members.shift_remove("$defs");
        }
    }
    result
}

/// Whether a reference is `#/$defs/<name>` and this definition exists in the root.
pub(super) fn is_definition(root: &Value, reference: &str) -> bool {
    let name = reference.strip_prefix("#/$defs/");
    let is_plain = name.is_some_and(|name| !name.is_empty() && !name.contains(['/', '~', '%']));
    is_plain && matches!(resolve(root, reference), LocalRef::Found(_))
}

/// Whether a schema has its own `$id`, so that references in it are relative to it.
pub(super) fn has_own_id(members: &Map<String, Value>) -> bool {
    let id = members.get("$id").or_else(|| members.get("id"));
    members.get("$id").is_some() && id.is_some_and(Value::is_string)
}

struct Inliner<'a> {
    root: &'a Value,
    allowed: AllowedReferences,
    budget: WorkBudget,
    /// The schemas whose references are being replaced, to find cycles.
    open: Vec<&'a Value>,
}

impl<'a> Inliner<'a> {
    fn schema(&mut self, schema: &'a Value, depth: usize) -> Value {
        let Value::Object(members) = schema else {
            return if schema.is_boolean() { schema.clone() } else { true.into() };
        };
        if depth > DEPTH_MAX || !self.budget.take_schema() {
            return any_value();
        }
        if depth > 0 && has_own_id(members) {
            return self.embedded_resource(schema, members, depth);
        }
        self.members(members, depth)
    }

    /// A schema with its own id. References in it are relative to it, so all of them are replaced.
    fn embedded_resource(&mut self, schema: &'a Value, members: &'a Map<String, Value>, depth: usize) -> Value {
        let root = std::mem::replace(&mut self.root, schema);
        let allowed = std::mem::replace(&mut self.allowed, AllowedReferences::None);
        let mut inlined = self.members(members, depth);
        if let Value::Object(members) = &mut inlined {
            for keyword in ["$id", "$defs", "definitions"] {
                members.shift_remove(keyword);
            }
        }
        (self.root, self.allowed) = (root, allowed);
        inlined
    }

    fn members(&mut self, members: &'a Map<String, Value>, depth: usize) -> Value {
        let mut inlined = Map::new();
        let mut target = None;
        for (keyword, value) in members {
            if REFERENCE_KEYWORDS.contains(&keyword.as_str()) {
                if let Some(reference) = value.as_str().filter(|reference| self.is_allowed(keyword, reference)) {
                    inlined.insert(keyword.clone(), reference.into());
                } else {
                    target = Some(self.target(value.as_str().unwrap_or_default(), depth));
                }
            } else {
                inlined.extend(self.keyword(keyword, value, depth).map(|value| (keyword.clone(), value)));
            }
        }
        match target {
            Some(target) => with_siblings(target, inlined),
            None => inlined.into(),
        }
    }

    fn is_allowed(&self, keyword: &str, reference: &str) -> bool {
        keyword == "$ref" && self.allowed == AllowedReferences::Definitions && is_definition(self.root, reference)
    }

    fn target(&mut self, reference: &str, depth: usize) -> Value {
        match resolve(self.root, reference) {
            LocalRef::Found(target) if !self.open.iter().any(|open| std::ptr::eq(*open, target)) => {
                self.open.push(target);
                let inlined = self.schema(target, depth + 1);
                self.open.pop();
                inlined
            }
            LocalRef::Found(target) => cycle_end(target),
            LocalRef::Foreign => any_value(),
        }
    }

    /// The value of a keyword; `None` if it is too large.
    fn keyword(&mut self, keyword: &str, value: &'a Value, depth: usize) -> Option<Value> {
        Some(match (keyword_kind(keyword, value), value) {
            (SubschemaKind::Schema, _) => self.schema(value, depth + 1),
            (SubschemaKind::SchemaList, Value::Array(schemas)) => {
                schemas.iter().map(|schema| self.schema(schema, depth + 1)).collect()
            }
            (SubschemaKind::SchemaMap, Value::Object(schemas)) => {
                let schemas =
                    schemas.iter().map(|(name, schema)| (name.clone(), self.map_entry(keyword, schema, depth)));
                schemas.collect::<Map<_, _>>().into()
            }
            _ => return self.budget.take_value(value).then(|| value.clone()),
        })
    }

    /// One entry of an object of schemas. `dependencies` may also hold lists of names.
    fn map_entry(&mut self, keyword: &str, schema: &'a Value, depth: usize) -> Value {
        if keyword == "dependencies" && schema.is_array() { schema.clone() } else { self.schema(schema, depth + 1) }
    }
}

fn any_value() -> Value {
    Map::new().into()
}

/// The replacement for a recursive reference: a schema with only the type of the target.
fn cycle_end(target: &Value) -> Value {
    let kind = target.get("type").filter(|kind| kind.is_string());
    kind.map(|kind| ("type".to_owned(), kind.clone())).into_iter().collect::<Map<_, _>>().into()
}

/// The target of a reference, together with the keywords next to the reference.
fn with_siblings(target: Value, mut siblings: Map<String, Value>) -> Value {
    if siblings.is_empty() {
        return target;
    }
    match target {
        Value::Object(mut members) if siblings.keys().all(|keyword| ANNOTATIONS.contains(&keyword.as_str())) => {
            members.extend(siblings);
            members.into()
        }
        target => {
            let mut parts = siblings.get("allOf").and_then(Value::as_array).cloned().unwrap_or_default();
            parts.insert(0, target);
            siblings.insert("allOf".to_owned(), parts.into());
            siblings.into()
        }
    }
}
