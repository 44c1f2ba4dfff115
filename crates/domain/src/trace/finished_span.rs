//! A span that has ended.

use std::borrow::Cow;

use super::span_value::SpanValue;

/// What a span stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// A step inside the service.
    Internal,
    /// A request that the service handles.
    Server,
    /// A request that the service sends.
    Client,
}

/// A span that has ended.
#[derive(Clone, Debug)]
pub struct FinishedSpan {
    /// Its id.
    pub id: u64,
    /// The id of its parent; 0 if it has none.
    pub parent_id: u64,
    /// Its name.
    pub name: Cow<'static, str>,
    /// What it stands for.
    pub kind: SpanKind,
    /// Its start, in nanoseconds since 1970.
    pub start_unix_nanos: u64,
    /// Its end, in nanoseconds since 1970.
    pub end_unix_nanos: u64,
    /// Facts about it.
    pub attributes: Vec<(&'static str, SpanValue)>,
    /// Whether it failed.
    pub has_failed: bool,
}
