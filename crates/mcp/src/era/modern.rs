//! Revision 2026-07-28: each request says who it is from, and headers repeat what proxies route by. What a header
//! says must be what the body says, else a proxy and we would act on different requests.

use std::borrow::Cow;
use std::fmt::Display;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::AsHeaderName;
use http::{HeaderMap, HeaderName, StatusCode};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use toolgate_execution::arguments::MirroredHeader;

use super::{Revision, VERSION_HEADER};
use crate::jsonrpc::{Meta, RpcError, RpcRequest};

const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");

/// What a modern request says about its sender.
#[derive(Debug)]
pub(crate) struct ModernClient {
    /// What the client can do: an object.
    pub(crate) capabilities: Box<RawValue>,
}

impl ModernClient {
    /// Checks a request in the order the specification gives: `_meta`, headers, revision, routing headers.
    pub(crate) fn check(request: &RpcRequest, meta: Option<&Meta>, headers: &HeaderMap) -> Result<Self, RpcError> {
        let meta = meta.ok_or_else(|| missing_field("_meta"))?;
        let version = meta.protocol_version.as_ref().and_then(Value::as_str);
        let version = version.ok_or_else(|| missing_field("io.modelcontextprotocol/protocolVersion"))?;
        let capabilities = meta.client_capabilities.as_ref().filter(|object| object.get().starts_with('{'));
        let capabilities = capabilities.ok_or_else(|| missing_field("io.modelcontextprotocol/clientCapabilities"))?;
        check_header(headers, &VERSION_HEADER, version)?;
        if Revision::parse(version) != Some(Revision::V2026_07_28) {
            return Err(RpcError::unsupported_version(version));
        }
        check_header(headers, &METHOD_HEADER, &request.method)?;
        check_name(request, headers)?;
        Ok(Self { capabilities: capabilities.clone() })
    }

    /// Those of the required capabilities that the client did not declare.
    pub(crate) fn missing_capabilities(&self, required: &Map<String, Value>) -> Map<String, Value> {
        let declared: Map<String, Value> = serde_json::from_str(self.capabilities.get()).unwrap_or_default();
        let is_lacking =
            |(name, wanted): &(&String, &Value)| !declared.get(*name).is_some_and(|declared| covers(declared, wanted));
        required.iter().filter(is_lacking).map(|(name, wanted)| (name.clone(), wanted.clone())).collect()
    }
}

/// Whether a declared capability has all the parts that are wanted of it.
fn covers(declared: &Value, wanted: &Value) -> bool {
    let Some(wanted) = wanted.as_object() else { return true };
    wanted.iter().all(|(name, part)| declared.get(name).is_some_and(|declared| covers(declared, part)))
}

fn missing_field(what: &str) -> RpcError {
    RpcError::invalid_params(format!("Invalid params: {what} is required in this revision")).on(StatusCode::BAD_REQUEST)
}

/// `Mcp-Name` repeats what the request is about. Where that is missing or no text, the method itself says so.
fn check_name(request: &RpcRequest, headers: &HeaderMap) -> Result<(), RpcError> {
    let subject = match request.method.as_str() {
        "tools/call" | "prompts/get" => request.params.name(),
        "resources/read" => request.params.uri(),
        _ => None,
    };
    subject.map_or(Ok(()), |subject| check_header(headers, &NAME_HEADER, subject))
}

fn check_header(headers: &HeaderMap, name: &HeaderName, expected: &str) -> Result<(), RpcError> {
    match header_text(headers, name)? {
        None => Err(RpcError::header_mismatch(format!("Header {name} is missing"))),
        Some(value) if value == expected => Ok(()),
        Some(_) => Err(RpcError::header_mismatch(format!("Header {name} does not match the request body"))),
    }
}

/// Headers that mirror arguments must say what the arguments say; an argument that is absent or null has none.
pub(crate) fn check_headers(
    mirrored: &[MirroredHeader],
    arguments: &Value,
    headers: &HeaderMap,
) -> Result<(), RpcError> {
    for header in mirrored {
        let name = format!("mcp-param-{}", header.name.to_ascii_lowercase());
        let sent = header_text(headers, name.as_str())?;
        let value =
            header.path.iter().try_fold(arguments, |value, key| value.get(key)).filter(|value| !value.is_null());
        let agrees = match (value, sent.as_deref()) {
            (None, None) => true,
            (Some(value), Some(text)) => matches_argument(value, text),
            // Surplus or missing: either way a proxy saw another request than we do.
            _ => false,
        };
        if !agrees {
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
            // Beyond 2^53 two integers may be one float.
            (Ok(a), Ok(b)) => a == b,
            // 42 and 42.0 are one number.
            _ => matches!((number.as_f64(), text.parse::<f64>()), (Some(a), Ok(b)) if a.total_cmp(&b).is_eq()),
        },
        _ => true,
    }
}

/// The one value of a header, `=?base64?…?=` decoded. Two values, or a value that decodes to nothing, is an error.
fn header_text(
    headers: &HeaderMap,
    name: impl AsHeaderName + Display + Copy,
) -> Result<Option<Cow<'_, str>>, RpcError> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let refuse = |why: &str| RpcError::header_mismatch(format!("Header {name} {why}"));
    if values.next().is_some() {
        return Err(refuse("is given twice"));
    }
    let text = value.to_str().map_err(|_| refuse("holds characters that must be encoded"))?.trim();
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
    fn encoded_headers_are_decoded_and_bad_ones_refused() {
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
    fn mirrored_arguments_must_agree_with_their_headers() {
        let mirrored = [MirroredHeader { path: vec!["n".into()], name: "N".into(), is_integer: true }];
        let check = |arguments: Value, sent: Option<&str>| {
            let headers = sent.map(|value| headers(&[("mcp-param-n", value)])).unwrap_or_default();
            check_headers(&mirrored, &arguments, &headers).is_ok()
        };
        assert!(check(json!({"n": 42}), Some("42")) && check(json!({"n": 42}), Some("42.0")));
        assert!(check(json!({"n": true}), Some("true")) && check(json!({"n": "é"}), Some("=?base64?w6k=?=")));
        assert!(check(json!({}), None) && check(json!({"n": null}), None));
        assert!(!check(json!({"n": 9_007_199_254_740_993_u64}), Some("9007199254740992")));
        assert!(!check(json!({"n": 42}), None) && !check(json!({"n": 42}), Some("43")) && !check(json!({}), Some("1")));
    }
}
