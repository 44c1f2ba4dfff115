//! The members of object schemas, which become separate arguments.

use super::*;

/// The names of the properties, the required ones, whether other properties are allowed, and whether null is allowed.
/// `None` if the schema is not an object with known properties.
fn members(schema: Value, others: Value) -> Option<(Vec<String>, Vec<String>, bool, bool)> {
    let mut definitions = others;
    definitions["X"] = schema;
    let document = document(DocumentKind::OpenApi30, definitions);
    let resolver = ReferenceResolver::new(&document);
    let context = SchemaContext::new(&resolver);
    let mut converter = SchemaConverter::new(&context, SchemaDirection::Request);
    let members = converter.object_members(&schemas(&resolver).member("X").unwrap()).unwrap()?;
    Some((members.properties.keys().cloned().collect(), members.required, members.is_open, members.is_nullable))
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn properties_are_collected_through_references_and_all_of() {
    let base = json!({"Base": {"type": "object", "required": ["id", "key"], "properties": {"id": {"readOnly": true}, "key": {}}}});
    let schema = json!({"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"name": {}}, "required": ["name"]}],
        "properties": {"own": {}}, "additionalProperties": false});
    assert_eq!(members(schema, base), Some((names(&["key", "name", "own"]), names(&["key", "name"]), false, false)));
}

#[test]
fn open_and_nullable_objects_are_recognised() {
    let open = json!({"properties": {"a": {}}, "additionalProperties": {"type": "string"}, "nullable": true});
    assert_eq!(members(open, json!({})), Some((names(&["a"]), names(&[]), true, true)));
}

#[test]
fn schemas_that_are_not_only_an_object_with_properties_have_no_separate_members() {
    for schema in [
        json!({"type": "object"}),
        json!({"type": "array", "items": {}}),
        json!({"type": ["object", "string"], "properties": {"a": {}}}),
        json!({"properties": {"a": {}}, "oneOf": [{}]}),
        json!({"allOf": [{"properties": {"a": {}}}, {"anyOf": [{}]}]}),
        json!({"additionalProperties": true}),
        json!(true),
    ] {
        assert_eq!(members(schema.clone(), json!({})), None, "{schema}");
    }
}

#[test]
fn a_property_of_two_branches_has_the_schema_of_both() {
    let schema = json!({"allOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"maxLength": 5}}}]});
    let document = document(DocumentKind::OpenApi30, json!({"X": schema}));
    let resolver = ReferenceResolver::new(&document);
    let context = SchemaContext::new(&resolver);
    let mut converter = SchemaConverter::new(&context, SchemaDirection::Request);
    let members = converter.object_members(&schemas(&resolver).member("X").unwrap()).unwrap().unwrap();
    let schema = converter.convert_property(&members.properties["a"]).unwrap();
    assert_eq!(schema, json!({"type": "string", "maxLength": 5}));
}
