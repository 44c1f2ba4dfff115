//! Converts text values of queries, forms and headers to JSON values that are sent as the same text.

use serde_json::value::{RawValue, to_raw_value};
use toolgate_domain::json;

use super::Shape;
use super::date_format;
use crate::request::body::Field;

/// Maximum number of digits of a number that every JSON parser preserves exactly.
const DIGITS_MAX: usize = 15;

/// The common type of fields. If one field is a list, all become lists. Without a common type, they are strings.
pub(crate) fn shape(fields: &[&Field]) -> Shape {
    let values = fields.iter().flat_map(|field| &field.values).map(|text| shape_of_text(text));
    let common_shape = match values.reduce(Shape::merge) {
        Some(Shape::Any) | None => Shape::String(None),
        Some(shape) => shape,
    };
    if fields.iter().any(|field| field.is_list) { Shape::Array(Some(Box::new(common_shape))) } else { common_shape }
}

/// A field as a JSON value of this shape.
pub(crate) fn value(field: &Field, shape: &Shape) -> Box<RawValue> {
    match shape {
        Shape::Array(Some(item)) => match **item {
            Shape::String(_) => to_raw_value(&field.values).unwrap_or_else(|_| RawValue::NULL.to_owned()),
            _ => json::raw(format!("[{}]", field.values.join(","))),
        },
        Shape::String(_) => {
            field.values.first().map_or_else(|| RawValue::NULL.to_owned(), |text| json::raw_string(text))
        }
        _ => json::raw(field.values.first().map_or_else(|| "null".to_owned(), Clone::clone)),
    }
}

/// The type of a text. A text is a number or boolean only if it is unchanged after any JSON parser has read and written
/// it.
fn shape_of_text(text: &str) -> Shape {
    let digits = text.strip_prefix('-').unwrap_or(text);
    match digits.split_once('.') {
        _ if text == "true" || text == "false" => Shape::Boolean,
        None if is_integer(digits) && digits.len() <= DIGITS_MAX && text != "-0" => Shape::Integer,
        // The decimal point adds one character.
        Some((integer, fraction)) if is_integer(integer) && is_fraction(fraction) && digits.len() <= DIGITS_MAX + 1 => {
            Shape::Number
        }
        _ => Shape::String(date_format::detect(text)),
    }
}

fn is_integer(text: &str) -> bool {
    is_digits(text) && (text == "0" || !text.starts_with('0'))
}

/// Whether a fraction is unchanged after a round trip: `1.10` would become `1.1`, `7.0` would become `7`, and a number
/// with many leading zeros would become `1e-7`.
fn is_fraction(text: &str) -> bool {
    is_digits(text) && !text.ends_with('0') && !text.starts_with("0000")
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(values: &[&str]) -> Field {
        Field {
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            is_list: values.len() > 1,
            ..Field::default()
        }
    }

    /// The JSON value of a field, and its schema without the keyword `type`.
    fn value_and_schema(values: &[&str]) -> String {
        let field = field(values);
        let shape = shape(&[&field]);
        let schema = crate::shape::to_raw_object(&shape.keywords());
        format!("{} {}", value(&field, &shape).get(), schema.get().replace("\"type\":", ""))
    }

    #[test]
    fn numbers_and_booleans_are_converted() {
        for (text, expected) in [
            ("5", r#"5 {"integer"}"#),
            ("0", r#"0 {"integer"}"#),
            ("-12", r#"-12 {"integer"}"#),
            ("999999999999999", r#"999999999999999 {"integer"}"#),
            ("52.5", r#"52.5 {"number"}"#),
            ("-0.25", r#"-0.25 {"number"}"#),
            ("true", r#"true {"boolean"}"#),
            ("false", r#"false {"boolean"}"#),
        ] {
            assert_eq!(value_and_schema(&[text]), expected);
        }
    }

    #[test]
    fn text_that_would_change_as_a_number_stays_a_string() {
        for text in [
            "",
            "007",
            "+49123",
            "1e5",
            "-",
            "-0",
            "1.",
            ".5",
            "1.10",
            "7.0",
            "00.5",
            "-0.0",
            "0.00001",
            "1.2.3",
            "True",
            "null",
            "1000000000000000",
            "1234567890.123456",
            "１",
            "1 ",
        ] {
            assert_eq!(value_and_schema(&[text]), format!(r#"{} {{"string"}}"#, json::raw_string(text)), "{text}");
        }
        assert_eq!(value_and_schema(&["2026-01-02"]), r#""2026-01-02" {"string","format":"date"}"#);
    }

    #[test]
    fn the_items_of_a_list_have_one_type() {
        for (texts, expected) in [
            (["1", "2"], r#"[1,2] {"array","items":{"integer"}}"#),
            (["1", "2.5"], r#"[1,2.5] {"array","items":{"number"}}"#),
            (["1", "a"], r#"["1","a"] {"array","items":{"string"}}"#),
            (["true", "1"], r#"["true","1"] {"array","items":{"string"}}"#),
        ] {
            assert_eq!(value_and_schema(&texts), expected);
        }
    }

    #[test]
    fn if_one_field_is_a_list_all_fields_become_lists() {
        let (one, many) = (field(&["1"]), field(&["2", "3"]));
        let shape = shape(&[&one, &many]);
        assert_eq!(value(&one, &shape).get(), "[1]");
        let list_field = Field { is_list: true, ..field(&["x"]) };
        assert_eq!(value(&list_field, &super::shape(&[&list_field])).get(), r#"["x"]"#);
    }
}
