//! Changes that make refused arguments valid: a number written as text, a null for something optional, a list or an
//! object written as text, a value in another case.
//!
//! The changes follow from the errors of the validator, which name the wrong part and the accepted types or values.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;
use toolgate_domain::json;

/// Maximum number of changes that are proposed for one call.
const CHANGES_MAX: usize = 64;
/// Maximum depth of nested `anyOf` and `oneOf` whose errors are read.
const DEPTH_MAX: usize = 4;

/// A change to one part of the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArgumentChange {
    /// The part, as a JSON pointer.
    pub(crate) pointer: String,
    /// The value that the part gets.
    pub(crate) new: NewValue,
}

/// The new value of a part of the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NewValue {
    /// It is replaced by this JSON text.
    Text(String),
    /// It is removed.
    Removed,
}

/// The changes that these errors suggest, at most one for each part.
pub(super) fn changes<'a>(errors: impl Iterator<Item = ValidationError<'a>>) -> Vec<ArgumentChange> {
    let mut changes = Changes::default();
    for error in errors.take(CHANGES_MAX) {
        changes.add(&error, 0);
    }
    // Inner parts first, so that their pointers are valid when they are changed.
    changes.0.sort_by_key(|change| std::cmp::Reverse(change.pointer.len()));
    changes.0
}

#[derive(Default)]
struct Changes(Vec<ArgumentChange>);

impl Changes {
    fn add(&mut self, error: &ValidationError<'_>, depth: usize) {
        let value = error.instance().as_ref();
        let new = match error.kind() {
            ValidationErrorKind::Type { kind } => for_type(value, kind),
            ValidationErrorKind::Enum { options } => {
                for_options(value, options.as_array().map_or(&[][..], Vec::as_slice))
            }
            ValidationErrorKind::Constant { expected_value } => {
                for_options(value, std::slice::from_ref(expected_value.as_ref()))
            }
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }
                if depth < DEPTH_MAX =>
            {
                context.iter().flatten().take(CHANGES_MAX).for_each(|error| self.add(error, depth + 1));
                return;
            }
            _ => return,
        };
        let pointer = error.instance_path().as_str();
        let is_known = self.0.len() >= CHANGES_MAX || self.0.iter().any(|change| change.pointer == pointer);
        if let Some(new) = new.filter(|_| !is_known) {
            self.0.push(ArgumentChange { pointer: pointer.to_owned(), new });
        }
    }
}

/// The change of a value that has the wrong type.
fn for_type(value: &Value, kind: &TypeKind) -> Option<NewValue> {
    let wants = |wanted: JsonType| match kind {
        TypeKind::Single(name) => *name == wanted,
        TypeKind::Multiple(names) => names.iter().any(|name| name == wanted),
    };
    match value {
        Value::Null => Some(NewValue::Removed),
        Value::String(text) if wants(JsonType::Integer) || wants(JsonType::Number) => number(text).map(NewValue::Text),
        Value::String(text) => {
            let text = text.trim();
            let is_wanted =
                (text.starts_with('[') && wants(JsonType::Array)) || (text.starts_with('{') && wants(JsonType::Object));
            (is_wanted && json::check(text.as_bytes()).is_ok()).then(|| NewValue::Text(json::compact(text)))
        }
        _ => None,
    }
}

/// The change of a value that is not among the options.
fn for_options(value: &Value, options: &[Value]) -> Option<NewValue> {
    let Value::String(text) = value else { return value.is_null().then_some(NewValue::Removed) };
    if !options.is_empty() && options.iter().all(Value::is_number) {
        return number(text).map(NewValue::Text);
    }
    let wanted = text.trim().to_lowercase();
    let mut same = options.iter().filter(|option| option.as_str().is_some_and(|text| text.to_lowercase() == wanted));
    // Two options that differ only in case are different on purpose.
    let only = same.next().filter(|_| same.next().is_none())?;
    Some(NewValue::Text(only.to_string()))
}

/// The text as a JSON number, with all its digits.
fn number(text: &str) -> Option<String> {
    let text = text.trim();
    let looks_like_number = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    (looks_like_number && serde_json::from_str::<serde_json::Number>(text).is_ok()).then(|| text.to_owned())
}
