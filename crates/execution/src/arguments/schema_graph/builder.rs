//! Builds the graph: first along the keywords that contain schemas, then along the references. Values that neither
//! reaches (`default`, `examples`, unknown keywords) are not schemas.

use std::collections::HashMap;
use toolgate_domain::tool::SUBSCHEMAS_MAX;

use jsonschema::Draft;
use serde_json::{Map, Value};
use url::Url;

use super::super::error::{SchemaError, SchemaLocation};
use super::super::keyword_costs::KeywordCosts;
use super::super::limits::SCHEMA_DEPTH_MAX;
use super::super::patterns::PatternBudget;
use super::super::references::{DEFAULT_BASE, ReferenceTarget, References};
use super::{NodeId, SchemaNode, declared_draft};

/// Builds the nodes of all subschemas of a schema.
pub(super) fn build(schema: &Value, draft: Draft) -> Result<Vec<SchemaNode>, SchemaError> {
    let mut builder = GraphBuilder {
        schema,
        draft,
        nodes: Vec::new(),
        ids_by_pointer: HashMap::new(),
        references: References::default(),
        unresolved: Vec::new(),
        patterns: PatternBudget::default(),
    };
    builder.build(schema, String::new(), &DEFAULT_BASE, 1)?;
    while let Some(reference) = builder.unresolved.pop() {
        builder.resolve(&reference)?;
    }
    Ok(builder.nodes)
}

/// Whether a schema with these keywords declares its value secret.
fn is_declared_secret(keywords: &Map<String, Value>) -> bool {
    let is_true = |keyword: &str| keywords.get(keyword) == Some(&Value::Bool(true));
    is_true("writeOnly") || is_true("x-secret") || keywords.get("format").is_some_and(|format| format == "password")
}

struct GraphBuilder<'a> {
    schema: &'a Value,
    draft: Draft,
    nodes: Vec<SchemaNode>,
    /// Node ids by JSON pointer.
    ids_by_pointer: HashMap<String, NodeId>,
    references: References,
    unresolved: Vec<UnresolvedReference>,
    patterns: PatternBudget<'a>,
}

/// A reference whose target is not resolved yet.
struct UnresolvedReference {
    /// The schema with the reference.
    source: NodeId,
    at: SchemaLocation,
    text: String,
    base: Url,
    is_dynamic: bool,
}

impl UnresolvedReference {
    fn dangling_error(&self) -> SchemaError {
        SchemaError::DanglingReference { at: self.at.clone(), reference: self.text.clone() }
    }

    fn external_error(&self) -> SchemaError {
        SchemaError::ExternalReference { at: self.at.clone(), reference: self.text.clone() }
    }
}

impl<'a> GraphBuilder<'a> {
    fn build(&mut self, schema: &'a Value, pointer: String, base: &Url, depth: usize) -> Result<NodeId, SchemaError> {
        let id = self.nodes.len();
        if depth > SCHEMA_DEPTH_MAX {
            return Err(SchemaError::TooDeep(SchemaLocation(pointer)));
        }
        if id >= SUBSCHEMAS_MAX {
            return Err(SchemaError::TooManySubschemas(SchemaLocation(pointer)));
        }
        declared_draft(schema, &pointer)?;
        self.ids_by_pointer.insert(pointer.clone(), id);
        self.nodes.push(SchemaNode { pointer: pointer.clone(), ..SchemaNode::default() });
        let Some(keywords) = schema.as_object() else { return Ok(id) };
        let base = self.references.register(keywords, &pointer, base, self.draft);
        self.collect_references(id, &pointer, keywords, &base);
        let mut node = SchemaNode {
            costs: KeywordCosts::from_keywords(keywords),
            is_secret: is_declared_secret(keywords),
            ..SchemaNode::default()
        };
        if !self.patterns.admit(keywords) {
            return Err(SchemaError::PatternsTooLarge(SchemaLocation(pointer)));
        }
        for (keyword, value) in keywords {
            for (role, suffix, subschema) in subschemas(keyword, value) {
                let child = self.build(subschema, format!("{pointer}/{keyword}{suffix}"), &base, depth + 1)?;
                node.attach(role, child);
            }
        }
        node.pointer = pointer;
        if let Some(slot) = self.nodes.get_mut(id) {
            *slot = node;
        }
        Ok(id)
    }

