//! Revision 2026-07-28: each request declares its client, and headers repeat the parts of the body that proxies use for
//! routing. A header must match the body, else a proxy and this service would act on different requests.

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::AsHeaderName;
use http::{HeaderMap, HeaderName, StatusCode};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use toolgate_execution::arguments::MirroredHeader;

use crate::era::{Revision, VERSION_HEADER};
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::RpcRequest;
use crate::jsonrpc::meta::Meta;
use crate::method::McpMethod;

const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");

/// The client of a modern request.
#[derive(Debug)]
pub(crate) struct ModernClient {
    meta: Arc<Meta>,
}

impl ModernClient {
    /// Checks a request in the order of the specification: `_meta`, version header, revision, routing headers. If
    /// `_meta` is incomplete and the header names an unknown revision, that revision is the error: its rules for
    /// `_meta` may differ.
    pub(crate) fn check(request: &RpcRequest, meta: Option<&Arc<Meta>>, headers: &HeaderMap) -> Result<Self, RpcError> {
        let (meta, version) = declarations(meta).map_err(|error| unknown_revision(headers).unwrap_or(error))?;
        check_header(headers, &VERSION_HEADER, version)?;
        if Revision::parse(version) != Some(Revision::V2026_07_28) {
            return Err(RpcError::unsupported_version(version));
        }
        check_header(headers, &METHOD_HEADER, &request.method_name)?;
        // Without a name or URI, or if it is not a string, the method reports the error.
        let subject = match request.method {
            Some(McpMethod::ToolsCall | McpMethod::PromptsGet) => request.params.name.as_deref(),
            Some(McpMethod::ResourcesRead) => request.params.uri.as_deref(),
            _ => None,
        };
        subject.map_or(Ok(()), |subject| check_header(headers, &NAME_HEADER, subject))?;
        Ok(Self { meta: Arc::clone(meta) })
    }

    /// The declared capabilities, a JSON object.
    pub(crate) fn capabilities(&self) -> Option<&RawValue> {
        self.meta.client_capabilities.as_deref()
    }

    /// Refuses the request if the client did not declare all required capabilities.
    pub(crate) fn require_capabilities(&self, required: &Map<String, Value>) -> Result<(), RpcError> {
        let declared: Option<Map<String, Value>> =
            self.capabilities().and_then(|object| serde_json::from_str(object.get()).ok());
        let declared = declared.unwrap_or_default();
        let is_missing = |(name, required): &(&String, &Value)| {
            !declared.get(*name).is_some_and(|declared| covers(declared, required))
        };
        let missing = required.iter().filter(is_missing).map(|(name, required)| (name.clone(), required.clone()));
        let missing: Map<String, Value> = missing.collect();
        if missing.is_empty() { Ok(()) } else { Err(RpcError::missing_capabilities(&missing)) }
    }
}

/// Whether a declared capability has all members of the required one.
fn covers(declared: &Value, required: &Value) -> bool {
    let Some(required) = required.as_object() else { return true };
    required.iter().all(|(name, part)| declared.get(name).is_some_and(|declared| covers(declared, part)))
}

/// The `_meta` and the revision in it. The capabilities are required, too.
fn declarations(meta: Option<&Arc<Meta>>) -> Result<(&Arc<Meta>, &str), RpcError> {
    let meta = meta.ok_or_else(|| missing_field("_meta"))?;
    let version = meta.protocol_version.as_ref().and_then(Value::as_str);
    let version = version.ok_or_else(|| missing_field("io.modelcontextprotocol/protocolVersion"))?;
    let capabilities = meta.client_capabilities.as_deref();
    if !capabilities.is_some_and(|object| object.get().starts_with('{')) {
        return Err(missing_field("io.modelcontextprotocol/clientCapabilities"));
    }
    Ok((meta, version))
}

/// The error for an unknown revision in the version header; `None` if the header is absent or names a known revision.
fn unknown_revision(headers: &HeaderMap) -> Option<RpcError> {
    let version = header_text(headers, &VERSION_HEADER).ok()??;
    Revision::parse(&version).is_none().then(|| RpcError::unsupported_version(&version))
}

fn missing_field(name: &str) -> RpcError {
    let message = format!("Invalid params: {name} is required in revision 2026-07-28");
    RpcError::invalid_params(message).with_status(StatusCode::BAD_REQUEST)
}

fn check_header(headers: &HeaderMap, name: &HeaderName, expected: &str) -> Result<(), RpcError> {
    match header_text(headers, name)? {
        None => Err(RpcError::header_mismatch(format!("Header {name} is missing"))),
        Some(value) if value == expected => Ok(()),
        Some(_) => Err(RpcError::header_mismatch(format!("Header {name} does not match the request body"))),
    }
}

