//! Error objects, and the HTTP status each travels on. Codes of our own equal an HTTP status: the protocol keeps
//! -32768 to -32000 for itself.

use std::borrow::Cow;

use http::StatusCode;
use serde_json::{Value, json};

use crate::era::{Era, Revision};

/// A JSON-RPC error.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: Cow<'static, str>,
    pub(crate) data: Option<Value>,
    /// The HTTP status; `None` for the one its code has in the caller's era.
    status: Option<StatusCode>,
}

const PARSE: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const INTERNAL: i64 = -32603;
const RESOURCE_NOT_FOUND: i64 = -32002;
const HEADER_MISMATCH: i64 = -32020;
const MISSING_CAPABILITY: i64 = -32021;
const UNSUPPORTED_VERSION: i64 = -32022;

impl RpcError {
    fn new(code: i64, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), data: None, status: None }
    }

    fn with(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// The same error on an HTTP status of its own.
    pub(crate) fn on(mut self, status: StatusCode) -> Self {
        self.status = Some(status);
        self
    }

    /// An error of ours: its code is the HTTP status.
    pub(crate) fn http(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(i64::from(status.as_u16()), message).on(status)
    }

    /// The body is no JSON.
    pub(crate) fn parse(reason: &str) -> Self {
        Self::new(PARSE, format!("Parse error: {reason}")).on(StatusCode::BAD_REQUEST)
    }

    /// The body is JSON, but no request.
    pub(crate) fn invalid_request(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(INVALID_REQUEST, reason).on(StatusCode::BAD_REQUEST)
    }

    /// Nobody knows this method in the caller's era.
    pub(crate) fn method_not_found(method: &str) -> Self {
        let shown: String = method.chars().take(100).collect();
        Self::new(METHOD_NOT_FOUND, format!("Method not found: {shown}"))
    }

    /// The parameters are not what the method takes.
    pub(crate) fn invalid_params(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(INVALID_PARAMS, reason)
    }

    /// Something of ours failed; the log says what.
    pub(crate) fn internal(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(INTERNAL, message)
    }

    /// There is no such resource. Revision 2026-07-28 forbids the older code.
    pub(crate) fn resource_not_found(uri: &str, era: Era) -> Self {
        let code = if era.is_modern() { INVALID_PARAMS } else { RESOURCE_NOT_FOUND };
        let shown: String = uri.chars().take(2048).collect();
        Self::new(code, "Resource not found").with(json!({"uri": shown}))
    }

    /// A header does not say what the body says.
    pub(crate) fn header_mismatch(reason: String) -> Self {
        Self::new(HEADER_MISMATCH, reason).on(StatusCode::BAD_REQUEST)
    }

    /// A tool needs what the client did not declare; `missing` is an object of capabilities.
    pub(crate) fn missing_capability(missing: &Value) -> Self {
        let names: Vec<&str> = missing.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        let message = format!("The client must declare these capabilities for this request: {}", names.join(", "));
        Self::new(MISSING_CAPABILITY, message)
            .with(json!({"requiredCapabilities": missing}))
            .on(StatusCode::BAD_REQUEST)
    }

    /// A revision we do not speak.
    pub(crate) fn unsupported_version(requested: &str) -> Self {
        let requested: String = requested.chars().take(64).collect();
        Self::new(UNSUPPORTED_VERSION, "Unsupported protocol version")
            .with(json!({"supported": Revision::NAMES, "requested": requested}))
            .on(StatusCode::BAD_REQUEST)
    }

    /// The server's calls of this minute are used up.
    pub(crate) fn rate_limited(limit: i64, retry_after_secs: u64) -> Self {
        Self::http(StatusCode::TOO_MANY_REQUESTS, "Rate limit exceeded")
            .with(json!({"limit": limit, "retry_after": retry_after_secs}))
    }

    /// The HTTP status it travels on.
    pub(crate) fn status(&self, era: Era) -> StatusCode {
        match self.status {
            Some(status) => status,
            // Legacy clients read a 404 as "your session is gone".
            None if self.code == METHOD_NOT_FOUND && era.is_modern() => StatusCode::NOT_FOUND,
            None => StatusCode::OK,
        }
    }

    /// Whole seconds to wait, where that is the remedy.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        self.data.as_ref()?.get("retry_after")?.as_u64()
    }
}
