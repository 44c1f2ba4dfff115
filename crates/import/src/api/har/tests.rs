//! Tests of recordings: which entries are imported, and the tools that they become.

mod choice;
mod tools;

use serde_json::{Value, json};

use crate::api;
use crate::api::candidate::Candidate;
use crate::api::options::ImportOptions;
use crate::api::report::ApiImport;

fn read(entries: &[Value]) -> ApiImport {
    let log = json!({"log": {"version": "1.2", "creator": {}, "pages": [{"title": "Page"}], "entries": entries}});
    api::read(log.to_string().as_bytes(), &ImportOptions::default()).unwrap()
}

/// An entry with a JSON response.
fn entry(method: &str, url: &str) -> Value {
    json!({
        "request": {"method": method, "url": url, "headers": []},
        "response": {"status": 200, "content": {"mimeType": "application/json"}},
    })
}

fn with_headers(mut entry: Value, headers: &[(&str, &str)]) -> Value {
    entry["request"]["headers"] =
        headers.iter().map(|(name, value)| json!({"name": name, "value": value})).collect::<Vec<_>>().into();
    entry
}

fn with_body(mut entry: Value, media_type: &str, text: &str) -> Value {
    entry["request"]["postData"] = json!({"mimeType": media_type, "text": text});
    entry
}

fn codes(tool: &Candidate) -> Vec<&str> {
    tool.warnings.iter().map(|warning| warning.code).collect()
}
