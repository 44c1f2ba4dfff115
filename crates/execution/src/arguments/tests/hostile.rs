//! Hostile schemas and arguments. The tests assert results; the time limit is generous and catches only exponential
//! behaviour, because debug builds on a busy machine are slow. Release builds must validate within 50 ms.

use std::time::{Duration, Instant};
use toolgate_domain::tool::SUBSCHEMAS_MAX;

use super::*;

fn assert_fast<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < Duration::from_secs(20), "the work took {:?}", start.elapsed());
    result
}

/// Validates up to five times and takes the fastest run, because the machine may be busy with other tests.
fn validate_in_time(schema: &InputSchema, arguments: &Value) -> Result<(), Vec<Violation>> {
    let limit = if cfg!(debug_assertions) { Duration::from_secs(5) } else { Duration::from_millis(50) };
    let mut fastest = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        let result = schema.validate(arguments);
        fastest = fastest.min(start.elapsed());
        if fastest < limit {
            return result;
        }
    }
    panic!("the fastest validation took {fastest:?}")
}

fn is_too_complex(schema: &InputSchema, arguments: &Value) -> bool {
    validate_in_time(schema, arguments) == Err(vec![Violation::new("", TOO_COMPLEX)])
}

fn nested(levels: usize, leaf: Value, wrap: impl Fn(Value) -> Value) -> Value {
    (0..levels).fold(leaf, |inner, _| wrap(inner))
}

/// Definitions in a chain: `d0` refers to `d1`, `d1` to `d2`, and so on.
fn chain(length: usize, link: impl Fn(&str) -> Value, end: Value) -> Value {
    let mut definitions = serde_json::Map::new();
    for index in 0..length {
        definitions.insert(format!("d{index}"), link(&format!("#/$defs/d{}", index + 1)));
    }
    definitions.insert(format!("d{length}"), end);
    json!({"$ref": "#/$defs/d0", "$defs": definitions})
}

#[test]
fn nesting_is_limited() {
    let wraps: [fn(Value) -> Value; 3] =
        [|inner| json!({"properties": {"a": inner}}), |inner| json!({"not": inner}), |inner| json!({"allOf": [inner]})];
    for wrap in wraps {
        compile(&nested(SCHEMA_DEPTH_MAX - 1, json!({}), wrap));
        let text = refusal(&nested(SCHEMA_DEPTH_MAX, json!({}), wrap));
        assert!(text.starts_with("the schema is nested more than 32 levels deep at /"), "{text}");
        refusal(&nested(60, json!({}), wrap));
    }
}

#[test]
fn the_number_of_subschemas_is_limited() {
    let properties = |count: usize| {
        let properties: serde_json::Map<_, _> = (0..count).map(|index| (format!("p{index}"), json!({}))).collect();
        json!({"properties": properties})
    };
    compile(&properties(SUBSCHEMAS_MAX - 1));
    let text = refusal(&properties(SUBSCHEMAS_MAX));
    assert_eq!(text, "the schema has more than 1000 subschemas; the first one above the limit is at /properties/p999");
}

#[test]
fn cycles_that_apply_a_schema_to_the_same_value_are_refused() {
    let cycles = [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"$ref": "#/$defs/a"}}}}),
        json!({"$dynamicAnchor": "a", "anyOf": [{"$dynamicRef": "#a"}]}),
    ];
    for schema in cycles {
        assert!(refusal(&schema).contains("refers back to itself"), "{schema}");
    }
}

#[test]
fn long_chains_of_references_neither_overflow_the_stack_nor_hang() {
    // 450 is above the nesting limit of a validation; the value of `deeper` is nested less than the limit.
    let too_long = chain(450, |next| json!({"$ref": next}), json!({"type": "object"}));
    assert!(is_too_complex(&assert_fast(|| compile(&too_long)), &json!({})));
    let deeper = chain(450, |next| json!({"properties": {"a": {"$ref": next}}}), json!({}));
    let schema = assert_fast(|| compile(&deeper));
    let arguments = nested(120, json!({}), |inner| json!({"a": inner}));
    assert_eq!(schema.validate(&arguments), Ok(()));
    // With the root and the last definition, these are as many subschemas as are allowed.
    let longest = chain(SUBSCHEMAS_MAX - 2, |next| json!({"$ref": next}), json!({}));
    assert_fast(|| compile(&longest));
}

