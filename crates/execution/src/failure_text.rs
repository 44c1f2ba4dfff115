//! The text of a failure for one of its readers.

use std::borrow::Cow;

/// The message and the advice for one kind of reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureText {
    /// What happened.
    pub message: String,
    /// What the reader can do about it.
    pub advice: Cow<'static, str>,
}

impl FailureText {
    /// A text of a message and an advice.
    pub fn new(message: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Self {
        Self { message: message.into(), advice: advice.into() }
    }

    /// Message and advice in one text.
    pub fn full_text(&self) -> String {
        let end = if self.message.ends_with(['.', '!', '?']) { "" } else { "." };
        format!("{}{end} {}", self.message, self.advice)
    }
}
