//! Invalid arguments of the tool `place_order`, whose schema has rules of every kind.

use serde_json::{Value, json};

use super::FailureCase;

const CALL_AGAIN: &[&str] = &["Call place_order again"];

/// The input schema of the tool.
pub(super) fn schema() -> Value {
    json!({"type": "object", "required": ["customer"], "properties": {
        "customer": {"type": "string", "minLength": 2, "maxLength": 20},
        "grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer", "minimum": 0}}},
        "country": {"type": "string", "enum": ["Austria", "Belgium", "Bulgaria", "Croatia", "Cyprus", "Czechia", "Denmark",
            "Estonia", "Finland", "France", "Germany", "Greece", "Hungary", "Ireland", "Italy", "Latvia"]},
        "rating": {"type": "number", "exclusiveMinimum": 0, "maximum": 5, "multipleOf": 0.5},
        "gift": {"type": "boolean"},
        "due": {"type": ["string", "null"], "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "examples": ["2026-12-24"]},
        "ref": {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^R-[0-9]+$"}]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3, "uniqueItems": true},
        "address": {"$ref": "#/$defs/address"},
        "options": {"type": "object", "minProperties": 1, "propertyNames": {"pattern": "^[a-z]+$"}},
        "level": {"enum": [1, 2, 3]},
        "version": {"const": 2},
        "größe": {"type": "integer", "minimum": 1, "maximum": 5},
        "filter": {"type": "object", "properties": {"名前": {"enum": ["長い", "短い"]}}},
        "token": {"type": "string", "x-secret": true, "minLength": 20},
        "coupon": {"type": "string"}, "coupon_pin": {"type": "string"},
        "payment": {"oneOf": [
            {"type": "object", "required": ["method", "number", "expiry"], "properties": {
                "method": {"const": "card"}, "number": {"type": "string"}, "expiry": {"type": "string"}}},
            {"type": "object", "required": ["method", "iban"], "properties": {
                "method": {"const": "bank"}, "iban": {"type": "string", "pattern": "^[A-Z]{2}"}}}]},
        "receiver": {"type": "object", "anyOf": [{"required": ["id"]}, {"required": ["email"]}],
            "properties": {"id": {"type": "integer"}, "email": {"type": "string"}}},
        "dates": {"type": "array", "contains": {"const": "today"}},
        "color": {"type": "string", "not": {"enum": ["red", "black"]}},
        "delivery": {"anyOf": [{"type": "string", "enum": ["home", "shop"]},
            {"type": "object", "required": ["locker"], "properties": {"locker": {"type": "integer"}}}]}},
        "dependentRequired": {"coupon": ["coupon_pin"]},
        "$defs": {"address": {"type": "object", "required": ["street", "zip"], "additionalProperties": false, "properties": {
            "street": {"type": "string"}, "zip": {"type": "string", "pattern": "^[0-9]{5}$"}, "city": {"type": "string"}}}}})
}

/// A call with a customer and one more argument.
fn with(name: &'static str, argument: &str, value: Value) -> FailureCase {
    let mut arguments = json!({"customer": "Ann"});
    arguments[argument] = value;
    FailureCase::new(name, "place_order", arguments).remedy(CALL_AGAIN)
}

pub(super) fn cases() -> Vec<FailureCase> {
    [value_cases(), union_cases(), object_cases()].concat()
}