/// Checks the headers that mirror arguments. An argument that is absent or null must have no header.
pub(crate) fn check_mirrored_headers(
    mirrored: &[MirroredHeader],
    arguments: &Value,
    headers: &HeaderMap,
) -> Result<(), RpcError> {
    for header in mirrored {
        let name = format!("mcp-param-{}", header.name.to_ascii_lowercase());
        let header_value = header_text(headers, name.as_str())?;
        let value =
            header.path.iter().try_fold(arguments, |value, key| value.get(key)).filter(|value| !value.is_null());
        let is_match = match (value, header_value.as_deref()) {
            (None, None) => true,
            (Some(value), Some(text)) => matches_argument(value, text),
            // With a surplus or missing header, a proxy sees a different request than this service.
            _ => false,
        };
        if !is_match {
            return Err(RpcError::header_mismatch(format!("Header {name} does not match the arguments")));
        }
    }
    Ok(())
}

fn matches_argument(value: &Value, text: &str) -> bool {
    match value {
        Value::String(string) => string == text,
        Value::Bool(flag) => text == if *flag { "true" } else { "false" },
        Value::Number(number) => match (number.to_string().parse::<i128>(), text.parse::<i128>()) {
            // As floats, different integers above 2^53 can be equal.
            (Ok(a), Ok(b)) => a == b,
            // 42 and 42.0 are equal.
            _ => matches!((number.as_f64(), text.parse::<f64>()), (Some(a), Ok(b)) if a.total_cmp(&b).is_eq()),
        },
        _ => true,
    }
}

/// The value of a header, decoded from `=?base64?…?=`. A repeated header or an invalid encoding is an error.
fn header_text(
    headers: &HeaderMap,
    name: impl AsHeaderName + Display + Copy,
) -> Result<Option<Cow<'_, str>>, RpcError> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let refuse = |reason: &str| RpcError::header_mismatch(format!("Header {name} {reason}"));
    if values.next().is_some() {
        return Err(refuse("occurs more than once"));
    }
    let text = value.to_str().map_err(|_| refuse("contains characters that must be encoded as =?base64?…?="))?.trim();
    let Some(payload) = text.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(Some(Cow::Borrowed(text)));
    };
    let bytes = STANDARD.decode(payload).map_err(|_| refuse("is not valid base64"))?;
    String::from_utf8(bytes).map(|text| Some(Cow::Owned(text))).map_err(|_| refuse("is not valid UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (http::HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    #[test]
    fn encoded_headers_are_decoded_and_invalid_ones_refused() {
        let read =
            |value: &str| header_text(&headers(&[("mcp-name", value)]), "mcp-name").map(|v| v.map(Cow::into_owned));
        assert_eq!(read("x"), Ok(Some("x".into())));
        assert_eq!(read("=?base64?w6k=?="), Ok(Some("é".into())));
        for bad in ["=?base64?w6k?=", "=?base64?!?=", "=?base64?/w==?="] {
            assert_eq!(read(bad).unwrap_err().code, -32020, "{bad}");
        }
        let mut twice = headers(&[("mcp-name", "a")]);
        twice.append("mcp-name", "a".parse().unwrap());
        assert!(header_text(&twice, "mcp-name").is_err());
    }

    #[test]
    fn headers_must_match_the_arguments_that_they_mirror() {
        let mirrored = [MirroredHeader { path: vec!["n".into()], name: "N".into(), is_integer: true }];
        let is_accepted = |arguments: Value, sent: Option<&str>| {
            let headers = sent.map(|value| headers(&[("mcp-param-n", value)])).unwrap_or_default();
            check_mirrored_headers(&mirrored, &arguments, &headers).is_ok()
        };
        assert!(is_accepted(json!({"n": 42}), Some("42")) && is_accepted(json!({"n": 42}), Some("42.0")));
        assert!(
            is_accepted(json!({"n": true}), Some("true")) && is_accepted(json!({"n": "é"}), Some("=?base64?w6k=?="))
        );
        assert!(is_accepted(json!({}), None) && is_accepted(json!({"n": null}), None));
        assert!(!is_accepted(json!({"n": 9_007_199_254_740_993_u64}), Some("9007199254740992")));
        assert!(
            !is_accepted(json!({"n": 42}), None)
                && !is_accepted(json!({"n": 42}), Some("43"))
                && !is_accepted(json!({}), Some("1"))
        );
    }
}
