//! Violations of the schema by the arguments of a call, worded so that an AI client can correct them. Values are never
//! quoted: an argument may be a secret, and messages are logged.

use std::fmt;

use jsonschema::error::{ErrorIterator, TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::{Map, Value};

/// The maximum number of violations that one error lists.
pub const VIOLATIONS_MAX: usize = 10;

/// Names and messages are truncated to this length: the message about an `enum` can list thousands of values.
const TEXT_CHARS_MAX: usize = 300;

/// One violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The name of the argument; empty if the violation concerns all arguments.
    pub argument: String,
    /// The problem.
    pub message: String,
}

impl Violation {
    /// A violation by one argument. The message must not quote its value.
    pub(crate) fn new(argument: &str, message: &str) -> Self {
        Self { argument: truncate(argument), message: truncate(message) }
    }
}

/// `'limit' is required`, `'limit': must be an integer`; only the message if it concerns all arguments.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { argument, message } = self;
        match (argument.as_str(), message.starts_with("is ")) {
            ("", _) => f.write_str(message),
            (_, true) => write!(f, "'{argument}' {message}"),
            (_, false) => write!(f, "'{argument}': {message}"),
        }
    }
}

/// Converts the first errors of the validator.
pub(super) fn from_errors(errors: ErrorIterator<'_>, arguments: &Value) -> Vec<Violation> {
    errors.flat_map(|error| from_error(&error, arguments)).take(VIOLATIONS_MAX).collect()
}

fn from_error(error: &ValidationError<'_>, arguments: &Value) -> Vec<Violation> {
    let path = error.instance_path().to_string();
    let Some((argument, inner_pointer)) = split_pointer(&path) else { return from_root_error(error, arguments) };
    let message = describe(error);
    vec![Violation::new(
        &argument,
        &if inner_pointer.is_empty() { message } else { format!("at {inner_pointer}: {message}") },
    )]
}

/// An error at the root concerns the arguments that it names.
fn from_root_error(error: &ValidationError<'_>, arguments: &Value) -> Vec<Violation> {
    let unknown_argument = |name: &String| Violation::new(name, "is not an argument of this tool");
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            vec![Violation::new(property.as_str().unwrap_or_default(), "is required")]
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().take(VIOLATIONS_MAX).map(unknown_argument).collect()
        }
        // `additionalProperties: false` without `properties`: the validator does not name the arguments, so all are
        // listed.
        ValidationErrorKind::FalseSchema if error.schema_path().as_str() == "/additionalProperties" => {
            arguments.as_object().into_iter().flat_map(Map::keys).take(VIOLATIONS_MAX).map(unknown_argument).collect()
        }
        _ => vec![Violation::new("", &describe(error))],
    }
}

/// The first segment of a JSON pointer, and the rest of the pointer.
fn split_pointer(path: &str) -> Option<(String, &str)> {
    let path = path.strip_prefix('/')?;
    let (first, inner_pointer) = path.find('/').and_then(|at| path.split_at_checked(at)).unwrap_or((path, ""));
    Some((first.replace("~1", "/").replace("~0", "~"), inner_pointer))
}

fn describe(error: &ValidationError<'_>) -> String {
    match error.kind() {
        // The inner error is about a property name, which comes from the client and is not quoted either.
        ValidationErrorKind::PropertyNames { error } => {
            format!("has a property name that is not allowed: {}", describe(error))
        }
        ValidationErrorKind::FalseSchema => "is not allowed".to_owned(),
        ValidationErrorKind::Type { kind: TypeKind::Single(name) } => format!("must be {}", with_article(*name)),
        ValidationErrorKind::Type { kind: TypeKind::Multiple(names) } => {
            format!("must be {}", names.iter().map(with_article).collect::<Vec<_>>().join(" or "))
        }
        _ => error.masked().to_string(),
    }
}

fn with_article(name: JsonType) -> String {
    match name {
        JsonType::Null => name.to_string(),
        JsonType::Array | JsonType::Integer | JsonType::Object => format!("an {name}"),
        JsonType::Boolean | JsonType::Number | JsonType::String => format!("a {name}"),
    }
}

fn truncate(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS_MAX).and_then(|(at, _)| text.split_at_checked(at)) {
        Some((head, _)) => format!("{head}…"),
        None => text.to_owned(),
    }
}
