//! Tests of inference from constructed requests.

mod naming;
mod one_request;
mod several_requests;

use serde_json::Value;

use super::*;
use crate::request::body::{Fields, ImportedBody};
use crate::request::url::ImportedUrl;
use crate::warnings::Warnings;
use toolgate_domain::json::{self, JsonObject};

/// A request that tests build with one method per part.
#[derive(Clone)]
struct InferTestRequest(ImportedRequest);

impl InferTestRequest {
    fn new(method: &str, url: &str) -> Self {
        let (base, query) = url.split_once('?').map_or((url, None), |(base, query)| (base, Some(query)));
        Self(ImportedRequest {
            method: method.to_owned(),
            url: ImportedUrl { base: base.to_owned(), query: query.map(str::to_owned) },
            headers: IndexMap::new(),
            credentials: None,
            body: ImportedBody::None,
            timeout_secs: None,
            warnings: Warnings::default(),
        })
    }

    fn json(self, object: &str) -> Self {
        self.body(ImportedBody::Json(JsonObject::from_stored(object.to_owned()).members()))
    }

    fn form(self, pairs: &[(&str, &str)]) -> Self {
        self.body(ImportedBody::Form(fields(pairs)))
    }

    fn body(mut self, body: ImportedBody) -> Self {
        self.0.body = body;
        self
    }

    fn header(mut self, name: &str, value: &str) -> Self {
        self.0.headers.insert(name.to_owned(), value.to_owned());
        self
    }

    fn bearer(mut self, token: &str) -> Self {
        self.0.credentials = Some(toolgate_domain::upstream_auth::Credentials::Bearer { token: token.into() });
        self
    }

    fn timeout(mut self, seconds: i64) -> Self {
        self.0.timeout_secs = Some(seconds);
        self
    }

    fn warning(mut self, sentence: &'static str) -> Self {
        self.0.warnings.add(sentence);
        self
    }

    /// The tool of this request alone.
    fn tool(&self) -> Value {
        let tool = serde_json::to_value(infer(vec![self.0.clone()])).unwrap();
        assert!(tool.get("tools").is_none());
        tool
    }
}

fn fields(pairs: &[(&str, &str)]) -> Fields {
    let mut fields = Fields::new();
    for (name, value) in pairs {
        fields.entry((*name).to_owned()).or_default().add(name, (*value).to_owned());
    }
    fields
}

/// The tools of several requests.
fn tools(requests: &[InferTestRequest]) -> Vec<Value> {
    let requests: Vec<ImportedRequest> = requests.iter().map(|request| request.0.clone()).collect();
    let inferred = serde_json::to_value(infer(requests)).unwrap();
    inferred["tools"].as_array().unwrap().clone()
}

/// The tool of several requests. Panics unless they are merged into one.
fn merged_tool(requests: &[InferTestRequest]) -> Value {
    let mut tools = tools(requests);
    assert_eq!(tools.len(), 1, "{tools:?}");
    tools.remove(0)
}
