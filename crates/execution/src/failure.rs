//! How a call fails: a reason from a closed set for reports, and a sentence a model can act on.

use domain::call::FailureReason;

use crate::arguments::Violation;

/// A failed call. The message reaches the AI client: it names the remedy, and never a secret or an internal address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Of which kind.
    pub reason: FailureReason,
    /// What a model reads.
    pub message: String,
    /// What is wrong with the arguments, where that is the reason.
    pub violations: Vec<Violation>,
}

impl Failure {
    /// A failure with its sentence.
    pub fn new(reason: FailureReason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), violations: Vec::new() }
    }

    /// Before anything has happened.
    pub(crate) fn unfinished() -> Self {
        Self::new(FailureReason::Internal, "The call did not come to an end.")
    }
}
