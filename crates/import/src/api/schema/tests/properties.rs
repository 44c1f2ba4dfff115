//! Properties of the conversion for any document.

use proptest::prelude::*;

use super::*;

/// Any JSON value.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..30_i64).prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-c]", inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn keyword_value(keyword: &'static str, schema: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let names = || prop::sample::select(vec!["a", "b", "c"]);
    let types = prop::sample::select(vec!["string", "number", "integer", "boolean", "array", "object", "null", "any"]);
    let list = prop::collection::vec(schema.clone(), 1..3).prop_map(Value::from);
    let map = prop::collection::btree_map("[abc]", schema.clone(), 0..3).prop_map(|map| json!(map));
    match keyword {
        "type" => prop_oneof![
            types.clone().prop_map(Value::from),
            prop::collection::vec(types, 1..3).prop_map(|list| json!(list))
        ]
        .boxed(),
        "enum" | "examples" => prop::collection::vec(any_value(), 0..3).prop_map(Value::from).boxed(),
        "required" => prop::collection::vec(names(), 0..3).prop_map(|list| json!(list)).boxed(),
        "properties" | "patternProperties" | "dependentSchemas" => map.boxed(),
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => list.boxed(),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minimum" | "maximum" | "minProperties"
        | "maxProperties" | "minContains" | "maxContains" => (0..4_i64).prop_map(Value::from).boxed(),
        "exclusiveMinimum" | "nullable" | "deprecated" | "readOnly" | "uniqueItems" => {
            any::<bool>().prop_map(Value::from).boxed()
        }
        "pattern" => prop::sample::select(vec!["^a", "(?=b)b", "c$", "["]).prop_map(Value::from).boxed(),
        "$ref" => prop::sample::select(vec!["A", "B", "X", "Missing"])
            .prop_map(|name| json!(format!("#/components/schemas/{name}")))
            .boxed(),
        "description" | "title" => "[a-c ]{0,3}".prop_map(Value::from).boxed(),
        "default" | "const" | "example" => any_value().boxed(),
        _ => schema,
    }
}

/// A keyword that is listed more than once is chosen more often.
const KEYWORDS: [&str; 42] = [
    "type",
    "type",
    "type",
    "properties",
    "properties",
    "properties",
    "required",
    "required",
    "enum",
    "const",
    "items",
    "prefixItems",
    "allOf",
    "allOf",
    "anyOf",
    "oneOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedProperties",
    "minLength",
    "maxItems",
    "minimum",
    "maxProperties",
    "pattern",
    "$ref",
    "$ref",
    "description",
    "default",
    "example",
    "nullable",
    "deprecated",
    "readOnly",
    "dependentSchemas",
];

/// A schema with any keywords, some of them with an invalid value.
fn any_schema() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![9 => Just(json!({})), 1 => any_value()].boxed();
    leaf.prop_recursive(4, 40, 4, |inner| {
        let member = prop::sample::select(KEYWORDS.to_vec()).prop_flat_map(move |keyword| {
            let value = prop_oneof![20 => keyword_value(keyword, inner.clone().boxed()), 1 => any_value()];
            value.prop_map(move |value| (keyword.to_owned(), value))
        });
        prop::collection::vec(member, 0..5).prop_map(|members| Value::Object(members.into_iter().collect()))
    })
    .boxed()
}

fn any_definitions() -> impl Strategy<Value = Value> {
    (any_schema(), any_schema(), any_schema()).prop_map(|(x, a, b)| json!({"X": x, "A": a, "B": b}))
}

fn any_kind() -> impl Strategy<Value = DocumentKind> {
    prop::sample::select(vec![DocumentKind::OpenApi30, DocumentKind::OpenApi31])
}

/// The schema of the tool at each level of detail, from the most to the least detailed.
fn schemas_by_detail(document: &Document) -> Option<Vec<Value>> {
    let resolver = ReferenceResolver::new(document);
    let context = SchemaContext::new(&resolver);
    let source = schemas(&resolver).member("X").unwrap();
    let schema = SchemaConverter::new(&context, SchemaDirection::Request).convert(&source).ok()?;
    let root = json!({"type": "object", "properties": {"x": schema}, "required": ["x"]});
    Some(fitting::every_level(&context, SchemaDirection::Request, &root))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_level_of_detail_is_valid_and_accepts_all_values_of_the_full_schema(
        kind in any_kind(), definitions in any_definitions(), values in prop::collection::vec(any_value(), 12)
    ) {
        let document = document(kind, definitions);
        let Some(levels) = schemas_by_detail(&document) else { return Ok(()) };
        levels.iter().for_each(assert_valid);
        let validators: Vec<_> = levels.iter().map(compiled).collect();
        for value in values {
            let arguments = json!({"x": value});
            if !validators[0].is_valid(&arguments) {
                continue;
            }
            for (validator, level) in validators.iter().zip(&levels) {
                prop_assert!(validator.is_valid(&arguments), "{arguments}\nfull {}\ncut {level}", levels[0]);
            }
        }
    }

    #[test]
    fn any_value_in_place_of_a_schema_is_converted(kind in any_kind(), x in any_value(), a in any_value()) {
        let document = document(kind, json!({"X": {"properties": {"p": x, "q": {"$ref": "#/components/schemas/A"}}}, "A": a}));
        tool_schema(&document, SchemaDirection::Request, SchemaDetail::Full);
    }
}
