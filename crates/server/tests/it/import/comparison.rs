//! Two requests, compared by what they mean to an upstream.

use std::collections::{BTreeMap, BTreeSet};

use toolgate_testkit::upstream::ReceivedRequest;

use super::multipart;
use super::tolerated;

/// How the body of a tool is to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    Json,
    Form,
    Multipart,
    /// Anything else, and nothing.
    Bytes,
}

/// What differs, in the words of the corpus: `method`, `path`, `query`, `header NAME`, `body` and, of a multipart body,
/// `parts` (what the heads of its parts say beyond their names).
pub(super) fn differences(curl: &ReceivedRequest, tool: &ReceivedRequest, kind: BodyKind) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut note = |what: &str, differs: bool| {
        if differs {
            found.insert(what.to_owned());
        }
    };
    note("method", curl.method != tool.method);
    note("path", tolerated::path(curl.path()) != tolerated::path(tool.path()));
    note("query", by_name(curl.query_pairs()) != by_name(tool.query_pairs()));
    for name in header_names(curl).union(&header_names(tool)) {
        note(&format!("header {name}"), is_different_header(name, curl, tool));
    }
    match kind {
        BodyKind::Json => note("body", without_blanks(&curl.text()) != without_blanks(&tool.text())),
        BodyKind::Form => note("body", by_name(curl.form()) != by_name(tool.form())),
        BodyKind::Multipart => {
            let (curl, tool) = (parts(curl), parts(tool));
            note("body", by_name(values(&curl)) != by_name(values(&tool)));
            note("parts", heads(&curl) != heads(&tool));
        }
        BodyKind::Bytes => note("body", curl.body != tool.body),
    }
    found
}

fn header_names(request: &ReceivedRequest) -> BTreeSet<String> {
    request.headers.iter().filter_map(|(name, _)| tolerated::normalized_name(name)).collect()
}

fn is_different_header(name: &str, curl: &ReceivedRequest, tool: &ReceivedRequest) -> bool {
    let value = |request: &ReceivedRequest| {
        let lines = request.header_values(name);
        (!lines.is_empty()).then(|| tolerated::joined(name, &lines))
    };
    let (own, other) = (value(curl), value(tool));
    match name {
        "user-agent" => own != other && !tolerated::is_default_user_agent(own.as_deref(), other.as_deref()),
        "content-type" => {
            let kind = |value: Option<String>| value.map(|value| tolerated::media_type(&value));
            kind(own) != kind(other)
        }
        _ => own != other,
    }
}

/// The values of each name in their order. The order of different names means nothing.
fn by_name(pairs: Vec<(String, String)>) -> BTreeMap<String, Vec<String>> {
    let mut grouped: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in pairs {
        grouped.entry(name).or_default().push(value);
    }
    grouped
}

/// JSON without the blanks between its tokens: digits, escapes and the order of members have to be the same.
fn without_blanks(json: &str) -> String {
    let (mut is_in_string, mut is_escaped) = (false, false);
    json.chars()
        .filter(|&c| {
            let stays = is_in_string || !c.is_ascii_whitespace();
            is_in_string ^= c == '"' && !is_escaped;
            is_escaped = is_in_string && c == '\\' && !is_escaped;
            stays
        })
        .collect()
}

fn parts(request: &ReceivedRequest) -> Vec<multipart::MultipartPart> {
    let content_type = request.header("content-type").unwrap_or_default();
    let parts = multipart::parts(content_type, &request.text());
    parts.unwrap_or_else(|| panic!("this body has no parts: {request:?}"))
}

fn values(parts: &[multipart::MultipartPart]) -> Vec<(String, String)> {
    parts.iter().map(|part| (part.name.clone(), part.value.clone())).collect()
}

fn heads(parts: &[multipart::MultipartPart]) -> BTreeMap<&str, Vec<&[String]>> {
    let mut heads: BTreeMap<&str, Vec<&[String]>> = BTreeMap::new();
    for part in parts {
        heads.entry(&part.name).or_default().push(&part.more);
    }
    heads
}

/// The comparison itself, on requests that differ in one thing each.
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
    fn equal_meanings_do_not_differ() {
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
        for (tool, what) in [
            (request("PUT", "/a?x=1&x=2", &[("host", "h"), ("x-a", "1")], ""), "method"),
            (request("GET", "/a/?x=1&x=2", &[("host", "h"), ("x-a", "1")], ""), "path"),
            (request("GET", "/a?x=2&x=1", &[("host", "h"), ("x-a", "1")], ""), "query"),
            (request("GET", "/a?x=1&x=2", &[("host", "i"), ("x-a", "1")], ""), "header host"),
            (request("GET", "/a?x=1&x=2", &[("host", "h")], ""), "header x-a"),
            (request("GET", "/a?x=1&x=2", &[("host", "h"), ("x-a", "1"), ("x-b", "")], ""), "header x-b"),
            (request("GET", "/a?x=1&x=2", &[("host", "h"), ("x-a", "1")], "x"), "body"),
        ] {
            assert_eq!(differences_of(&curl, &tool, BodyKind::Bytes), [what], "{tool:?}");
        }
    }

    #[test]
    fn bodies_differ_by_their_kind() {
        let body = |body: &str| request("POST", "/", &[], body);
        for (kind, one, same, other) in [
            (BodyKind::Json, r#"{"a": " \" b", "c": 1}"#, "{\"a\":\" \\\" b\",\n\"c\":1}", r#"{"a":" \" b","c":1.0}"#),
            (BodyKind::Form, "a=+&b", "b=&a=%20", "a=%2B&b"),
            (BodyKind::Bytes, "a b", "a b", "a  b"),
        ] {
            assert_eq!(differences_of(&body(one), &body(same), kind), [""; 0], "{kind:?}");
            assert_eq!(differences_of(&body(one), &body(other), kind), ["body"], "{kind:?}");
        }
    }

    #[test]
    fn parts_differ_by_their_values_and_by_their_heads() {
        let body = |boundary: &str, value: &str, more: &str| {
            let kind = format!("multipart/form-data; boundary={boundary}");
            let head = format!("Content-Disposition: form-data; name=\"a\"{more}");
            let text = format!("--{boundary}\r\n{head}\r\n\r\n{value}\r\n--{boundary}--\r\n");
            request("POST", "/", &[("content-type", &kind)], &text)
        };
        assert_eq!(differences_of(&body("x", "1", ""), &body("y", "1", ""), BodyKind::Multipart), [""; 0]);
        assert_eq!(differences_of(&body("x", "1", ""), &body("y", "2", ""), BodyKind::Multipart), ["body"]);
        let typed = body("x", "1", "\r\nContent-Type: a/b");
        assert_eq!(differences_of(&typed, &body("y", "1", ""), BodyKind::Multipart), ["parts"]);
    }
}
