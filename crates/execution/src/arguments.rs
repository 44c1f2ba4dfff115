//! Whether the arguments of a call fit the tool's `input_schema`.
//!
//! The schema comes from a tool author and the arguments from an AI client, so both may be hostile. Three walls:
//! an outline of the schema is drawn before it is compiled and refuses what is too large or points
//! outside; patterns run on an engine without backtracking; and each validation is priced before it
//! is done, for a small schema can ask for 2^30 steps. jsonschema changes monthly and stays behind this module.

mod error;
pub mod mirrored;
mod outline;
mod patterns;
mod price;
mod references;
mod secret;
#[cfg(test)]
mod tests;
mod violation;

use std::collections::HashSet;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

use outline::Outline;
use price::TooComplex;
use secret::SecretPlaces;

pub use error::{Place, SchemaError};
pub use mirrored::{MirroredHeader, mirrored_headers};
pub use outline::MAX_DEPTH;
pub(crate) use secret::MaskedArguments;
pub use violation::{MAX_VIOLATIONS, Violation};

/// What one compiled pattern may occupy. It bounds the time a pattern takes per character, too.
const MAX_PATTERN_BYTES: usize = 1 << 20;

/// Up to this price all violations are collected; above it, finding them would cost too much.
const MAX_PRICE_OF_DETAILS: u64 = 20_000;

/// A tool's `input_schema`, ready to check arguments.
#[derive(Debug)]
pub struct InputSchema {
    validator: Validator,
    outline: Outline,
    secrets: SecretPlaces,
}

impl InputSchema {
    /// Compiles a schema: JSON Schema 2020-12, or the draft that its `$schema` names. Formats are what the draft says:
    /// remarks for the reader since 2019-09, rules before.
    ///
    /// ```
    /// use serde_json::json;
    /// use toolgate_execution::arguments::InputSchema;
    ///
    /// let schema = InputSchema::compile(&json!({"type": "object", "required": ["city"]}))?;
    /// assert!(schema.validate(&json!({"city": "Oslo"})).is_ok());
    /// # Ok::<(), toolgate_execution::arguments::SchemaError>(())
    /// ```
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        check_root(schema)?;
        Self::compile_value(schema)
    }

    /// Compiles a schema for values of any type; the limits are those of [`Self::compile`].
    pub fn compile_value(schema: &Value) -> Result<Self, SchemaError> {
        let draft = outline::draft_of(schema, "")?.unwrap_or(Draft::Draft202012);
        let outline = Outline::draw(schema, draft)?;
        let validator = jsonschema::options()
            .with_draft(draft)
            .offline()
            .with_pattern_options(PatternOptions::regex().size_limit(MAX_PATTERN_BYTES))
            .build(schema)
            .map_err(|error| SchemaError::from_compiler(&error))?;
        Ok(Self { validator, secrets: SecretPlaces::of(&outline), outline })
    }

    /// Checks the arguments of a call; the error lists at most [`MAX_VIOLATIONS`], without quoting values.
    pub fn validate(&self, arguments: &Value) -> Result<(), Vec<Violation>> {
        let price = self.outline.price(arguments).map_err(|TooComplex| vec![Violation::too_complex()])?;
        if self.validator.is_valid(arguments) {
            return Ok(());
        }
        if price > MAX_PRICE_OF_DETAILS {
            return Err(vec![Violation::without_details()]);
        }
        Err(violation::all(self.validator.iter_errors(arguments), arguments))
    }

    /// The arguments of a call without those that the schema declares secret.
    pub(crate) fn mask_secrets<'a>(&self, arguments: &'a str) -> MaskedArguments<'a> {
        self.secrets.mask(&self.outline, arguments)
    }

    /// The names of the arguments that the schema speaks of: in its `properties`, and in those of the schemas that
    /// apply to the same object (`allOf`, `oneOf`, `$ref`...).
    pub(crate) fn declared(&self) -> HashSet<&str> {
        self.outline.properties_of_the_root()
    }
}

/// MCP passes arguments as an object, so a schema that accepts none would refuse every call.
fn check_root(schema: &Value) -> Result<(), SchemaError> {
    let keywords = schema.as_object().ok_or(SchemaError::NotAnObject)?;
    let accepts_objects = match keywords.get("type") {
        None => true,
        Some(Value::Array(types)) => types.iter().any(|name| name == "object"),
        Some(name) => name == "object",
    };
    accepts_objects.then_some(()).ok_or(SchemaError::RootType)
}
