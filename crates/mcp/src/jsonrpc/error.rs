//! JSON-RPC errors and their HTTP status. Toolgate's own error codes equal an HTTP status, because JSON-RPC reserves
//! -32768 to -32000. Texts from a request are truncated, because they can be long.

use std::borrow::Cow;

use http::{HeaderValue, StatusCode};
use serde_json::{Map, Value, json};

use crate::era::{Era, Revision, VERSION_HEADER};

/// A JSON-RPC error.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: Cow<'static, str>,
    /// Boxed, because few errors have it.
    pub(crate) data: Option<Box<Value>>,
    /// The HTTP status; `None` if it follows from the code and the caller's era.
    status: Option<StatusCode>,
    /// The value of `WWW-Authenticate`; `None` for the default one. Boxed, because few errors have it.
    challenge: Option<Box<HeaderValue>>,
}

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const INTERNAL_ERROR: i64 = -32603;
const RESOURCE_NOT_FOUND: i64 = -32002;
const HEADER_MISMATCH: i64 = -32020;
const MISSING_CAPABILITY: i64 = -32021;
const UNSUPPORTED_VERSION: i64 = -32022;

impl RpcError {
    fn new(code: i64, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), data: None, status: None, challenge: None }
    }

    fn with_data(mut self, data: Value) -> Self {
        self.data = Some(Box::new(data));
        self
    }

    /// Replaces the HTTP status.
    pub(crate) fn with_status(mut self, status: StatusCode) -> Self {
        self.status = Some(status);
        self
    }

    /// Sets the value of `WWW-Authenticate`.
    pub(crate) fn with_challenge(mut self, challenge: HeaderValue) -> Self {
        self.challenge = Some(Box::new(challenge));
        self
    }

    /// The value of `WWW-Authenticate`, if it was set.
    pub(crate) fn challenge(&self) -> Option<&HeaderValue> {
        self.challenge.as_deref()
    }

    /// The service cannot check or process the request at the moment.
    pub(crate) fn unavailable(message: &'static str, retry_after_secs: u64) -> Self {
        Self::http(StatusCode::SERVICE_UNAVAILABLE, message).with_data(json!({"retry_after": retry_after_secs}))
    }

    /// An error of Toolgate, whose code equals the HTTP status.
    pub(crate) fn http(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(i64::from(status.as_u16()), message).with_status(status)
    }

    /// The body is not valid JSON.
    pub(crate) fn parse_error(reason: &str) -> Self {
        Self::new(PARSE_ERROR, format!("Parse error: {reason}")).with_status(StatusCode::BAD_REQUEST)
    }

    /// The body is JSON, but not a valid request.
    pub(crate) fn invalid_request(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(INVALID_REQUEST, reason).with_status(StatusCode::BAD_REQUEST)
    }

    /// The version in the header is unknown.
    pub(crate) fn unknown_version() -> Self {
        let supported = Revision::supported().join(", ");
        Self::invalid_request(format!("Unsupported {VERSION_HEADER} header; supported versions: {supported}"))
    }

    /// The method does not exist in the caller's era.
    pub(crate) fn method_not_found(method: &str) -> Self {
        let method: String = method.chars().take(100).collect();
        Self::new(METHOD_NOT_FOUND, format!("Method not found: {method}"))
    }

    /// There is no object of this kind (`tool`, `prompt`) with this name.
    pub(crate) fn unknown_name(kind: &str, name: &str) -> Self {
        let name: String = name.chars().take(200).collect();
        Self::invalid_params(format!("Unknown {kind}: {name}"))
    }

    /// Adds a hint to the message.
    pub(crate) fn with_hint(mut self, hint: &str) -> Self {
        self.message = format!("{}; {hint}", self.message).into();
        self
    }

    /// The parameters do not fit the method.
    pub(crate) fn invalid_params(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(INVALID_PARAMS, reason)
    }

    /// The request is valid, but processing it failed.
    pub(crate) fn internal(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(INTERNAL_ERROR, message)
    }

    /// The resource does not exist. Revision 2026-07-28 forbids the code of older revisions.
    pub(crate) fn resource_not_found(uri: &str, era: Era) -> Self {
        let code = if era.is_modern() { INVALID_PARAMS } else { RESOURCE_NOT_FOUND };
        let uri: String = uri.chars().take(2048).collect();
        Self::new(code, "Resource not found").with_data(json!({"uri": uri}))
    }

    /// A header is missing, malformed, or contradicts the body.
    pub(crate) fn header_mismatch(reason: String) -> Self {
        Self::new(HEADER_MISMATCH, reason).with_status(StatusCode::BAD_REQUEST)
    }

    /// A tool needs capabilities that the client did not declare.
    pub(crate) fn missing_capabilities(missing: &Map<String, Value>) -> Self {
        let names: Vec<&str> = missing.keys().map(String::as_str).collect();
        let message = format!("The client must declare these capabilities for this request: {}", names.join(", "));
        Self::new(MISSING_CAPABILITY, message)
            .with_data(json!({"requiredCapabilities": missing}))
            .with_status(StatusCode::BAD_REQUEST)
    }

    /// The protocol revision is not supported.
    pub(crate) fn unsupported_version(requested: &str) -> Self {
        let requested: String = requested.chars().take(64).collect();
        Self::new(UNSUPPORTED_VERSION, "Unsupported protocol version")
            .with_data(json!({"supported": Revision::supported(), "requested": requested}))
            .with_status(StatusCode::BAD_REQUEST)
    }

    /// The rate limit of the server is exceeded.
    pub(crate) fn rate_limited(limit_per_min: i64, retry_after_secs: u64) -> Self {
        Self::http(StatusCode::TOO_MANY_REQUESTS, "Rate limit exceeded")
            .with_data(json!({"limit": limit_per_min, "retry_after": retry_after_secs}))
    }

    /// The rate limit of the caller's key is exceeded.
    pub(crate) fn key_rate_limited(limit_per_min: u32, retry_after_secs: u64) -> Self {
        let message = format!("Rate limit of this key exceeded: {limit_per_min} requests per minute");
        Self::http(StatusCode::TOO_MANY_REQUESTS, message)
            .with_data(json!({"limit": limit_per_min, "retry_after": retry_after_secs}))
    }

    /// The HTTP status of the response to a caller of this era.
    pub(crate) fn status(&self, era: Era) -> StatusCode {
        match self.status {
            Some(status) => status,
            // Legacy clients take a 404 to mean that their session has ended.
            None if self.code == METHOD_NOT_FOUND && era.is_modern() => StatusCode::NOT_FOUND,
            None => StatusCode::OK,
        }
    }

    /// The value of the `Retry-After` header in seconds.
    pub(crate) fn retry_after_secs(&self) -> Option<u64> {
        self.data.as_ref()?.get("retry_after")?.as_u64()
    }
}
