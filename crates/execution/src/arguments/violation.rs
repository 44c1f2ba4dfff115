//! What is wrong with the arguments of a call, told so that an AI client can correct itself. Values are never
//! quoted: an argument may be a secret, and messages end up in logs.

use std::fmt;

use jsonschema::error::{ErrorIterator, TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::{Map, Value};

/// More would not help anyone.
pub const MAX_VIOLATIONS: usize = 10;

/// Names and messages are cut here, in characters: an `enum` can have thousands of values.
const MAX_TEXT: usize = 300;

/// One thing that is wrong with the arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The argument it concerns; empty where it concerns all of them.
    pub argument: String,
    /// What is wrong with it.
    pub message: String,
}

impl Violation {
    /// Something wrong with one argument. The message must not quote its value.
    pub(crate) fn new(argument: &str, message: &str) -> Self {
        Self { argument: cut(argument), message: cut(message) }
    }

    /// The arguments were not looked at.
    pub(super) fn too_complex() -> Self {
        Self::new("", "the arguments are too large or too deeply nested to be checked against the schema of this tool")
    }

    /// The arguments are wrong, but to say where would take too long.
    pub(super) fn without_details() -> Self {
        Self::new("", "the arguments do not fit the schema of this tool; they are too large to say where")
    }
}

/// `'limit' is required`, `'limit': must be an integer`; only the message where it concerns all arguments.
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

/// The first violations among the validator's errors.
pub(super) fn all(errors: ErrorIterator<'_>, arguments: &Value) -> Vec<Violation> {
    let mut violations = Vec::new();
    for error in errors {
        violations.extend(of(&error, arguments));
        if violations.len() >= MAX_VIOLATIONS {
            break;
        }
    }
    violations.truncate(MAX_VIOLATIONS);
    violations
}

fn of(error: &ValidationError<'_>, arguments: &Value) -> Vec<Violation> {
    let path = error.instance_path().to_string();
    let Some((argument, below)) = split(&path) else { return of_all_arguments(error, arguments) };
    let message = message(error);
    vec![Violation::new(&argument, &if below.is_empty() { message } else { format!("at {below}: {message}") })]
}

/// Errors at the root are about the arguments they name.
fn of_all_arguments(error: &ValidationError<'_>, arguments: &Value) -> Vec<Violation> {
    let unknown = |name: &String| Violation::new(name, "is not an argument of this tool");
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            vec![Violation::new(property.as_str().unwrap_or_default(), "is required")]
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().take(MAX_VIOLATIONS).map(unknown).collect()
        }
        // `additionalProperties: false` without `properties`: the validator does not say which, so it is all of them.
        ValidationErrorKind::FalseSchema if error.schema_path().as_str() == "/additionalProperties" => {
            arguments.as_object().into_iter().flat_map(Map::keys).take(MAX_VIOLATIONS).map(unknown).collect()
        }
        _ => vec![Violation::new("", &message(error))],
    }
}

/// The first segment of a JSON pointer, and the pointer below it.
fn split(path: &str) -> Option<(String, &str)> {
    let path = path.strip_prefix('/')?;
    let (first, below) = path.find('/').and_then(|at| path.split_at_checked(at)).unwrap_or((path, ""));
    Some((first.replace("~1", "/").replace("~0", "~"), below))
}

fn message(error: &ValidationError<'_>) -> String {
    match error.kind() {
        // The value it would quote is the name of a property, which the client made up.
        ValidationErrorKind::PropertyNames { error } => {
            format!("has a property name that is not allowed: {}", message(error))
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

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT).and_then(|(at, _)| text.split_at_checked(at)) {
        Some((head, _)) => format!("{head}…"),
        None => text.to_owned(),
    }
}
