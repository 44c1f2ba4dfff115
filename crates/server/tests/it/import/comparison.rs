//! Compares two requests by their meaning for an upstream.

use std::collections::{BTreeMap, BTreeSet};

use toolgate_testkit::upstream::ReceivedRequest;

use super::accepted_differences;
use super::multipart;

/// How the body of a request is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    Json,
    /// The order of members is ignored.
    JsonUnordered,
    Form,
    Multipart,
    /// Any other body, or none.
    Bytes,
}

/// The differences, named as in the corpus: `method`, `path`, `query`, `header NAME`, `body` and, for a multipart body,
/// `parts` (the headers of its parts except their names).
pub(super) fn differences(curl: &ReceivedRequest, tool: &ReceivedRequest, kind: BodyKind) -> BTreeSet<String> {
    let mut differences = BTreeSet::new();
    let mut insert_if = |name: &str, differs: bool| {
        if differs {
            differences.insert(name.to_owned());
        }
    };
    insert_if("method", curl.method != tool.method);
    insert_if(
        "path",
        accepted_differences::normalized_path(curl.path()) != accepted_differences::normalized_path(tool.path()),
    );
    insert_if("query", group_by_name(curl.query_pairs()) != group_by_name(tool.query_pairs()));
    for name in header_names(curl).union(&header_names(tool)) {
        insert_if(&format!("header {name}"), is_different_header(name, curl, tool));
    }
    match kind {
        BodyKind::Json => insert_if("body", without_whitespace(&curl.text()) != without_whitespace(&tool.text())),
        BodyKind::JsonUnordered => insert_if("body", curl.json() != tool.json()),
        BodyKind::Form => insert_if("body", group_by_name(curl.form()) != group_by_name(tool.form())),
        BodyKind::Multipart => {
            let (curl, tool) = (parts(curl), parts(tool));
            insert_if("body", group_by_name(values(&curl)) != group_by_name(values(&tool)));
            insert_if("parts", part_headers(&curl) != part_headers(&tool));
        }
        BodyKind::Bytes => insert_if("body", curl.body != tool.body),
    }
    differences
}

fn header_names(request: &ReceivedRequest) -> BTreeSet<String> {
    request.headers.iter().filter_map(|(name, _)| accepted_differences::normalized_name(name)).collect()
}

fn is_different_header(name: &str, curl: &ReceivedRequest, tool: &ReceivedRequest) -> bool {
    let value = |request: &ReceivedRequest| {
        let lines = request.header_values(name);
        (!lines.is_empty()).then(|| accepted_differences::join_lines(name, &lines))
    };
    let (curl_value, tool_value) = (value(curl), value(tool));
    match name {
        _ if accepted_differences::is_noise(name, curl_value.as_deref(), tool_value.as_deref()) => false,
        "content-type" => {
            let media_type = |value: Option<String>| value.map(|value| accepted_differences::media_type(&value));
            media_type(curl_value) != media_type(tool_value)
        }
        _ => curl_value != tool_value,
    }
}

/// The values of each name in their order. The order of different names is ignored.
fn group_by_name(pairs: Vec<(String, String)>) -> BTreeMap<String, Vec<String>> {
    let mut grouped: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in pairs {
        grouped.entry(name).or_default().push(value);
    }
    grouped
}

/// JSON without the whitespace between its tokens. Digits, escapes and the order of members are preserved.
fn without_whitespace(json: &str) -> String {
    let (mut is_in_string, mut is_escaped) = (false, false);
    json.chars()
        .filter(|&c| {
            let is_kept = is_in_string || !c.is_ascii_whitespace();
            is_in_string ^= c == '"' && !is_escaped;
            is_escaped = is_in_string && c == '\\' && !is_escaped;
            is_kept
        })
        .collect()
}

fn parts(request: &ReceivedRequest) -> Vec<multipart::MultipartPart> {
    let content_type = request.header("content-type").unwrap_or_default();
    let parts = multipart::parse_parts(content_type, &request.text());
    parts.unwrap_or_else(|| panic!("this body has no parts: {request:?}"))
}

fn values(parts: &[multipart::MultipartPart]) -> Vec<(String, String)> {
    parts.iter().map(|part| (part.name.clone(), part.value.clone())).collect()
}

fn part_headers(parts: &[multipart::MultipartPart]) -> BTreeMap<&str, Vec<&[String]>> {
    let mut headers: BTreeMap<&str, Vec<&[String]>> = BTreeMap::new();
    for part in parts {
        headers.entry(&part.name).or_default().push(&part.other_headers);
    }
    headers
}

