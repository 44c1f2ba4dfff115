//! Conversion of `$ref` with its siblings, and of the branches of `allOf`.

use serde_json::Value;

use super::Conversion;
use super::texts::clean;
use crate::api::problem::ProblemCode;
use crate::api::reference::{Located, ReferenceError};
use crate::api::schema::definitions::ConversionProgress;
use crate::api::schema::vocabulary::{DEFS_PREFIX, Keywords, open_schema, reference};

/// Maximum nesting of definitions that `allOf` merges into each other.
const MERGE_DEPTH_MAX: usize = 24;
/// Maximum length of a chain of references without siblings.
const CHAIN_MAX: usize = 32;

/// The reference of a schema.
pub(super) fn reference_text<'a>(schema: &Located<'a>) -> Option<&'a str> {
    schema.text("$ref").or_else(|| schema.text("$dynamicRef"))
}

impl<'a> Conversion<'_, 'a> {
    /// The keywords of a schema with `$ref`. `Err` is the whole schema if the reference has no target: it accepts every
    /// value.
    pub(super) fn reference(&mut self, schema: &Located<'a>, text: &'a str) -> Result<Keywords, Value> {
        let target = match self.target(schema, text) {
            Ok(target) => target,
            Err(error) => {
                self.warn(code_name(error.code), &error.pointer, &error.message);
                return Err(open_schema());
            }
        };
        let name = self.context.name(&target);
        let mut keywords = if self.context.resolver().kind().has_modern_schemas() {
            self.keywords(schema)
        } else {
            overriding_texts(schema)
        };
        keywords.insert("$ref".to_owned(), Value::String(format!("{DEFS_PREFIX}{name}")));
        Ok(keywords)
    }

    /// The target of a reference; targets that consist only of a reference are followed.
    fn target(&self, schema: &Located<'a>, text: &'a str) -> Result<Located<'a>, ReferenceError> {
        let resolver = self.context.resolver();
        let mut target = resolver.follow(text, &schema.pointer)?;
        for _ in 0..CHAIN_MAX {
            match target.text("$ref") {
                Some(next) if target.value.as_object().is_some_and(|members| members.len() == 1) => {
                    target = resolver.follow(next, &target.pointer)?;
                }
                _ => return Ok(target),
            }
        }
        let message = "The references form a cycle.".to_owned();
        Err(ReferenceError { code: ProblemCode::RefCycle, message, pointer: schema.pointer.clone() })
    }

    /// The branches of `allOf`, each with the keywords of its target in place of a reference.
    pub(super) fn all_of(&mut self, schema: &Located<'a>, owner: Option<&str>) -> Vec<Keywords> {
        let Some(list) = schema.member("allOf") else { return Vec::new() };
        let is_applied = self.context.resolver().kind().has_modern_schemas() || reference_text(schema).is_none();
        if !is_applied {
            return Vec::new();
        }
        let is_plain_wrapper =
            list.value.as_array().is_some_and(|items| items.len() == 1) && has_only_annotations(schema);
        let branches: Vec<Value> = list.items().map(|item| self.schema(&item, None)).collect();
        let mut keywords = Vec::new();
        for branch in branches {
            match branch {
                Value::Object(branch) if is_plain_wrapper && branch.len() == 1 => keywords.push(branch),
                Value::Object(branch) => keywords.extend(self.expanded(branch, owner)),
                Value::Bool(false) => keywords.push(Keywords::from_iter([("not".to_owned(), Value::Bool(true))])),
                _ => {}
            }
        }
        keywords
    }

    /// A branch with the keywords of its target, so that they can be merged.
    fn expanded(&mut self, mut branch: Keywords, owner: Option<&str>) -> Vec<Keywords> {
        let Some(name) = reference(&branch).map(str::to_owned) else { return vec![branch] };
        if Some(name.as_str()) == owner {
            branch.remove("$ref");
            return vec![branch];
        }
        let definition = match self.context.progress(&name, self.direction) {
            ConversionProgress::Done(definition) => Some(definition),
            ConversionProgress::Pending if self.merge_depth < MERGE_DEPTH_MAX => {
                self.context.definition(&name, self.direction, self.merge_depth + 1)
            }
            ConversionProgress::Pending | ConversionProgress::Active => None,
        };
        let Some(definition) = definition else { return vec![branch] };
        let Value::Object(target) = &definition.value else { return vec![branch] };
        if !self.spend(definition.bytes / 32) {
            return vec![branch];
        }
        let mut target = target.clone();
        for union in ["oneOf", "anyOf"] {
            // The base schema of a discriminated union lists the schemas that extend it; `owner`, which extends the
            // base, must not contain the union again.
            if target.get(union).is_some_and(|branches| has_branch(branches, owner)) {
                target.remove(union);
            }
        }
        branch.remove("$ref");
        vec![target, branch]
    }
}

/// The texts next to a `$ref`; before OpenAPI 3.1, all other siblings are ignored.
fn overriding_texts(schema: &Located<'_>) -> Keywords {
    let text = schema.text("description").or_else(|| schema.text("summary"));
    let text = text.map(clean).filter(|text| !text.is_empty());
    text.into_iter().map(|text| ("description".to_owned(), Value::String(text))).collect()
}

fn has_branch(branches: &Value, owner: Option<&str>) -> bool {
    let mut names = branches.as_array().into_iter().flatten().filter_map(Value::as_object).filter_map(reference);
    owner.is_some_and(|owner| names.any(|name| name == owner))
}

fn has_only_annotations(schema: &Located<'_>) -> bool {
    let is_text = |name: &str| {
        matches!(name, "allOf" | "title" | "description" | "nullable" | "deprecated" | "readOnly" | "writeOnly")
            || matches!(name, "default" | "example" | "examples" | "xml" | "externalDocs")
            || name.starts_with("x-")
    };
    schema.value.as_object().is_some_and(|members| members.keys().all(|name| is_text(name)))
}

fn code_name(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::RefExternal => "ref_external",
        ProblemCode::RefCycle => "ref_cycle",
        _ => "ref_unresolved",
    }
}