    fn collect_references(&mut self, source: NodeId, pointer: &str, keywords: &Map<String, Value>, base: &Url) {
        for (keyword, is_dynamic) in [("$ref", false), ("$dynamicRef", true), ("$recursiveRef", true)] {
            if let Some(text) = keywords.get(keyword).and_then(Value::as_str) {
                let (at, text, base) = (SchemaLocation(pointer.to_owned()), text.to_owned(), base.clone());
                self.unresolved.push(UnresolvedReference { source, at, text, base, is_dynamic });
            }
        }
    }

    fn resolve(&mut self, reference: &UnresolvedReference) -> Result<(), SchemaError> {
        let pointers = match self.references.resolve(&reference.text, &reference.base, reference.is_dynamic) {
            ReferenceTarget::Pointers(pointers) => pointers,
            ReferenceTarget::Dangling => return Err(reference.dangling_error()),
            ReferenceTarget::External => return Err(reference.external_error()),
        };
        for pointer in pointers {
            let target = match self.ids_by_pointer.get(&pointer) {
                Some(&id) => id,
                None => self.build_target(pointer, reference)?,
            };
            if let Some(node) = self.nodes.get_mut(reference.source) {
                node.in_place.push(target);
            }
        }
        Ok(())
    }

    /// Builds a target that no keyword reaches: a reference may point into the value of an unknown keyword.
    fn build_target(&mut self, pointer: String, reference: &UnresolvedReference) -> Result<NodeId, SchemaError> {
        let schema = self.schema.pointer(&pointer).filter(|schema| is_schema(schema));
        self.build(schema.ok_or_else(|| reference.dangling_error())?, pointer, &reference.base, 1)
    }
}

/// The part of a value to which a subschema applies.
#[derive(Clone, Copy)]
enum SubschemaRole<'a> {
    SameValue,
    Property(&'a str),
    EveryProperty,
    PropertyNames,
    Item,
    EveryItem,
    /// No part, unless a reference points to it.
    Nothing,
}

impl SchemaNode {
    fn attach(&mut self, role: SubschemaRole<'_>, id: NodeId) {
        match role {
            SubschemaRole::SameValue => self.in_place.push(id),
            SubschemaRole::Property(name) => drop(self.properties.insert(name.to_owned(), id)),
            SubschemaRole::EveryProperty => self.every_property.push(id),
            SubschemaRole::PropertyNames => self.property_names.push(id),
            SubschemaRole::Item => self.items.push(id),
            SubschemaRole::EveryItem => self.every_item.push(id),
            SubschemaRole::Nothing => {}
        }
    }
}

/// The schemas in the value of a keyword: the role, the rest of the JSON pointer, and the schema.
fn subschemas<'a>(keyword: &str, value: &'a Value) -> Vec<(SubschemaRole<'a>, String, &'a Value)> {
    let role = |name: &'a str| match keyword {
        "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas" | "dependencies" => {
            SubschemaRole::SameValue
        }
        "properties" => SubschemaRole::Property(name),
        "patternProperties" | "additionalProperties" | "unevaluatedProperties" => SubschemaRole::EveryProperty,
        "propertyNames" => SubschemaRole::PropertyNames,
        "items" if !value.is_array() => SubschemaRole::EveryItem,
        "items" | "prefixItems" => SubschemaRole::Item,
        "contains" | "additionalItems" | "unevaluatedItems" => SubschemaRole::EveryItem,
        _ => SubschemaRole::Nothing,
    };
    let candidates: Vec<_> = match (keyword, value) {
        (
            "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "$defs" | "definitions",
            Value::Object(map),
        ) => map.iter().map(|(name, member)| (role(name), format!("/{}", escape_pointer(name)), member)).collect(),
        ("allOf" | "anyOf" | "oneOf" | "items" | "prefixItems", Value::Array(list)) => {
            list.iter().enumerate().map(|(index, member)| (role(""), format!("/{index}"), member)).collect()
        }
        (
            "not"
            | "if"
            | "then"
            | "else"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "propertyNames"
            | "items"
            | "contains"
            | "additionalItems"
            | "unevaluatedItems"
            | "contentSchema",
            _,
        ) => vec![(role(""), String::new(), value)],
        _ => Vec::new(),
    };
    candidates.into_iter().filter(|(_, _, member)| is_schema(member)).collect()
}

/// Whether a value can be a schema; the meta-schema reports any other value.
fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

/// Escapes a name for a JSON pointer.
fn escape_pointer(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
