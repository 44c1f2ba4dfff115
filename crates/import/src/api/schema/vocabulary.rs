//! The keywords of JSON Schema 2020-12 and the schemas within them.

use serde_json::{Map, Value};

pub(super) type Keywords = Map<String, Value>;

/// The keyword that marks a schema as widened: it accepts more values than the document says. Where a widened schema
/// would make an enclosing one accept fewer values (`not`, `oneOf`), `relaxation` relaxes the enclosing one and removes
/// the mark, so that no schema of a tool has it.
pub(super) const WIDENED_MARK: &str = "$widened";

/// The prefix of references to definitions.
pub(super) const DEFS_PREFIX: &str = "#/$defs/";

/// The kind of value that a keyword has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KeywordKind {
    /// A text without effect on validation.
    Text,
    Flag,
    /// A whole number, not negative.
    Count,
    Number,
    /// A schema for the same value.
    InPlace,
    /// A schema for a part of the value.
    Part,
    /// Schemas by name.
    Map,
    /// A list of schemas.
    List,
    /// Any other keyword of a converted schema.
    Other,
    /// A keyword that the conversion reads together with others, or that tools do not need.
    Dropped,
}

pub(super) fn kind(keyword: &str) -> KeywordKind {
    match keyword {
        "title" | "description" | "format" | "contentEncoding" | "contentMediaType" => KeywordKind::Text,
        "uniqueItems" | "deprecated" | "writeOnly" | "x-secret" => KeywordKind::Flag,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => KeywordKind::Count,
        "minimum" | "maximum" | "multipleOf" => KeywordKind::Number,
        "not" | "if" | "then" | "else" => KeywordKind::InPlace,
        "additionalProperties" | "propertyNames" | "contains" | "unevaluatedProperties" | "unevaluatedItems" => {
            KeywordKind::Part
        }
        "patternProperties" | "dependentSchemas" | "properties" => KeywordKind::Map,
        "oneOf" | "anyOf" | "prefixItems" => KeywordKind::List,
        "type" | "enum" | "const" | "pattern" | "required" | "items" | "exclusiveMinimum" | "exclusiveMaximum"
        | "dependentRequired" | "examples" | "example" => KeywordKind::Other,
        _ => KeywordKind::Dropped,
    }
}

/// Whether a keyword has no effect on validation.
pub(super) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "format"
            | "examples"
            | "deprecated"
            | "writeOnly"
            | "x-secret"
            | "contentEncoding"
            | "contentMediaType"
            | WIDENED_MARK
    )
}

/// The definition that a converted schema refers to.
pub(super) fn reference(keywords: &Keywords) -> Option<&str> {
    keywords.get("$ref")?.as_str()?.strip_prefix(DEFS_PREFIX)
}

/// A schema that accepts every value, in place of one that accepts fewer.
pub(super) fn open_schema() -> Value {
    Value::Object(Map::from_iter([(WIDENED_MARK.to_owned(), Value::Bool(true))]))
}

pub(super) fn mark_widened(keywords: &mut Keywords) {
    keywords.insert(WIDENED_MARK.to_owned(), Value::Bool(true));
}

/// The relation of a subschema to the schema that holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// It applies to the same value.
    InPlace,
    /// It applies to an item of a list.
    Item,
    /// It applies to a property, or to its name.
    ObjectProperty,
}

/// The relation of the schemas in the value of a keyword; `None` if the keyword holds none.
pub(super) fn relation(keyword: &str) -> Option<Relation> {
    Some(match keyword {
        "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas" => Relation::InPlace,
        "items" | "prefixItems" | "contains" | "unevaluatedItems" => Relation::Item,
        "properties" | "patternProperties" | "additionalProperties" | "propertyNames" | "unevaluatedProperties" => {
            Relation::ObjectProperty
        }
        _ => return None,
    })
}

/// The schemas in the value of a keyword that holds schemas.
pub(super) fn subschemas<'v>(keyword: &str, value: &'v Value) -> Box<dyn Iterator<Item = &'v Value> + 'v> {
    match value {
        Value::Object(members) if kind(keyword) == KeywordKind::Map => Box::new(members.values()),
        Value::Array(items) => Box::new(items.iter()),
        schema => Box::new(std::iter::once(schema)),
    }
}

/// The schemas in the value of a keyword that holds schemas, to change them.
pub(super) fn subschemas_mut<'v>(keyword: &str, value: &'v mut Value) -> Box<dyn Iterator<Item = &'v mut Value> + 'v> {
    if kind(keyword) == KeywordKind::Map {
        return match value {
            Value::Object(members) => Box::new(members.values_mut()),
            _ => Box::new(std::iter::empty()),
        };
    }
    match value {
        Value::Array(items) => Box::new(items.iter_mut()),
        schema => Box::new(std::iter::once(schema)),
    }
}

/// Calls `visit` with each reference in a schema.
pub(super) fn each_reference<'v>(schema: &'v Value, visit: &mut dyn FnMut(&'v str)) {
    let Some(keywords) = schema.as_object() else { return };
    if let Some(name) = reference(keywords) {
        visit(name);
    }
    for (keyword, value) in keywords.iter().filter(|(keyword, _)| relation(keyword).is_some()) {
        subschemas(keyword, value).for_each(|schema| each_reference(schema, visit));
    }
}