/// Tests of the comparison with requests that differ in one property each.
mod tests {
    use super::*;

    fn request(method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> ReceivedRequest {
        ReceivedRequest {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: headers.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect(),
            body: body.to_owned().into(),
        }
    }

    fn differences_of(curl: &ReceivedRequest, tool: &ReceivedRequest, kind: BodyKind) -> Vec<String> {
        differences(curl, tool, kind).into_iter().collect()
    }

    #[test]
    fn equivalent_requests_do_not_differ() {
        let form = ("Content-Type", "application/x-www-form-urlencoded");
        let curl = [("Host", "h"), ("User-Agent", "curl/7"), ("X-A", "1"), ("x-a", "2"), form];
        let tool = [("x-a", "1, 2"), ("host", "h"), ("user-agent", "Toolgate/1"), ("accept-encoding", "br"), form];
        let curl = request("POST", "/%7ea?b=1&a=x%20y", &curl, "a=1&b=2&a=%33");
        let tool = request("POST", "/~a?a=x+y&b=1", &tool, "a=1&a=3&b=2");
        assert_eq!(differences_of(&curl, &tool, BodyKind::Form), [""; 0]);
    }

    #[test]
    fn each_difference_is_named() {
        let curl = request("GET", "/a?x=1&x=2", &[("host", "h"), ("x-a", "1")], "");
        for (tool, difference) in [
            (request("PUT", "/a?x=1&x=2", &[("host", "h"), ("x-a", "1")], ""), "method"),
            (request("GET", "/a/?x=1&x=2", &[("host", "h"), ("x-a", "1")], ""), "path"),
            (request("GET", "/a?x=2&x=1", &[("host", "h"), ("x-a", "1")], ""), "query"),
            (request("GET", "/a?x=1&x=2", &[("host", "i"), ("x-a", "1")], ""), "header host"),
            (request("GET", "/a?x=1&x=2", &[("host", "h")], ""), "header x-a"),
            (request("GET", "/a?x=1&x=2", &[("host", "h"), ("x-a", "1"), ("x-b", "")], ""), "header x-b"),
            (request("GET", "/a?x=1&x=2", &[("host", "h"), ("x-a", "1")], "x"), "body"),
        ] {
            assert_eq!(differences_of(&curl, &tool, BodyKind::Bytes), [difference], "{tool:?}");
        }
    }

    #[test]
    fn bodies_are_compared_by_their_kind() {
        let body = |body: &str| request("POST", "/", &[], body);
        for (kind, body_text, equivalent, different) in [
            (BodyKind::Json, r#"{"a": " \" b", "c": 1}"#, "{\"a\":\" \\\" b\",\n\"c\":1}", r#"{"a":" \" b","c":1.0}"#),
            (BodyKind::JsonUnordered, r#"{"a": [1, 2], "b": 1}"#, r#"{"b":1,"a":[1,2]}"#, r#"{"b":1,"a":[2,1]}"#),
            (BodyKind::Form, "a=+&b", "b=&a=%20", "a=%2B&b"),
            (BodyKind::Bytes, "a b", "a b", "a  b"),
        ] {
            assert_eq!(differences_of(&body(body_text), &body(equivalent), kind), [""; 0], "{kind:?}");
            assert_eq!(differences_of(&body(body_text), &body(different), kind), ["body"], "{kind:?}");
        }
    }

    #[test]
    fn parts_are_compared_by_their_values_and_by_their_headers() {
        let body = |boundary: &str, value: &str, other_headers: &str| {
            let kind = format!("multipart/form-data; boundary={boundary}");
            let head = format!("Content-Disposition: form-data; name=\"a\"{other_headers}");
            let text = format!("--{boundary}\r\n{head}\r\n\r\n{value}\r\n--{boundary}--\r\n");
            request("POST", "/", &[("content-type", &kind)], &text)
        };
        assert_eq!(differences_of(&body("x", "1", ""), &body("y", "1", ""), BodyKind::Multipart), [""; 0]);
        assert_eq!(differences_of(&body("x", "1", ""), &body("y", "2", ""), BodyKind::Multipart), ["body"]);
        let part_with_type = body("x", "1", "\r\nContent-Type: a/b");
        assert_eq!(differences_of(&part_with_type, &body("y", "1", ""), BodyKind::Multipart), ["parts"]);
    }
}
