//! Converts one schema of the document to JSON Schema 2020-12, with references to definitions in `$defs`.

mod bounds;
mod nullable;
mod objects;
mod references;
mod texts;
mod types;
mod unions;

use serde_json::Value;

use super::merge;
use super::vocabulary::{KeywordKind, Keywords, kind, mark_widened, open_schema};
use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;
use crate::api::reference::Located;
use crate::api::schema::{SchemaContext, SchemaDirection};

/// Maximum number of warnings of one conversion.
const WARNINGS_MAX: usize = 20;
/// Maximum nesting of one schema. Deeper schemas accept any value.
const NESTING_MAX: usize = 60;
/// Values with more levels are left out of `examples` and `enum`.
const VALUE_DEPTH_MAX: usize = 8;

pub(super) struct Conversion<'c, 'a> {
    pub(super) context: &'c SchemaContext<'a>,
    pub(super) direction: SchemaDirection,
    /// How many more values may be read.
    pub(super) nodes_left: usize,
    pub(super) warnings: Vec<ApiWarning>,
    /// The number of definitions whose conversion is in progress because an `allOf` merges them.
    pub(super) merge_depth: usize,
    nesting: usize,
}

impl<'c, 'a> Conversion<'c, 'a> {
    pub(super) fn new(
        context: &'c SchemaContext<'a>,
        direction: SchemaDirection,
        nodes: usize,
        merge_depth: usize,
    ) -> Self {
        Self { context, direction, nodes_left: nodes, warnings: Vec::new(), merge_depth, nesting: 0 }
    }

    /// Converts a schema. `owner` is its name in `$defs`, if it is the target of a reference.
    pub(super) fn schema(&mut self, schema: &Located<'a>, owner: Option<&str>) -> Value {
        match schema.value {
            Value::Bool(_) => schema.value.clone(),
            Value::Object(_) if self.nesting >= NESTING_MAX || !self.spend(1) => {
                self.warn("schema_cut", &schema.pointer, "The schema is too large or too deep; it accepts any value.");
                open_schema()
            }
            Value::Object(_) => {
                self.nesting += 1;
                let converted = self.object(schema, owner);
                self.nesting -= 1;
                converted
            }
            _ => {
                self.warn_repaired(&schema.pointer, "A schema must be an object; this one accepts any value.");
                open_schema()
            }
        }
    }

    fn object(&mut self, schema: &Located<'a>, owner: Option<&str>) -> Value {
        let mut keywords = match references::reference_text(schema) {
            Some(reference) => match self.reference(schema, reference) {
                Ok(keywords) => keywords,
                Err(complete) => return complete,
            },
            None => self.keywords(schema),
        };
        let branches = self.all_of(schema, owner);
        if !branches.is_empty() {
            keywords = merge::all(branches, keywords);
        }
        nullable::apply(schema, keywords)
    }

    /// The converted keywords of a schema, without `$ref` and `allOf`.
    fn keywords(&mut self, schema: &Located<'a>) -> Keywords {
        let mut keywords = Keywords::new();
        for (keyword, member) in schema.members() {
            self.keyword(keyword, &member, &mut keywords);
        }
        self.repair_types(schema, &mut keywords);
        self.repair_bounds(schema, &mut keywords);
        self.repair_objects(schema, &mut keywords);
        texts::complete(schema, &mut keywords);
        self.simplify_unions(schema, keywords)
    }

    fn keyword(&mut self, keyword: &str, member: &Located<'a>, keywords: &mut Keywords) {
        let value = match kind(keyword) {
            KeywordKind::Text => member.value.as_str().map(|text| Value::String(texts::clean(text))),
            KeywordKind::Flag => member.value.as_bool().filter(|flag| *flag).map(Value::Bool),
            KeywordKind::Count => self.count(member, keywords),
            KeywordKind::Number => self.number(member, keywords),
            KeywordKind::InPlace | KeywordKind::Part => Some(self.schema(member, None)),
            KeywordKind::Map => self.schema_map(keyword, member, keywords),
            KeywordKind::List => self.schema_list(member),
            KeywordKind::Other => self.copied(member, keywords),
            KeywordKind::Dropped => None,
        };
        if let Some(value) = value {
            keywords.insert(keyword.to_owned(), value);
        }
    }

    fn schema_list(&mut self, list: &Located<'a>) -> Option<Value> {
        let schemas: Vec<Value> = list.items().map(|item| self.schema(&item, None)).collect();
        if schemas.is_empty() { None } else { Some(Value::Array(schemas)) }
    }

    /// A value that is not a schema.
    fn copied(&mut self, member: &Located<'a>, keywords: &mut Keywords) -> Option<Value> {
        if depth(member.value) <= VALUE_DEPTH_MAX && self.spend(weight(member.value)) {
            return Some(member.value.clone());
        }
        mark_widened(keywords);
        None
    }

    /// Counts values that were read; false if the budget is used up.
    pub(super) fn spend(&mut self, nodes: usize) -> bool {
        let left = self.nodes_left.checked_sub(nodes);
        self.nodes_left = left.unwrap_or(0);
        left.is_some() && self.context.spend(nodes)
    }

    pub(super) fn warn(&mut self, code: &'static str, pointer: &Pointer, message: &str) {
        if self.warnings.len() < WARNINGS_MAX {
            self.warnings.push(ApiWarning { code, message: message.to_owned(), pointer: pointer.clone() });
        }
    }

    fn warn_repaired(&mut self, pointer: &Pointer, message: &str) {
        self.warn("schema_repaired", pointer, message);
    }
}

/// The cost of copying a value: the number of values in it, plus one for every 64 bytes of text.
fn weight(value: &Value) -> usize {
    1 + match value {
        Value::String(text) => text.len() / 64,
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| name.len() / 64 + weight(value)).sum(),
        _ => 0,
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
