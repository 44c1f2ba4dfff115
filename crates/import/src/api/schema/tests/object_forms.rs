//! The members of objects.

use super::*;

/// The members and the required ones, or `None`.
fn form(schema: Value, others: Value) -> Option<(Vec<String>, Vec<String>, bool, bool)> {
    let mut definitions = others;
    definitions["X"] = schema;
    let document = document(DocumentKind::OpenApi30, definitions);
    let resolver = ReferenceResolver::new(&document);
    let context = SchemaContext::new(&resolver);
    let mut converter = SchemaConverter::new(&context, SchemaDirection::Request);
    let form = converter.object_form(&schemas(&resolver).member("X").unwrap()).unwrap()?;
    Some((form.properties.keys().cloned().collect(), form.required, form.open, form.nullable))
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn members_are_collected_through_references_and_all_of() {
    let base = json!({"Base": {"type": "object", "required": ["id", "key"], "properties": {"id": {"readOnly": true}, "key": {}}}});
    let schema = json!({"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"name": {}}, "required": ["name"]}],
        "properties": {"own": {}}, "additionalProperties": false});
    assert_eq!(form(schema, base), Some((names(&["key", "name", "own"]), names(&["key", "name"]), false, false)));
}

#[test]
fn open_and_nullable_objects_are_recognised() {
    let open = json!({"properties": {"a": {}}, "additionalProperties": {"type": "string"}, "nullable": true});
    assert_eq!(form(open, json!({})), Some((names(&["a"]), names(&[]), true, true)));
}

#[test]
fn other_schemas_have_no_members() {
    for schema in [
        json!({"type": "object"}),
        json!({"type": "array", "items": {}}),
        json!({"type": ["object", "string"], "properties": {"a": {}}}),
        json!({"properties": {"a": {}}, "oneOf": [{}]}),
        json!({"allOf": [{"properties": {"a": {}}}, {"anyOf": [{}]}]}),
        json!({"additionalProperties": true}),
        json!(true),
    ] {
        assert_eq!(form(schema.clone(), json!({})), None, "{schema}");
    }
}

#[test]
fn a_property_of_two_branches_has_the_schema_of_both() {
    let schema = json!({"allOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"maxLength": 5}}}]});
    let document = document(DocumentKind::OpenApi30, json!({"X": schema}));
    let resolver = ReferenceResolver::new(&document);
    let context = SchemaContext::new(&resolver);
    let mut converter = SchemaConverter::new(&context, SchemaDirection::Request);
    let form = converter.object_form(&schemas(&resolver).member("X").unwrap()).unwrap().unwrap();
    let schema = converter.convert_property(&form.properties["a"]).unwrap();
    assert_eq!(schema, json!({"type": "string", "maxLength": 5}));
}
