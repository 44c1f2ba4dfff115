//! State shared by the steps that read one request.

use crate::api::pointer::Pointer;
use crate::api::postman::variables::VariableScopes;
use crate::api::problem::{ApiWarning, ProblemCode};
use crate::api::request_auth::RequestKey;

/// A request that is being read.
pub(super) struct RequestScope<'v, 'o> {
    pub(super) variables: &'v VariableScopes<'o>,
    /// Keys that were found in the URL and the headers.
    pub(super) keys: Vec<RequestKey>,
    pub(super) warnings: Vec<ApiWarning>,
}

/// Why a request cannot be a tool.
#[derive(Debug)]
pub(super) struct ItemError {
    pub(super) code: ProblemCode,
    pub(super) message: String,
    pub(super) pointer: Pointer,
}

impl ItemError {
    pub(super) fn new(code: ProblemCode, pointer: &Pointer, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), pointer: pointer.clone() }
    }
}

impl<'v, 'o> RequestScope<'v, 'o> {
    pub(super) fn new(variables: &'v VariableScopes<'o>) -> Self {
        Self { variables, keys: Vec::new(), warnings: Vec::new() }
    }

    pub(super) fn warn(&mut self, code: &'static str, pointer: &Pointer, message: impl Into<String>) {
        self.warnings.push(ApiWarning { code, message: message.into(), pointer: pointer.clone() });
    }
}
