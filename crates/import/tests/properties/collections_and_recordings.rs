//! Any JSON with the members of Postman collections and HAR recordings is read without a panic. The fuzz target in
//! `fuzz/` checks the same property.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::cases;
use crate::request_import;

/// Member names that the parsers of collections and recordings read.
const KEYS: [&str; 62] = [
    "name",
    "item",
    "request",
    "url",
    "raw",
    "host",
    "path",
    "port",
    "protocol",
    "query",
    "variable",
    "key",
    "value",
    "disabled",
    "description",
    "header",
    "body",
    "mode",
    "urlencoded",
    "formdata",
    "file",
    "graphql",
    "variables",
    "options",
    "language",
    "auth",
    "type",
    "bearer",
    "basic",
    "apikey",
    "oauth2",
    "token",
    "username",
    "password",
    "in",
    "grant_type",
    "accessToken",
    "event",
    "response",
    "src",
    "contentType",
    "protocolProfileBehavior",
    "disableBodyPruning",
    "id",
    "method",
    "headers",
    "queryString",
    "postData",
    "mimeType",
    "text",
    "params",
    "cookies",
    "content",
    "status",
    "_resourceType",
    "fileName",
    "operationName",
    "headerPrefix",
    "addTokenTo",
    "jsonrpc",
    "hash",
    "schema",
];

/// Texts that the parsers treat specially.
const TEXTS: [&str; 58] = [
    "GET",
    "POST",
    "DELETE",
    "https://a.example/x/:id?q=1&api_key=k",
    "https://{{host}}/{{a}}",
    "a.example",
    "{{a}}",
    "{{$guid}}",
    "raw",
    "urlencoded",
    "formdata",
    "file",
    "graphql",
    "json",
    "text",
    "xml",
    "bearer",
    "basic",
    "apikey",
    "oauth2",
    "digest",
    "noauth",
    "header",
    "query",
    "client_credentials",
    "{\"a\": {{b}}, \"c\": [1, \"<integer>\"]}",
    "[1,2]",
    "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":1}",
    "query A($x: Int) { a }",
    "{ a(b: {{c}}) }",
    "Content-Type",
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=b",
    "Authorization",
    "Bearer abc",
    "Cookie",
    "a=b; c=d",
    "X-Api-Key",
    "<string>",
    "<integer>",
    "(Required) x",
    ":id",
    "a b",
    "",
    "body",
    "secret",
    "a\u{202E}b",
    "\u{F0000}",
    "é{",
    "}}{{",
    "http://",
    "https://u:p@a.example",
    "https://hooks.a.example/hooks/abc123def456",
    "a\nb",
    "xhr",
    "https://a.example/users/42",
    "a=1&b=2",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(TEXTS.to_vec()).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
        1 => any::<String>(),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![12 => prop::sample::select(KEYS.to_vec()).prop_map(str::to_owned), 1 => text()]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => text().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            3 => prop::collection::vec((key(), inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A list of names and values.
fn pairs() -> impl Strategy<Value = Value> {
    let pair = (text(), text(), any::<bool>(), value()).prop_map(|(key, value, disabled, other)| {
        json!({"key": key, "name": key, "value": value, "disabled": disabled, "type": other, "description": value})
    });
    prop::collection::vec(pair, 0..5).prop_map(Value::from)
}

/// A request with the right structure and any content.
fn structured_request() -> impl Strategy<Value = Value> {
    let mode = prop::sample::select(vec!["raw", "urlencoded", "formdata", "file", "graphql"]);
    let parts = (text(), text(), pairs(), pairs(), mode, prop_oneof![pairs(), text().prop_map(Value::from), value()]);
    (parts, value(), pairs()).prop_map(|((method, url, query, header, mode, content), auth, params)| {
        json!({"name": url, "request": {
            "method": method, "auth": auth, "header": header, "headers": header, "cookies": params,
            "url": {"raw": format!("https://a.example/{url}"), "query": query, "variable": params},
            "body": {"mode": mode, mode: content},
        }})
    })
}

fn structured_entry() -> impl Strategy<Value = Value> {
    (text(), text(), text(), text(), pairs(), pairs()).prop_map(|(method, url, media_type, text, headers, params)| {
        json!({"request": {
            "method": method, "url": format!("https://a.example/{url}"), "headers": headers, "queryString": params,
            "postData": {"mimeType": media_type, "text": text, "params": params},
        }, "response": {"status": 200, "content": {"mimeType": "application/json"}}})
    })
}

proptest! {
    #![proptest_config(cases(0.25))]

    #[test]
    fn any_json_is_read_as_requests(value in value()) {
        request_import::check(&value.to_string());
    }

    #[test]
    fn any_requests_of_a_collection_are_read(items in prop::collection::vec(structured_request(), 1..4)) {
        request_import::check(&Value::from(items).to_string());
    }

    #[test]
    fn any_entries_of_a_recording_are_read(entries in prop::collection::vec(structured_entry(), 1..6)) {
        request_import::check(&Value::from(entries).to_string());
    }
}
