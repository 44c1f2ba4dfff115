//! `_envelope`: status, headers and body as one JSON body, for clients that cannot read status and headers.

use http::{HeaderMap, StatusCode};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::capitalize::capitalize;

#[derive(Serialize)]
struct Envelope<'a> {
    body: &'a RawValue,
    status: u16,
    headers: Map<String, Value>,
}

/// Wraps a reply in an envelope.
pub(crate) fn wrap(status: StatusCode, headers: &HeaderMap, body: &RawValue) -> Option<Box<RawValue>> {
    let headers = headers
        .iter()
        .map(|(name, value)| (header_case(name.as_str()), Value::from(value.to_str().unwrap_or_default())))
        .collect();
    serde_json::value::to_raw_value(&Envelope { body, status: status.as_u16(), headers }).ok()
}

/// Header names in the case that WordPress clients expect: JSON keys are case-sensitive.
fn header_case(name: &str) -> String {
    match name {
        "x-wp-total" => "X-WP-Total".to_owned(),
        "x-wp-totalpages" => "X-WP-TotalPages".to_owned(),
        "www-authenticate" => "WWW-Authenticate".to_owned(),
        other => other.split('-').map(capitalize).collect::<Vec<_>>().join("-"),
    }
}
