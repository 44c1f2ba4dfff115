//! Copies converted schemas at a level of detail, together with the definitions that they need.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgate_domain::tool::{DOCUMENT_MAX, SUBSCHEMAS_MAX};

use super::graph::DefinitionGraph;
use super::measure;
use super::merge::is_map;
use super::vocabulary::{Keywords, Relation, mark_widened, open_schema, reference, relation};
use crate::api::schema::{SchemaContext, SchemaDirection};

/// Maximum nesting of a copied schema; deeper ones accept any value, so that definitions can be inlined within the
/// limits.
const NESTING_MAX: usize = 16;
/// Number of bytes of a value that cost one node of the document's budget.
const BYTES_PER_NODE: usize = 32;
/// The sentence that the description gets if properties were left out.
const MORE_PROPERTIES: &str = "Further properties are accepted.";

/// The level of detail of a copy. The arguments of a tool have depth 1, their properties depth 2.
#[derive(Clone, Copy, Debug)]
pub(super) struct CopyRules {
    /// Without titles, further examples, formats of numbers, and optional properties that are deprecated.
    pub(super) is_compact: bool,
    /// Descriptions below this depth are left out.
    pub(super) description_depth: usize,
    /// Optional properties below this depth are left out.
    pub(super) property_depth: usize,
    /// Schemas below this depth accept any value.
    pub(super) schema_depth: usize,
    /// Arguments have only `type` and `description`.
    pub(super) is_bare: bool,
}

/// The copy is far above the limits of a tool.
pub(super) struct CopyTooLarge;

pub(super) struct SchemaCopy<'c, 'a> {
    context: &'c SchemaContext<'a>,
    direction: SchemaDirection,
    rules: CopyRules,
    definitions: IndexMap<String, Value>,
    /// Definitions that are not copied yet, by depth. A definition is copied with the detail of its smallest depth.
    pending: BTreeMap<usize, Vec<String>>,
    subschemas: usize,
    bytes: usize,
    /// Whether a part of the current argument or definition was left out.
    is_cut: bool,
    pub(super) cut: CutParts,
}

/// The arguments and definitions of which a part was left out.
#[derive(Default)]
pub(super) struct CutParts {
    pub(super) arguments: BTreeSet<String>,
    pub(super) definitions: BTreeSet<String>,
}

impl<'c, 'a> SchemaCopy<'c, 'a> {
    pub(super) fn new(context: &'c SchemaContext<'a>, direction: SchemaDirection, rules: CopyRules) -> Self {
        Self {
            context,
            direction,
            rules,
            definitions: IndexMap::new(),
            pending: BTreeMap::new(),
            subschemas: 0,
            bytes: 0,
            is_cut: false,
            cut: CutParts::default(),
        }
    }

    /// Copies the schema of a tool and all definitions it needs.
    pub(super) fn copy(&mut self, root: &Value) -> Result<DefinitionGraph, CopyTooLarge> {
        let root = self.copy_root(root)?;
        while let Some(mut entry) = self.pending.first_entry() {
            let depth = *entry.key();
            let Some(name) = entry.get_mut().pop() else {
                entry.remove();
                continue;
            };
            if self.definitions.contains_key(&name) {
                continue;
            }
            let definition = self.context.definition(&name, self.direction, 0);
            let copied = match definition {
                Some(definition) => self.schema(&definition.value, depth, 0)?,
                None => open_schema(),
            };
            if std::mem::take(&mut self.is_cut) {
                self.cut.definitions.insert(name.clone());
            }
            self.definitions.insert(name, copied);
        }
        Ok(DefinitionGraph { root, definitions: std::mem::take(&mut self.definitions) })
    }

