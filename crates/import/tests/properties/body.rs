//! Bodies of generated requests.

use proptest::prelude::*;
use serde_json::Value;

use crate::text;

/// The body of a generated request.
#[derive(Clone, Debug)]
pub(crate) enum GeneratedBody {
    None,
    /// `-d ''`.
    Empty,
    /// A JSON object or array, as text.
    Json {
        text: String,
        is_object: bool,
    },
    /// Names and values of form fields, in order.
    Form(Vec<(String, String)>),
    /// Form fields that `-G` moves to the query.
    Query(Vec<(String, String)>),
    /// Text of a type that is neither JSON nor a form.
    Text {
        content_type: &'static str,
        text: String,
    },
    /// Fields of `-F`.
    Multipart(Vec<(String, String)>),
    /// A file of `-F`.
    File {
        field: String,
        path: String,
    },
}

impl GeneratedBody {
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        let text_type = prop::sample::select(vec!["text/plain", "application/xml; charset=utf-8"]);
        prop_oneof![
            3 => Just(Self::None),
            1 => Just(Self::Empty),
            4 => json_object().prop_map(|text| Self::Json { text, is_object: true }),
            1 => json_array().prop_map(|text| Self::Json { text, is_object: false }),
            3 => fields(text::lines()).prop_map(Self::Form),
            1 => fields("[A-Za-z0-9]{1,8}").prop_map(Self::Query),
            // The prefix keeps the importer from reading the text as JSON or as a form.
            2 => (text_type, text::lines())
                .prop_map(|(content_type, text)| Self::Text { content_type, text: format!("note {text}") }),
            3 => fields(text::lines()).prop_map(Self::Multipart),
            1 => (field_name(), "[a-z/]{1,8}\\.[a-z]{3}").prop_map(|(field, path)| Self::File { field, path }),
        ]
    }
}

fn field_name() -> impl Strategy<Value = String> {
    "[A-Za-z_][A-Za-z0-9_.-]{0,5}(\\[\\])?"
}

fn fields(value: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec((field_name(), value), 1..5)
}

fn json_object() -> impl Strategy<Value = String> {
    (prop::collection::vec((text::line(), json_value()), 0..4), any::<bool>())
        .prop_map(|(members, is_pretty)| write_json(&Value::Object(members.into_iter().collect()), is_pretty))
}

fn json_array() -> impl Strategy<Value = String> {
    (prop::collection::vec(json_value(), 0..4), any::<bool>())
        .prop_map(|(items, is_pretty)| write_json(&Value::Array(items), is_pretty))
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(Value::from),
        text::lines().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::vec((text::line(), inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn write_json(value: &Value, is_pretty: bool) -> String {
    if is_pretty { format!("{value:#}") } else { value.to_string() }
}
