//! The value of an attribute of a span.

use std::borrow::Cow;

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpanValue {
    /// A text.
    Text(Cow<'static, str>),
    /// A number.
    Number(i64),
    /// A boolean.
    Flag(bool),
}

impl From<&str> for SpanValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned().into())
    }
}

impl From<String> for SpanValue {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Cow<'static, str>> for SpanValue {
    fn from(text: Cow<'static, str>) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for SpanValue {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for SpanValue {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u16> for SpanValue {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

impl From<bool> for SpanValue {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}