    /// Copies the root with each argument at depth 1. No argument is left out.
    fn copy_root(&mut self, root: &Value) -> Result<Value, CopyTooLarge> {
        let Some(keywords) = root.as_object() else { return Ok(root.clone()) };
        let mut copied = Map::new();
        for (keyword, value) in keywords {
            let value = match value.as_object().filter(|_| keyword == "properties") {
                Some(arguments) => {
                    let mut schemas = Map::new();
                    for (name, schema) in arguments {
                        schemas.insert(name.clone(), self.argument(name, schema)?);
                    }
                    Value::Object(schemas)
                }
                None => value.clone(),
            };
            copied.insert(keyword.clone(), value);
        }
        Ok(Value::Object(copied))
    }

    fn argument(&mut self, name: &str, schema: &Value) -> Result<Value, CopyTooLarge> {
        let copied = self.schema(schema, 1, 0)?;
        if std::mem::take(&mut self.is_cut) {
            self.cut.arguments.insert(name.to_owned());
        }
        Ok(copied)
    }

    fn schema(&mut self, schema: &Value, depth: usize, nesting: usize) -> Result<Value, CopyTooLarge> {
        let Some(keywords) = schema.as_object() else { return Ok(schema.clone()) };
        self.subschemas += 1;
        // A definition that is used once replaces its reference, so one of the two schemas is not counted. The exact
        // size is checked when the schema is complete.
        let is_too_large = self.subschemas > SUBSCHEMAS_MAX + self.definitions.len() || self.bytes > DOCUMENT_MAX;
        // The levels with bare arguments do not depend on the budget, so that every operation gets a schema.
        if is_too_large || !self.context.spend(1) && !self.rules.is_bare {
            return Err(CopyTooLarge);
        }
        if depth > self.rules.schema_depth || nesting > NESTING_MAX {
            self.is_cut |= !keywords.is_empty();
            return Ok(open_schema());
        }
        if self.rules.is_bare {
            return Ok(self.bare(keywords, depth));
        }
        if let Some(name) = reference(keywords) {
            self.schedule(name, depth);
        }
        let filter = PropertyFilter::new(keywords, depth, &self.rules);
        let mut copied = Map::new();
        for (keyword, value) in keywords {
            if keyword == "properties" {
                copied.insert(keyword.clone(), self.properties(value, &filter, depth, nesting)?);
            } else if relation(keyword).is_some() {
                copied.insert(keyword.clone(), self.subschemas(keyword, value, depth, nesting)?);
            } else if let Some(value) = self.leaf(keyword, value, keywords, depth) {
                let bytes = measure::bytes(&value);
                self.bytes += keyword.len() + bytes;
                // Large values use the budget as well; the next schema checks whether it is used up.
                self.context.spend(bytes / BYTES_PER_NODE);
                copied.insert(keyword.clone(), value);
            }
        }
        self.open_cut_object(keywords, &mut copied, &filter);
        Ok(Value::Object(copied))
    }

    fn properties(
        &mut self,
        value: &Value,
        filter: &PropertyFilter<'_>,
        depth: usize,
        nesting: usize,
    ) -> Result<Value, CopyTooLarge> {
        let mut schemas = Map::new();
        for (name, schema) in
            value.as_object().into_iter().flatten().filter(|(name, schema)| filter.admits(name, schema))
        {
            self.bytes += name.len();
            schemas.insert(name.clone(), self.schema(schema, depth + 1, nesting + 1)?);
        }
        Ok(Value::Object(schemas))
    }

    fn schedule(&mut self, name: &str, depth: usize) {
        if !self.definitions.contains_key(name) {
            self.pending.entry(depth).or_default().push(name.to_owned());
        }
    }