fn value_cases() -> Vec<FailureCase> {
    vec![
        with("list in a list", "grid", json!([[1, 2], [3, "x"]]))
            .cause(&[r#"grid[1][1] must be an integer of at least 0, not "x""#])
            .values(&["at least 0"]),
        with("value for a list in a list", "grid", json!([[1, 2], 3]))
            .cause(&["grid[1] must be a list of integers, not 3"])
            .values(&["a list of integers"]),
        with("one of many values", "country", json!("Germny"))
            .cause(&[r#""country" cannot be "Germny": did you mean "Germany"?"#])
            .values(&["… 11 more"]),
        with("step", "rating", json!(3.3)).cause(&[r#""rating" must be"#, "not 3.3"]).values(&["multiple of 0.5"]),
        with("exclusive limit", "rating", json!(0))
            .cause(&[r#""rating" must be"#, "not 0"])
            .values(&["between 0 and 5"]),
        with("word for a boolean", "gift", json!("yes"))
            .cause(&[r#""gift" must be true or false, not "yes""#])
            .values(&["true or false"]),
        with("form of a date", "due", json!("31.12.2026"))
            .cause(&[r#""due" cannot be "31.12.2026""#])
            .values(&["2026-12-24"]),
        with("number for a date", "due", json!(20_261_224)).cause(&[r#""due" must be text"#]).values(&["2026-12-24"]),
        with("too many items", "tags", json!(["a", "b", "c", "d"]))
            .cause(&[r#""tags" must be a list"#, "not of 4"])
            .values(&["of at most 3 items"]),
        with("an item twice", "tags", json!(["a", "a"])).cause(&[r#""tags" must not have an item twice"#]),
        with("type of an item", "tags", json!(["a", 7])).cause(&["tags[1] must be text, not 7"]).values(&["text"]),
        with("text for a number", "level", json!("two")).cause(&[r#""level" cannot be "two""#]).values(&["1, 2 or 3"]),
        with("constant", "version", json!(1)).cause(&[r#""version" must be 2, not 1"#]).values(&["2"]),
        with("name that is not ASCII", "größe", json!(9))
            .cause(&[r#""größe" must be from 1 to 5, not 9"#])
            .values(&["from 1 to 5"]),
        with("path that is not ASCII", "filter", json!({"名前": "高い"}))
            .cause(&[r#"filter["名前"] cannot be "高い""#])
            .values(&[r#""長い" or "短い""#]),
        with("short secret", "token", json!("hunter2-short"))
            .cause(&[r#""token" must be text"#])
            .values(&["of at least 20 characters"])
            .secrets(&["hunter2"]),
        FailureCase::new("too short", "place_order", json!({"customer": "A"}))
            .cause(&[r#""customer" must be text of 2 to 20 characters, not "A""#])
            .values(&["2 to 20"])
            .remedy(CALL_AGAIN),
    ]
}

fn union_cases() -> Vec<FailureCase> {
    vec![
        with("no type of a union", "ref", json!(true))
            .cause(&[r#""ref" must be an integer or text"#, "not true"])
            .values(&["R-"])
            .remedy(&["call place_order again"]),
        with("form of a union", "ref", json!("17x")).cause(&[r#""ref" cannot be "17x""#]).values(&["^R-[0-9]+$"]),
        with("members of another variant", "payment", json!({"method": "card", "iban": "DE02"}))
            .cause(&[
                r#"payment with "method":"card" needs "number" and "expiry""#,
                r#""iban" belongs to "method":"bank""#,
            ])
            .values(&[r#""number" and "expiry""#])
            .remedy(&["call place_order again"]),
        with("value of a variant", "payment", json!({"method": "bank", "iban": "02"}))
            .cause(&[r#"payment.iban cannot be "02""#])
            .values(&["^[A-Z]{2}"]),
        with("text for a variant", "payment", json!("card"))
            .cause(&[r#""payment" must be an object"#])
            .values(&["{method, number, expiry}", "{method, iban}"])
            .remedy(&[]),
        with("value or object", "delivery", json!("house"))
            .cause(&[r#""delivery" cannot be "house""#])
            .values(&[r#""home" or "shop""#]),
        with("one of two members", "receiver", json!({"name": "Ann"}))
            .cause(&[r#""receiver" needs "id" or "email""#])
            .values(&[r#""id" or "email""#])
            .remedy(&["call place_order again"]),
        with("needed item", "dates", json!(["tomorrow"]))
            .cause(&[r#""dates" must have an item that is "today""#])
            .values(&["today"]),
        with("excluded value", "color", json!("red"))
            .cause(&[r#""color" must not be "red" or "black""#])
            .values(&[r#""red" or "black""#]),
        with("object or value", "delivery", json!({"locker": "7"}))
            .cause(&[r#"delivery.locker must be an integer, not "7""#])
            .values(&["an integer"]),
    ]
}

fn object_cases() -> Vec<FailureCase> {
    let many =
        json!({"grid": "x", "country": "Mars", "rating": 9, "gift": "yes", "level": 7, "version": 1, "größe": 0});
    vec![
        with("misspelt member", "address", json!({"stret": "Main 1", "zip": "10115"}))
            .cause(&["address.stret is not an argument", r#"did you mean "street""#])
            .values(&["required: text"]),
        with("unknown member", "address", json!({"street": "Main 1", "zip": "10115", "planet": "Mars"}))
            .cause(&["address.planet is not an argument"])
            .values(&[r#""city""#]),
        with("form of a member", "address", json!({"street": "Main 1", "zip": "1011"}))
            .cause(&[r#"address.zip cannot be "1011""#])
            .values(&["^[0-9]{5}$"]),
        with("no members", "options", json!({}))
            .cause(&[r#""options" must have at least 1 member"#])
            .values(&["1 member"]),
        with("name of a member", "options", json!({"Bad Key": 1}))
            .cause(&[r#""options" has a member"#, "Bad Key"])
            .values(&["^[a-z]+$"])
            .remedy(&["call place_order again"]),
        with("needs another", "coupon", json!("SPRING")).cause(&[r#""coupon_pin" is missing"#]).values(&["text"]),
        FailureCase::new("eight problems", "place_order", many)
            .cause(&[r#""grid""#, r#""country""#, r#""rating""#, r#""gift""#, r#""level""#, r#""customer""#])
            .remedy(&["Correct them and call place_order again"]),
    ]
}
