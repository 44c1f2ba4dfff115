//! Problems (operations that cannot be imported) and warnings (differences from the document).

use serde::Serialize;

pub use crate::api::pointer::Pointer;

/// The reason why an operation is not a candidate, or why a candidate cannot be committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// Tools do not support the method.
    MethodUnsupported,
    /// The document names no host.
    NoServer,
    /// No mapping rule can describe how the parameter is sent.
    ParameterUnsupported,
    /// References form a cycle.
    RefCycle,
    /// A reference leads to another document.
    RefExternal,
    /// The target of a reference does not exist.
    RefUnresolved,
    /// The arguments alone exceed the limits of a schema.
    SchemaTooLarge,
    /// A variable of the server has no value.
    ServerVariable,
    /// A part of the operation does not have the form that the format requires.
    Malformed,
    /// The validation of tools refuses the result.
    ToolInvalid,
}

/// An operation, or a part of one, that cannot be imported.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// The position in the document.
    pub pointer: Pointer,
    /// `METHOD /path`; `None` if the problem concerns the whole document.
    pub operation: Option<String>,
    /// The reason, for programs.
    pub code: ProblemCode,
    /// The reason, for people.
    pub message: String,
}

/// A part of a candidate that differs from the document, or that the owner has to know about.
#[derive(Clone, Debug, Serialize)]
pub struct ApiWarning {
    /// Name of the kind of warning, for programs: `schema_cut`, `oauth2_flow`, ….
    pub code: &'static str,
    /// The reason, for people.
    pub message: String,
    /// The position in the document.
    pub pointer: Pointer,
}
