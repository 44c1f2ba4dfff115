//! Why a schema is refused, in words a tool author can act on.

use std::fmt;
use toolgate_domain::tool::SUBSCHEMAS_MAX;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;

use super::MAX_DEPTH;

/// Where in a schema: a JSON pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place(pub String);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "the top level" } else { &self.0 })
    }
}

/// Why a schema is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// The schema is an array, a text, a boolean...
    #[error("the schema must be a JSON object")]
    NotAnObject,
    /// The arguments of a tool are an object, which this schema refuses.
    #[error("the schema must have \"type\": \"object\" at the top level, for arguments are an object")]
    RootType,
    /// Schemas nested too deeply.
    #[error("the schema is nested more than {MAX_DEPTH} levels deep at {at}")]
    TooDeep {
        /// The first subschema below the limit.
        at: Place,
    },
    /// Too many schemas in the schema.
    #[error("the schema has more than {SUBSCHEMAS_MAX} subschemas; the first one too many is at {at}")]
    TooManySubschemas {
        /// The first one too many.
        at: Place,
    },
    /// `$schema` names something else than a draft of JSON Schema.
    #[error("$schema at {at} is {uri}, which is no supported JSON Schema draft (2020-12, 2019-09, 7, 6, 4)")]
    UnknownDraft {
        /// The schema that says so.
        at: Place,
        /// What it says.
        uri: String,
    },
    /// A reference leaves the schema; nothing is ever fetched.
    #[error(
        "the reference {reference:?} at {at} leads out of the schema; copy its target into $defs and refer to it there"
    )]
    OutsideReference {
        /// The schema that refers.
        at: Place,
        /// The reference.
        reference: String,
    },
    /// A reference within the schema leads to nothing.
    #[error("the reference {reference:?} at {at} leads to no schema")]
    DanglingReference {
        /// The schema that refers.
        at: Place,
        /// The reference.
        reference: String,
    },
    /// A schema that applies itself to the same value again.
    #[error("the schema at {at} refers back to itself without going deeper into the value")]
    EndlessReference {
        /// One of the schemas of the circle.
        at: Place,
    },
    /// A pattern that the linear-time engine cannot run.
    #[error(
        "the pattern at {at} is not supported: it must be a valid regular expression of moderate size, without \
         look-around and back-references"
    )]
    Pattern {
        /// The pattern.
        at: Place,
    },
    /// Patterns that are acceptable one by one, but too many.
    #[error("the patterns of the schema are too large taken together; the first one too many is at {at}")]
    PatternsTooLarge {
        /// The schema with the first one too many.
        at: Place,
    },
    /// The meta-schema of the draft refuses it.
    #[error("the schema is not valid at {at}: {problem}")]
    Invalid {
        /// The offending part.
        at: Place,
        /// What the meta-schema says.
        problem: String,
    },
}

impl SchemaError {
    /// Translates what the compiler says; its text quotes the schema, ours points into it.
    pub(super) fn from_compiler(error: &ValidationError<'_>) -> Self {
        let at = Place(error.instance_path().to_string());
        if is_about_a_pattern(error) {
            Self::Pattern { at }
        } else {
            Self::Invalid { at, problem: error.masked().to_string() }
        }
    }
}

fn is_about_a_pattern(error: &ValidationError<'_>) -> bool {
    match error.kind() {
        ValidationErrorKind::Format { format } => format == "regex",
        ValidationErrorKind::PropertyNames { error } => is_about_a_pattern(error),
        _ => false,
    }
}
