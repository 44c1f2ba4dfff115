//! Validation of tool arguments against the tool's `input_schema`.
//!
//! The schema comes from a tool author and the arguments from an AI client, so both may be hostile. Three limits
//! protect the service: the graph of a schema is built before it is compiled, which refuses schemas that are too large
//! or refer to other documents; patterns run on an engine without backtracking; and the cost of each validation is
//! computed first, because a small schema can require 2^30 steps. No other module uses jsonschema, whose API changes
//! often.

mod cost;
pub(crate) mod error;
mod keyword_costs;
mod limits;
pub mod mirrored;
mod patterns;
mod references;
mod schema_graph;
mod secret;
#[cfg(test)]
mod tests;
pub(crate) mod violation;

use std::collections::HashSet;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use cost::TooComplex;
use limits::PATTERN_BYTES_MAX;
use schema_graph::SchemaGraph;
use secret::{MaskedArguments, SecretPaths};

pub use error::{SchemaError, SchemaLocation};
pub use limits::SCHEMA_DEPTH_MAX;
pub use mirrored::{MirroredHeader, mirrored_headers};
pub use violation::{VIOLATIONS_MAX, Violation};

/// Violations are listed up to this cost; above it, only the fact is reported, because finding them takes too long.
const DETAILED_COST_MAX: u64 = 20_000;

const TOO_COMPLEX: &str =
    "the arguments are too large or too deeply nested to be validated against the schema of this tool";

const TOO_LARGE_FOR_DETAILS: &str =
    "the arguments do not match the schema of this tool; they are too large to list the violations";

/// A compiled `input_schema`.
#[derive(Debug)]
pub struct InputSchema {
    validator: Validator,
    graph: SchemaGraph,
    secrets: SecretPaths,
}

impl InputSchema {
    /// Compiles a schema: JSON Schema 2020-12, or the draft that its `$schema` names. `format` is an annotation since
    /// 2019-09 and an assertion in older drafts.
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

    /// Compiles a schema for values of any type, with the limits of [`Self::compile`].
    pub fn compile_value(schema: &Value) -> Result<Self, SchemaError> {
        let graph = SchemaGraph::build(schema)?;
        let validator = jsonschema::options()
            .with_draft(graph.draft)
            .offline()
            .with_pattern_options(PatternOptions::regex().size_limit(PATTERN_BYTES_MAX))
            .build(schema)
            .map_err(|error| SchemaError::from_compiler(&error))?;
        Ok(Self { validator, secrets: SecretPaths::from_graph(&graph), graph })
    }

    /// Validates the arguments of a call. The error lists at most [`VIOLATIONS_MAX`] violations and quotes no values.
    pub fn validate(&self, arguments: &Value) -> Result<(), Vec<Violation>> {
        let violation = |message| vec![Violation::new("", message)];
        let cost = self.graph.cost(arguments).map_err(|TooComplex| violation(TOO_COMPLEX))?;
        if self.validator.is_valid(arguments) {
            return Ok(());
        }
        if cost > DETAILED_COST_MAX {
            return Err(violation(TOO_LARGE_FOR_DETAILS));
        }
        Err(violation::from_errors(self.validator.iter_errors(arguments), arguments))
    }

    /// Whether the schema declares secret arguments.
    pub(crate) fn has_secrets(&self) -> bool {
        !self.secrets.is_empty()
    }

    /// Masks the arguments that the schema declares secret.
    pub(crate) fn mask_secrets<'a>(&self, arguments: &'a str) -> MaskedArguments<'a> {
        self.secrets.mask(&self.graph, arguments)
    }

    /// The names of the arguments that the schema declares in its `properties`, or in those of the in-place subschemas
    /// of the root (`allOf`, `oneOf`, `$ref`...).
    pub(crate) fn declared_arguments(&self) -> HashSet<&str> {
        self.graph.root_properties()
    }
}

/// Checks that the root accepts objects: MCP passes arguments as an object, so any other schema refuses every call.
fn check_root(schema: &Value) -> Result<(), SchemaError> {
    let keywords = schema.as_object().ok_or(SchemaError::NotAnObject)?;
    let accepts_objects = match keywords.get("type") {
        None => true,
        Some(Value::Array(types)) => types.iter().any(|name| name == "object"),
        Some(name) => name == "object",
    };
    accepts_objects.then_some(()).ok_or(SchemaError::RootType)
}
