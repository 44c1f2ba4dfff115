//! Requests made by hand, and commands, read as tools.

mod commands;
mod naming;
mod one;
mod several;

use serde_json::Value;

use super::*;
use crate::curl::body::{Body, Fields};
use crate::curl::request::Url;
use crate::curl::warnings::Warnings;
use toolgate_domain::json::{self, JsonObject};

/// A request in the making.
#[derive(Clone)]
struct Sketch(Request);

impl Sketch {
    fn new(method: &str, address: &str) -> Self {
        let (base, query) = address.split_once('?').map_or((address, None), |(base, query)| (base, Some(query)));
        Self(Request {
            method: method.to_owned(),
            url: Url { base: base.to_owned(), query: query.map(str::to_owned) },
            headers: IndexMap::new(),
            credentials: None,
            body: Body::None,
            implied_content_type: None,
            timeout: None,
            warnings: Warnings::default(),
        })
    }

    fn json(self, object: &str) -> Self {
        self.body(Body::Json(JsonObject::from_stored(object.to_owned()).members()))
    }

    fn form(self, pairs: &[(&str, &str)]) -> Self {
        self.body(Body::Form(fields(pairs)))
    }

    fn body(mut self, body: Body) -> Self {
        self.0.body = body;
        self
    }

    /// With what curl says of data by itself.
    fn implied(mut self) -> Self {
        self.0.implied_content_type = Some("application/x-www-form-urlencoded");
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
        self.0.timeout = Some(seconds);
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
fn tools(sketches: &[Sketch]) -> Vec<Value> {
    let requests: Vec<Request> = sketches.iter().map(|sketch| sketch.0.clone()).collect();
    let all = serde_json::to_value(infer(requests)).unwrap();
    all["tools"].as_array().unwrap().clone()
}

/// The one tool that several requests become.
fn merged(sketches: &[Sketch]) -> Value {
    let mut tools = tools(sketches);
    assert_eq!(tools.len(), 1, "{tools:?}");
    tools.remove(0)
}
