//! The failure of a call: a reason from a closed set, a message, and advice.

use std::borrow::Cow;

use toolgate_domain::call::FailureReason;

use crate::arguments::violation::Violation;

/// A failed call. Its texts reach the AI client, so they must not contain a secret or an internal address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The reason, for reports.
    pub reason: FailureReason,
    /// What happened.
    pub message: String,
    /// What to do about it: the general advice of the reason, or something more specific.
    pub advice: Cow<'static, str>,
    /// The invalid arguments, if they are the reason.
    pub violations: Vec<Violation>,
}

impl Failure {
    /// A failure with the general advice of its reason.
    pub fn new(reason: FailureReason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), advice: reason.advice().into(), violations: Vec::new() }
    }

    /// Replaces the advice.
    #[must_use]
    pub fn with_advice(self, advice: impl Into<Cow<'static, str>>) -> Self {
        Self { advice: advice.into(), ..self }
    }

    /// Message and advice in one text.
    pub fn full_text(&self) -> String {
        let end = if self.message.ends_with(['.', '!', '?']) { "" } else { "." };
        format!("{}{end} {}", self.message, self.advice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_that_of_the_reason_unless_it_is_replaced() {
        let failure = Failure::new(FailureReason::Dns, "No such name.");
        assert_eq!(failure.advice, FailureReason::Dns.advice());
        assert_eq!(failure.with_advice("Look again.").full_text(), "No such name. Look again.");
        let without_full_stop = Failure::new(FailureReason::Timeout, "timed out after 1 s").with_advice("Wait.");
        assert_eq!(without_full_stop.full_text(), "timed out after 1 s. Wait.");
    }
}
