//! The reasons why a schema is refused, with texts that a tool author can act on.

use std::fmt;
use toolgate_domain::tool::SUBSCHEMAS_MAX;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;

use super::limits::SCHEMA_DEPTH_MAX;

/// A location in a schema, as a JSON pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaLocation(pub String);

impl fmt::Display for SchemaLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "the top level" } else { &self.0 })
    }
}

/// Why a schema is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// The schema is not a JSON object.
    #[error("the schema must be a JSON object")]
    NotAnObject,
    /// The schema does not accept objects, but tool arguments are an object.
    #[error("the schema must have \"type\": \"object\" at the top level, because tool arguments are an object")]
    RootType,
    /// Schemas are nested too deeply, first at this location.
    #[error("the schema is nested more than {SCHEMA_DEPTH_MAX} levels deep at {0}")]
    TooDeep(SchemaLocation),
    /// The schema has too many subschemas; this is the first one above the limit.
    #[error("the schema has more than {SUBSCHEMAS_MAX} subschemas; the first one above the limit is at {0}")]
    TooManySubschemas(SchemaLocation),
    /// `$schema` names an unknown draft.
    #[error("$schema at {at} is {uri}, which is not a supported JSON Schema draft (2020-12, 2019-09, 7, 6, 4)")]
    UnknownDraft {
        /// The schema with the `$schema` keyword.
        at: SchemaLocation,
        /// Its value.
        uri: String,
    },
    /// A reference leads to another document. Nothing is ever fetched.
    #[error(
        "the reference {reference:?} at {at} points outside the schema; copy its target into $defs and refer to that"
    )]
    ExternalReference {
        /// The schema with the reference.
        at: SchemaLocation,
        /// The reference.
        reference: String,
    },
    /// A reference within the schema has no target.
    #[error("the reference {reference:?} at {at} does not lead to a schema")]
    DanglingReference {
        /// The schema with the reference.
        at: SchemaLocation,
        /// The reference.
        reference: String,
    },
    /// A schema applies itself to the same value again; this is one of the schemas in the cycle.
    #[error("the schema at {0} refers back to itself without going deeper into the value")]
    CyclicReference(SchemaLocation),
    /// The linear-time regex engine does not support the pattern at this location.
    #[error(
        "the pattern at {0} is not supported: it must be a valid regular expression of moderate size, without \
         look-around or back-references"
    )]
    Pattern(SchemaLocation),
    /// The patterns are acceptable one by one, but too large together; that of this schema exceeds the limit.
    #[error("the patterns of the schema are too large together; the limit is exceeded at {0}")]
    PatternsTooLarge(SchemaLocation),
    /// The meta-schema of the draft refuses the schema.
    #[error("the schema is not valid at {at}: {problem}")]
    Invalid {
        /// The offending part.
        at: SchemaLocation,
        /// The error that the meta-schema reports.
        problem: String,
    },
}

impl SchemaError {
    /// Converts an error of the schema compiler. The compiler's text quotes the schema; this error names a location
    /// in the schema instead.
    pub(super) fn from_compiler(error: &ValidationError<'_>) -> Self {
        let at = SchemaLocation(error.instance_path().to_string());
        if is_pattern_error(error) {
            return Self::Pattern(at);
        }
        Self::Invalid { at, problem: error.masked().to_string() }
    }
}

fn is_pattern_error(error: &ValidationError<'_>) -> bool {
    match error.kind() {
        ValidationErrorKind::Format { format } => format == "regex",
        ValidationErrorKind::PropertyNames { error } => is_pattern_error(error),
        _ => false,
    }
}
