//! Validation of tool arguments against the tool's `input_schema`.
//!
//! The schema comes from a tool author and the arguments from an AI client, so both may be hostile. Three limits
//! protect the service. Before a schema is compiled, its graph is built; this refuses schemas that are too large or
//! refer to other documents. Patterns run on an engine without backtracking. The cost of each validation is computed
//! first, because a small schema can require 2^30 steps. No other module uses jsonschema, whose API changes often.

pub(crate) mod coercion;
mod cost;
pub(crate) mod error;
pub(crate) mod explanation;
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

use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

use crate::failure_text::FailureText;
use coercion::ArgumentChange;
use cost::TooComplex;
use limits::PATTERN_BYTES_MAX;
use schema_graph::{SchemaGraph, SchemaStep};
use secret::{MaskedArguments, SecretPaths};

pub use error::{SchemaError, SchemaLocation};
pub(crate) use explanation::shown_value;
pub use limits::SCHEMA_DEPTH_MAX;
pub use mirrored::{MirroredHeader, mirrored_headers};
pub use violation::{VIOLATIONS_MAX, Violation};

/// The highest cost of a validation whose violations are listed; above it, finding them takes too long.
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
    /// The schema as text. It is parsed only to explain an error, because a tree takes several times the memory.
    document: Box<str>,
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
        Ok(Self { validator, secrets: SecretPaths::from_graph(&graph), graph, document: schema.to_string().into() })
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

    /// Whether a value matches the schema, within the limits of [`Self::validate`].
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.graph.cost(value).is_ok() && self.validator.is_valid(value)
    }

    /// Explains to a model why [`Self::validate`] refused its arguments.
    pub(crate) fn explain(&self, tool: &str, arguments: &Value, violations: &[Violation]) -> FailureText {
        let is_small = self.graph.cost(arguments).is_ok_and(|cost| cost <= DETAILED_COST_MAX);
        let errors = if is_small { self.first_errors(arguments) } else { Vec::new() };
        match violations {
            [violation] if errors.is_empty() => self.explain_violation(tool, violation),
            _ => explanation::explain(tool, self, &self.parse_document(), arguments, &errors),
        }
    }

    /// Explains to a model why its arguments cannot be sent.
    pub(crate) fn explain_violation(&self, tool: &str, violation: &Violation) -> FailureText {
        explanation::explain_violation(tool, self, &self.parse_document(), violation)
    }

    /// Explains to a model why [`Self::validate`] refused a result: `count must be a number, is null`.
    pub(crate) fn explain_output(&self, value: &Value, violations: &[Violation]) -> String {
        let is_small = self.graph.cost(value).is_ok_and(|cost| cost <= DETAILED_COST_MAX);
        let errors = if is_small { self.first_errors(value) } else { Vec::new() };
        match violations {
            [violation] if errors.is_empty() => format!("{violation}."),
            _ => explanation::explain_output(self, &self.parse_document(), value, &errors),
        }
    }

    /// The changes that could make refused arguments valid. There are none for arguments that are too large to be
    /// explained.
    pub(crate) fn coercions(&self, arguments: &Value) -> Vec<ArgumentChange> {
        if self.graph.cost(arguments).is_ok_and(|cost| cost <= DETAILED_COST_MAX) {
            coercion::changes(self.validator.iter_errors(arguments))
        } else {
            Vec::new()
        }
    }

    fn first_errors<'v>(&'v self, value: &'v Value) -> Vec<ValidationError<'v>> {
        self.validator.iter_errors(value).take(explanation::ERRORS_MAX).collect()
    }

    fn parse_document(&self) -> Value {
        serde_json::from_str(&self.document).unwrap_or_default()
    }

    /// Whether the schema declares this argument secret.
    pub(crate) fn is_secret_argument(&self, name: &str) -> bool {
        self.graph.is_secret_at([SchemaStep::Member(name)].into_iter())
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
