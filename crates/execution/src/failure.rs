//! The failure of a call: a reason from a closed set, and a text for each of its readers.

use std::borrow::Cow;

use toolgate_domain::call::FailureReason;

use crate::arguments::violation::Violation;
use crate::failure_text::FailureText;

/// A failed call. The texts for the model reach AI clients, so they must not contain a secret or an internal address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The reason, for reports.
    pub reason: FailureReason,
    /// For the model that called the tool: it can correct its call, wait, or ask the user.
    pub for_model: Box<FailureText>,
    /// For the owner of the tool, who can change it and its API.
    pub for_owner: Box<FailureText>,
    /// The invalid arguments, if they are the reason.
    pub violations: Vec<Violation>,
}

impl Failure {
    /// A failure with the same message for both readers, and the general advice of its reason for each.
    pub fn new(reason: FailureReason, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            reason,
            for_model: Box::new(FailureText::new(message.clone(), reason.advice_for_model())),
            for_owner: Box::new(FailureText::new(message, reason.advice())),
            violations: Vec::new(),
        }
    }

    /// Replaces the advice for the owner.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<Cow<'static, str>>) -> Self {
        self.for_owner.advice = advice.into();
        self
    }

    /// Replaces the text for the model.
    #[must_use]
    pub fn with_model_text(mut self, message: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Self {
        *self.for_model = FailureText::new(message, advice);
        self
    }

    /// Replaces the advice for the model.
    #[must_use]
    pub fn with_model_advice(mut self, advice: impl Into<Cow<'static, str>>) -> Self {
        self.for_model.advice = advice.into();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_that_of_the_reason_unless_it_is_replaced() {
        let failure = Failure::new(FailureReason::Dns, "No such name.");
        assert_eq!(failure.for_owner.advice, FailureReason::Dns.advice());
        assert_eq!(failure.for_model.advice, FailureReason::Dns.advice_for_model());
        let replaced = failure.with_advice("Look again.");
        assert_eq!(replaced.for_owner.full_text(), "No such name. Look again.");
        assert_eq!(replaced.for_model.advice, FailureReason::Dns.advice_for_model());
        let without_full_stop = FailureText::new("timed out after 1 s", "Wait.");
        assert_eq!(without_full_stop.full_text(), "timed out after 1 s. Wait.");
    }

    #[test]
    fn the_text_for_the_model_is_replaced_alone() {
        let failure = Failure::new(FailureReason::Tls, "a").with_model_text("b", "c").with_model_advice("d");
        assert_eq!((failure.for_model.full_text().as_str(), failure.for_owner.message.as_str()), ("b. d", "a"));
    }
}
