//! The tool draft that the import of a generated request must give, computed from the request itself instead of its
//! curl command.

use std::fmt::Write as _;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use crate::body::GeneratedBody;
use crate::credential::GeneratedCredential;
use crate::request::{GeneratedRequest, GeneratedSegment, GeneratedUrl};

/// The draft, without its warnings.
pub(crate) fn draft(request: &GeneratedRequest) -> Value {
    let (auth_type, auth_credentials) =
        request.credentials.first().map_or(("none", json!({})), GeneratedCredential::configuration);
    let (body, body_type) = body(&request.payload);
    let mut properties = Map::new();
    let mut mapping = Map::new();
    let fields = body.keys().map(|name| (name.as_str(), "body"));
    for (name, location) in fields.chain(placeholders(&request.url).map(|name| (name, "path"))) {
        if !properties.contains_key(name) {
            properties.insert(name.to_owned(), json!({"type": "string", "description": name}));
            mapping.insert(name.to_owned(), json!({"location": location}));
        }
    }
    let mut draft = json!({
        "endpoint_url": endpoint_url(request),
        "http_method": method(request),
        "headers": headers(request),
        "auth_type": auth_type,
        "auth_credentials": auth_credentials,
        "body": body,
        "input_schema": {"type": "object", "properties": properties, "required": []},
        "parameter_mapping": mapping,
    });
    if let Some(body_type) = body_type {
        draft["body_type"] = json!(body_type);
    }
    if let Some(tenths) = request.max_time_tenths {
        draft["timeout"] = json!(tenths.div_ceil(10));
    }
    draft
}

fn method(request: &GeneratedRequest) -> String {
    match (request.method, &request.payload) {
        (Some(method), _) => method.to_ascii_uppercase(),
        (None, GeneratedBody::None | GeneratedBody::Query(_)) => "GET".to_owned(),
        (None, _) => "POST".to_owned(),
    }
}

fn endpoint_url(request: &GeneratedRequest) -> String {
    let GeneratedUrl { scheme, host, path, query, .. } = &request.url;
    let scheme = if scheme.is_empty() { "http://" } else { scheme };
    let mut url = format!("{scheme}{host}");
    for segment in path {
        match segment {
            GeneratedSegment::Text(text) => write!(url, "/{text}"),
            GeneratedSegment::Placeholder { name, .. } => write!(url, "/{{{name}}}"),
        }
        .expect("writing to a string cannot fail");
    }
    let mut pairs = query.clone();
    // Only the first credential is removed from the URL; a later key stays in the query.
    if let Some(pair) = request.credentials.iter().skip(1).find_map(crate::argv::query_pair) {
        pairs.insert(pairs.len() / 2, pair);
    }
    if let GeneratedBody::Query(fields) = &request.payload {
        pairs.extend(fields.iter().map(|(name, value)| format!("{name}={value}")));
    }
    if pairs.is_empty() { url } else { format!("{url}?{}", pairs.join("&")) }
}

fn placeholders(url: &GeneratedUrl) -> impl Iterator<Item = &str> {
    url.path.iter().filter_map(|segment| match segment {
        GeneratedSegment::Placeholder { name, .. } => Some(name.as_str()),
        GeneratedSegment::Text(_) => None,
    })
}

fn headers(request: &GeneratedRequest) -> Value {
    let mut headers: IndexMap<String, String> = IndexMap::new();
    for (name, value) in &request.headers {
        match headers.iter_mut().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
            Some((_, joined)) => write!(joined, ", {value}").expect("writing to a string cannot fail"),
            None => drop(headers.insert(name.clone(), value.clone())),
        }
    }
    for credential in request.credentials.iter().skip(1) {
        headers.extend(credential.header().map(|(name, value)| (name.to_owned(), value)));
    }
    let json = "application/json".to_owned();
    let uses_json_option = request.uses_json_option && matches!(request.payload, GeneratedBody::Json { .. });
    let cookie = request.cookie.as_ref().map(|(name, value)| format!("{name}={value}"));
    // A header of the same name in the command replaces these.
    let default_headers = [
        ("Content-Type", uses_json_option.then(|| json.clone())),
        ("Accept", uses_json_option.then_some(json)),
        ("User-Agent", request.user_agent.clone()),
        ("Referer", request.referer.clone()),
        ("Cookie", cookie),
    ];
    for (name, value) in default_headers {
        let is_set = headers.keys().any(|other| other.eq_ignore_ascii_case(name));
        if let (false, Some(value)) = (is_set, value) {
            headers.insert(name.to_owned(), value);
        }
    }
    json!(headers)
}

/// The expected `body` and `body_type`.
fn body(payload: &GeneratedBody) -> (Map<String, Value>, Option<&'static str>) {
    match payload {
        GeneratedBody::None | GeneratedBody::Empty | GeneratedBody::Query(_) => (Map::new(), None),
        GeneratedBody::Json { text, is_object: true } => {
            (serde_json::from_str(text).expect("the generator writes JSON"), Some("json"))
        }
        GeneratedBody::Json { text, is_object: false } => {
            let array: Value = serde_json::from_str(text).expect("the generator writes JSON");
            (raw_body(array), Some("raw"))
        }
        GeneratedBody::Text { text, .. } => (raw_body(json!(text)), Some("raw")),
        GeneratedBody::Form(fields) => (members(fields), Some("form")),
        GeneratedBody::Multipart(fields) => (members(fields), Some("multipart")),
        GeneratedBody::File { field, path } => (members(&[(field.clone(), format!("@{path}"))]), Some("multipart")),
    }
}

fn raw_body(value: Value) -> Map<String, Value> {
    Map::from_iter([("body".to_owned(), value)])
}

/// The fields as arguments: a list if the name is repeated or ends in brackets, else a string.
fn members(fields: &[(String, String)]) -> Map<String, Value> {
    let mut members = Map::new();
    for (name, _) in fields {
        let values: Vec<&String> = fields.iter().filter(|(other, _)| other == name).map(|(_, value)| value).collect();
        let is_list = values.len() > 1 || name.ends_with("[]");
        members.insert(name.clone(), if is_list { json!(values) } else { json!(values[0]) });
    }
    members
}
