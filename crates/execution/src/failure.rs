//! How a call fails: a reason from a closed set for reports, what happened, and what to do about it.

use std::borrow::Cow;

use toolgate_domain::call::FailureReason;

use crate::arguments::Violation;

/// A failed call. What it says reaches the AI client: never a secret or an internal address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Of which kind.
    pub reason: FailureReason,
    /// What happened.
    pub message: String,
    /// What to do about it: what the reason advises, unless more is known.
    pub advice: Cow<'static, str>,
    /// What is wrong with the arguments, where that is the reason.
    pub violations: Vec<Violation>,
}

impl Failure {
    /// A failure about which nothing better can be done than what its reason advises.
    pub fn new(reason: FailureReason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), advice: reason.advice().into(), violations: Vec::new() }
    }

    /// The same with better advice.
    #[must_use]
    pub fn advising(self, advice: impl Into<Cow<'static, str>>) -> Self {
        Self { advice: advice.into(), ..self }
    }

    /// Message and advice in one text, for where there is room for one only.
    pub fn in_full(&self) -> String {
        let end = if self.message.ends_with(['.', '!', '?']) { "" } else { "." };
        format!("{}{end} {}", self.message, self.advice)
    }

    /// Before anything has happened.
    pub(crate) fn unfinished() -> Self {
        Self::new(FailureReason::Internal, "The call did not come to an end.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_that_of_the_reason_unless_more_is_known() {
        let failure = Failure::new(FailureReason::Dns, "No such name.");
        assert_eq!(failure.advice, FailureReason::Dns.advice());
        assert_eq!(failure.advising("Look again.").in_full(), "No such name. Look again.");
        let without_stop = Failure::new(FailureReason::Timeout, "timed out after 1 s").advising("Wait.");
        assert_eq!(without_stop.in_full(), "timed out after 1 s. Wait.");
    }
}
