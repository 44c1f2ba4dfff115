mod hostile;
mod object_members;
mod properties;
mod size_limits;
mod table;

use serde_json::{Value, json};

use super::*;
use crate::api::document::{Document, DocumentKind};

/// A document with these schemas.
fn document(kind: DocumentKind, schemas: Value) -> Document {
    let mut root = json!({"paths": {}});
    if kind == DocumentKind::Swagger20 {
        root["definitions"] = schemas;
    } else {
        root["components"]["schemas"] = schemas;
    }
    Document { root, kind, warnings: Vec::new() }
}

/// Definitions that contain only the schema `X`.
fn only(schema: Value) -> Value {
    Value::Object(Map::from_iter([("X".to_owned(), schema)]))
}

fn schemas<'a>(resolver: &ReferenceResolver<'a>) -> Located<'a> {
    let root = resolver.root();
    root.member("definitions").or_else(|| root.member("components")?.member("schemas")).unwrap()
}

/// The tool schema whose only argument `x` is the schema `X` of the document, with the code and the pointer of
/// each warning.
fn tool_schema(
    document: &Document,
    direction: SchemaDirection,
    detail: SchemaDetail,
) -> (Value, Vec<(&'static str, String)>) {
    let resolver = ReferenceResolver::new(document);
    let context = SchemaContext::new(&resolver);
    let mut converter = SchemaConverter::new(&context, direction);
    let source = schemas(&resolver).member("X").unwrap();
    let schema = converter.convert(&source).unwrap();
    let argument = ArgumentSchema { name: "x".to_owned(), schema, required: true, pointer: source.pointer };
    let input = converter.input_schema(vec![argument], detail).unwrap();
    let warnings = input.warnings.iter().map(|warning| (warning.code, warning.pointer.to_string())).collect();
    let schema = input.schema.to_value();
    assert_valid(&schema);
    (schema, warnings)
}

/// The converted schema `X` with full detail, and the codes of the warnings.
fn converted(kind: DocumentKind, definitions: Value) -> (Value, Vec<&'static str>) {
    let document = document(kind, definitions);
    let (schema, warnings) = tool_schema(&document, SchemaDirection::Request, SchemaDetail::Full);
    (schema["properties"]["x"].clone(), warnings.into_iter().map(|(code, _)| code).collect())
}

/// Checks that a schema compiles as JSON Schema 2020-12, is within the limits and has all targets of its references.
fn assert_valid(schema: &Value) {
    compiled(schema);
    assert!(measure::fits(schema), "{} bytes", measure::bytes(schema));
    // The conversion marks widened schemas; a complete schema has no mark left.
    assert!(!schema.to_string().contains(vocabulary::WIDENED_MARK), "{schema}");
    let check = |schema: &Value, root: &Value| {
        vocabulary::each_reference(schema, &mut |name| assert!(root["$defs"][name] != Value::Null, "{name}"));
    };
    check(schema, schema);
    for definition in schema["$defs"].as_object().into_iter().flat_map(Map::values) {
        check(definition, schema);
    }
}

fn compiled(schema: &Value) -> jsonschema::Validator {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .with_pattern_options(jsonschema::PatternOptions::regex())
        .build(schema)
        .unwrap_or_else(|error| panic!("{error} in {schema}"))
}