#[test]
fn the_cost_of_doubling_references_is_computed_before_validation() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let link = |next: &str| json!({keyword: [{"$ref": next}, {"$ref": next}]});
        let schema = assert_fast(|| compile(&chain(40, link, json!({"type": "object"}))));
        assert!(is_too_complex(&schema, &json!({})), "{keyword}");
    }
    let twice = compile(&json!({"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}, "required": ["a"]}));
    assert!(is_too_complex(&twice, &nested(100, json!({}), |inner| json!({"a": inner}))));
    assert!(twice.validate(&nested(3, json!({}), |inner| json!({"a": inner}))).is_err());
}

#[test]
fn the_repeated_work_of_unevaluated_properties_is_limited() {
    let link = |next: &str| json!({"anyOf": [{"$ref": next}], "unevaluatedProperties": false});
    let schema = assert_fast(|| compile(&chain(60, link, json!({"properties": {"a": {}}}))));
    assert!(is_too_complex(&schema, &json!({"a": 1})));
    let short = compile(&chain(5, link, json!({"properties": {"a": {}}})));
    assert_eq!(short.validate(&json!({"a": 1})), Ok(()));
    assert!(validate_in_time(&short, &json!({"b": 1})).is_err());
}

#[test]
fn the_cost_of_wide_arguments_with_wide_schemas_is_limited() {
    let schema = compile(&json!({"properties": {"a": {"allOf": vec![json!({"items": {"type": "string"}}); 400]}}}));
    assert!(is_too_complex(&schema, &json!({"a": vec![1; 100_000]})));
    let found = validate_in_time(&schema, &json!({"a": vec![1; 100]})).unwrap_err();
    assert_eq!(found, vec![Violation::new("", TOO_LARGE_FOR_DETAILS)]);
    assert_eq!(validate_in_time(&schema, &json!({"a": [1]})).unwrap_err().len(), VIOLATIONS_MAX);
}

#[test]
fn patterns_run_in_linear_time_and_large_ones_only_on_short_texts() {
    let long = json!({"a": format!("{}!", "a".repeat(50_000))});
    let compile_pattern = |pattern: &str| assert_fast(|| compile(&json!({"properties": {"a": {"pattern": pattern}}})));
    for pattern in ["^(a+)+$", "^(a|a)*$", "^([a-zA-Z]+)*$", "(x+x+)+y"] {
        assert_ne!(validate_in_time(&compile_pattern(pattern), &long), Ok(()), "{pattern}");
    }
    for pattern in ["a{8000}", "(a|b){5000}", "((a{10}){10}){50}", "a{90}{90}"] {
        assert!(is_too_complex(&compile_pattern(pattern), &long), "{pattern}");
        assert!(!is_too_complex(&compile_pattern(pattern), &json!({"a": "aaaa"})), "{pattern}");
    }
    let base64_schema = compile(&json!({"properties": {"a": {"pattern": "^[A-Za-z0-9+/]+={0,2}$"}}}));
    assert_eq!(validate_in_time(&base64_schema, &json!({"a": "QUJD".repeat(50_000)})), Ok(()));
}

/// A schema with `count` patterns, for strings or for property names.
fn with_patterns(count: usize, keyword: &str, pattern: impl Fn(usize) -> String) -> Value {
    let pattern = |index| if keyword == "pattern" { json!(pattern(index)) } else { json!({pattern(index): true}) };
    let property = |index| (format!("p{index}"), json!({keyword: pattern(index)}));
    json!({"properties": (0..count).map(property).collect::<serde_json::Map<_, _>>()})
}

fn assert_too_large_together(schema: &Value) {
    let text = assert_fast(|| refusal(schema));
    assert!(text.starts_with("the patterns of the schema are too large together"), "{text}");
}

#[test]
fn the_total_size_of_patterns_is_limited() {
    let schema = |count, pattern: &str| with_patterns(count, "pattern", |index| format!("{pattern}{index}"));
    assert_fast(|| compile(&schema(100, r"^\w{1,64}$")));
    for pattern in [r"^\w{1,64}$", "(a|b){5000}", r"\p{L}{20}", "[a-z]{3000}", "[^a]{250}"] {
        assert_too_large_together(&schema(900, pattern));
    }
}

#[test]
fn patterns_are_limited_by_their_compiled_size() {
    for keyword in ["pattern", "patternProperties"] {
        for wide in ["^[a\u{100}-\u{10fffe}]{0,200}$|q", r"^[a\u{100}-\u{10fffe}]{0,200}$|q", r"^[a\s]{0,200}$|q"] {
            assert_too_large_together(&with_patterns(900, keyword, |index| format!("{wide}{index}")));
        }
        let captures = |index| format!("^[a-z]{{1,20}}(foo|bar|baz){index}[0-9a-f]*$");
        assert_too_large_together(&with_patterns(300, keyword, captures));
        assert_fast(|| compile(&with_patterns(50, keyword, captures)));
    }
}

#[test]
fn equal_patterns_are_counted_once() {
    assert_fast(|| compile(&with_patterns(900, "pattern", |_| r"^\w{1,64}$".to_owned())));
}

#[test]
fn patterns_that_take_long_to_parse_are_refused_before_parsing() {
    let slow_to_parse =
        [r"\S".repeat(5000), r"\w".repeat(5000), r"\p{L}".repeat(5000), r"(?i)[\x{100}-\x{10fffe}]".repeat(500)];
    for pattern in slow_to_parse {
        assert_too_large_together(&with_patterns(1, "pattern", |_| pattern.clone()));
    }
}

#[test]
fn ordinary_patterns_are_within_the_limits_together() {
    let ordinary = [
        r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$",
        r"^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*$",
        r"^[^@\s]+@[^@\s]+\.[^@\s]+$",
        r"^\d{4}-\d{2}-\d{2}$",
        r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d{2}:\d{2})$",
        r"^\w+$",
        r"^[\w.-]{1,255}$",
        r"^\S+$",
        r"^.{1,100}$",
        r"^https?://[^\s/$.?#].[^\s]*$",
        r"^\+[1-9]\d{1,14}$",
        r"^#(?:[0-9a-fA-F]{3}){1,2}$",
        r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$",
        r"^[A-Za-z0-9+/]+={0,2}$",
        r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$",
        r"^arn:aws[a-zA-Z-]*:[a-z0-9-]+:[a-z0-9-]*:\d{12}:.+$",
        r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$",
        r"^\p{L}[\p{L}\p{M}' -]*$",
        r"(?i)^(asc|desc)$",
        r"^[\u4e00-\u9fa5]{1,20}$",
    ];
    for keyword in ["pattern", "patternProperties"] {
        assert_fast(|| compile(&with_patterns(ordinary.len(), keyword, |index| ordinary[index].to_owned())));
    }
}

#[test]
fn the_number_of_patterns_in_arguments_is_limited() {
    let schema = compile(&json!({"$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"items": {"format": "regex"}}}}));
    assert_eq!(schema.validate(&json!({"a": ["^a$"]})), Ok(()));
    assert!(is_too_complex(&schema, &json!({"a": vec![r"\w{1,500}"; 1000]})));
}

#[test]
fn huge_numbers_in_keywords_do_not_slow_down_validation() {
    for keyword in ["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties", "minContains"] {
        for number in [json!(u64::MAX), json!(1e300)] {
            let schema = json!({"properties": {"a": {keyword: number, "contains": {}}}});
            let _ = validate_in_time(&assert_fast(|| compile(&schema)), &json!({"a": [1, 2], "b": "x"}));
        }
    }
}

#[test]
fn the_cost_of_unique_items_is_limited() {
    let schema = compile(&json!({"properties": {"a": {"allOf": vec![json!({"uniqueItems": true}); 900]}}}));
    let items: Vec<Value> = (0..20_000).map(|index| json!({"i": index})).collect();
    assert!(is_too_complex(&schema, &json!({"a": items})));
    let single = compile(&json!({"properties": {"a": {"uniqueItems": true}}}));
    assert_eq!(validate_in_time(&single, &json!({"a": items})), Ok(()));
}