    fn subschemas(
        &mut self,
        keyword: &str,
        value: &Value,
        depth: usize,
        nesting: usize,
    ) -> Result<Value, CopyTooLarge> {
        let depth = if relation(keyword) == Some(Relation::ObjectProperty) { depth + 1 } else { depth };
        match value {
            Value::Object(members) if is_map(keyword) => {
                let mut schemas = Map::new();
                for (name, schema) in members {
                    self.bytes += name.len();
                    schemas.insert(name.clone(), self.schema(schema, depth, nesting + 1)?);
                }
                Ok(Value::Object(schemas))
            }
            Value::Array(items) => {
                let copied: Result<Vec<Value>, _> =
                    items.iter().map(|schema| self.schema(schema, depth, nesting + 1)).collect();
                copied.map(Value::Array)
            }
            schema => self.schema(schema, depth, nesting + 1),
        }
    }

    /// A keyword without schemas; `None` if it is left out.
    fn leaf(&self, keyword: &str, value: &Value, keywords: &Keywords, depth: usize) -> Option<Value> {
        if keyword == "description" && depth > self.rules.description_depth {
            return None;
        }
        if !self.rules.is_compact {
            return Some(value.clone());
        }
        match keyword {
            "title" | "deprecated" => None,
            "examples" if keywords.contains_key("enum") || keywords.contains_key("const") => None,
            "examples" => Some(Value::Array(value.as_array()?.iter().take(1).cloned().collect())),
            "format" => (!is_numeric(keywords.get("type"))).then(|| value.clone()),
            _ => Some(value.clone()),
        }
    }

    fn bare(&mut self, keywords: &Keywords, depth: usize) -> Value {
        let is_copied =
            |keyword: &str| keyword == "type" || keyword == "description" && depth <= self.rules.description_depth;
        let mut copied: Keywords = keywords
            .iter()
            .filter(|(keyword, _)| is_copied(keyword))
            .map(|(keyword, value)| (keyword.clone(), value.clone()))
            .collect();
        if copied.len() < keywords.len() {
            self.is_cut = true;
            mark_widened(&mut copied);
        }
        Value::Object(copied)
    }

    /// Makes an object accept any other property if some of its properties were left out.
    fn open_cut_object(&mut self, source: &Keywords, copied: &mut Keywords, filter: &PropertyFilter<'_>) {
        let count = |keywords: &Keywords| keywords.get("properties").and_then(Value::as_object).map_or(0, Map::len);
        let copied_count = count(copied);
        if copied_count == count(source) {
            return;
        }
        if copied_count == 0 {
            copied.remove("properties");
        }
        mark_widened(copied);
        if filter.is_too_deep {
            copied.remove("additionalProperties");
            let text = copied.get("description").and_then(Value::as_str).unwrap_or_default();
            copied.insert("description".to_owned(), format!("{text} {MORE_PROPERTIES}").trim_start().into());
            self.is_cut = true;
        }
    }
}

/// Which properties of an object are copied.
struct PropertyFilter<'k> {
    required: HashSet<&'k str>,
    /// Optional properties are left out.
    is_too_deep: bool,
    /// Optional properties that are deprecated are left out.
    drops_deprecated: bool,
}

impl<'k> PropertyFilter<'k> {
    fn new(keywords: &'k Keywords, depth: usize, rules: &CopyRules) -> Self {
        let required = keywords.get("required").and_then(Value::as_array);
        // A closed object would refuse a property that is left out.
        let is_closed = keywords.get("additionalProperties").is_some_and(|value| *value != Value::Bool(true));
        Self {
            required: required.into_iter().flatten().filter_map(Value::as_str).collect(),
            is_too_deep: depth >= rules.property_depth,
            drops_deprecated: rules.is_compact && !is_closed,
        }
    }

    fn admits(&self, name: &str, schema: &Value) -> bool {
        let is_deprecated = || schema.get("deprecated") == Some(&Value::Bool(true));
        self.required.contains(name) || !(self.is_too_deep || self.drops_deprecated && is_deprecated())
    }
}

fn is_numeric(types: Option<&Value>) -> bool {
    types.is_some_and(|types| match types {
        Value::Array(names) => names.iter().any(|name| name == "number" || name == "integer"),
        name => name == "number" || name == "integer",
    })
}
