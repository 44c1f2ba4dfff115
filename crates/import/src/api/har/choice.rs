//! Decides which entries are calls of an API.

use serde_json::Value;

use crate::api::har::entry;
use crate::api::left_out::LeftOutReason;

/// Resource types that are left out, as browsers name them in `_resourceType` and in the header `sec-fetch-dest`.
const RESOURCE_TYPES: [(&str, LeftOutReason); 21] = [
    ("document", LeftOutReason::Document),
    ("iframe", LeftOutReason::Document),
    ("frame", LeftOutReason::Document),
    ("script", LeftOutReason::Script),
    ("worker", LeftOutReason::Script),
    ("sharedworker", LeftOutReason::Script),
    ("serviceworker", LeftOutReason::Script),
    ("stylesheet", LeftOutReason::Stylesheet),
    ("style", LeftOutReason::Stylesheet),
    ("image", LeftOutReason::Image),
    ("font", LeftOutReason::Font),
    ("media", LeftOutReason::Media),
    ("audio", LeftOutReason::Media),
    ("video", LeftOutReason::Media),
    ("track", LeftOutReason::Media),
    ("preflight", LeftOutReason::Preflight),
    ("websocket", LeftOutReason::Websocket),
    ("manifest", LeftOutReason::OtherResponse),
    ("ping", LeftOutReason::Beacon),
    ("csp-violation-report", LeftOutReason::Beacon),
    ("report", LeftOutReason::Beacon),
];
/// Resource types of requests that scripts send.
const SCRIPTED_TYPES: [&str; 4] = ["xhr", "fetch", "empty", "eventsource"];

/// Why an entry is not imported; `None` if it is a call of an API.
pub(super) fn reason_to_leave_out(entry: &Value) -> Option<LeftOutReason> {
    let request = entry.get("request")?;
    let url = request.get("url").and_then(Value::as_str)?;
    let scheme = url.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase()).unwrap_or_default();
    match scheme.as_str() {
        "http" | "https" => {}
        "ws" | "wss" => return Some(LeftOutReason::Websocket),
        _ => return Some(LeftOutReason::NotHttp),
    }
    if request.get("method").and_then(Value::as_str).is_some_and(|method| method.eq_ignore_ascii_case("OPTIONS")) {
        return Some(LeftOutReason::Preflight);
    }
    let kind = resource_type(entry);
    let by_type = RESOURCE_TYPES.iter().find(|(name, _)| *name == kind).map(|(_, reason)| *reason);
    by_type
        .or_else(|| by_response(entry, SCRIPTED_TYPES.contains(&kind.as_str())))
        .or_else(|| (!has_api_body(request)).then_some(LeftOutReason::OtherBody))
}

/// The kind of resource in lower case; empty if the entry does not say it.
fn resource_type(entry: &Value) -> String {
    let named = entry.get("_resourceType").and_then(Value::as_str).filter(|kind| *kind != "other").map(str::to_owned);
    let fetched = || entry::header(entry.get("request")?, "sec-fetch-dest");
    named.or_else(fetched).unwrap_or_default().to_ascii_lowercase()
}

fn by_response(entry: &Value, is_scripted: bool) -> Option<LeftOutReason> {
    let response = entry.get("response")?;
    if response.get("status").and_then(Value::as_u64) == Some(101) {
        return Some(LeftOutReason::Websocket);
    }
    let media_type = response.pointer("/content/mimeType").and_then(Value::as_str).unwrap_or_default();
    let media_type = entry::media_type(media_type);
    let (kind, subtype) = media_type.split_once('/').unwrap_or((media_type.as_str(), ""));
    match kind {
        "image" => Some(LeftOutReason::Image),
        "font" => Some(LeftOutReason::Font),
        "audio" | "video" => Some(LeftOutReason::Media),
        _ if subtype.contains("javascript") || subtype.contains("ecmascript") => Some(LeftOutReason::Script),
        _ if subtype == "css" => Some(LeftOutReason::Stylesheet),
        _ if subtype.contains("font") => Some(LeftOutReason::Font),
        _ if matches!(subtype, "html" | "xhtml+xml") => (!is_scripted).then_some(LeftOutReason::Document),
        "application" => (!is_textual(subtype)).then_some(LeftOutReason::OtherResponse),
        // Chrome writes `x-unknown` for a response without a type.
        "text" | "" | "x-unknown" => None,
        _ => Some(LeftOutReason::OtherResponse),
    }
}

/// Whether an application type is JSON or text.
fn is_textual(subtype: &str) -> bool {
    ["json", "xml", "graphql", "x-ndjson", "yaml", "x-www-form-urlencoded", "problem"]
        .iter()
        .any(|part| subtype.contains(part))
}

/// Whether a request has no body, or one that is JSON or a form without files.
fn has_api_body(request: &Value) -> bool {
    let Some(data) = request.get("postData").filter(|data| !data.is_null()) else { return true };
    let text = data.get("text").and_then(Value::as_str).unwrap_or_default();
    let params = data.get("params").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if data.get("encoding").is_some_and(|encoding| encoding == "base64") {
        return false;
    }
    let media_type = entry::media_type(data.get("mimeType").and_then(Value::as_str).unwrap_or_default());
    let has_files = params.iter().any(|param| param.get("fileName").is_some()) || text.contains("filename=\"");
    let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    match media_type.as_str() {
        _ if text.is_empty() && params.is_empty() => true,
        "application/x-www-form-urlencoded" => true,
        "multipart/form-data" => !has_files,
        media_type if media_type.ends_with("json") || media_type == "application/graphql+json" => true,
        // Some pages send JSON as text to avoid a preflight.
        _ => is_json(),
    }
}
