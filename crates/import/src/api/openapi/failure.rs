//! Why an operation cannot become a tool.

use crate::api::pointer::Pointer;
use crate::api::problem::ProblemCode;
use crate::api::reference::ReferenceError;

/// The reason why an operation is not a candidate.
#[derive(Debug)]
pub(super) struct OperationError {
    pub(super) code: ProblemCode,
    pub(super) message: String,
    pub(super) pointer: Pointer,
}

impl OperationError {
    pub(super) fn new(code: ProblemCode, pointer: &Pointer, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), pointer: pointer.clone() }
    }

    /// A part of the operation does not have the form that the format requires.
    pub(super) fn malformed(pointer: &Pointer, message: impl Into<String>) -> Self {
        Self::new(ProblemCode::Malformed, pointer, message)
    }
}

impl From<ReferenceError> for OperationError {
    fn from(error: ReferenceError) -> Self {
        Self { code: error.code, message: error.message, pointer: error.pointer }
    }
}
