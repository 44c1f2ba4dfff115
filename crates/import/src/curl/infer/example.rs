//! One command, taken apart: an example of the calls to come.

use super::path::Path;
use super::payload::{Kind, Payload};
use super::query::Query;
use super::variables;
use crate::curl::body::Body;
use crate::curl::request::Request;

/// One command, taken apart.
pub(super) struct Example {
    /// What is left of the request: all but address and body. Headers are those that a tool has to have, and the
    /// credentials may come from the query.
    pub(super) request: Request,
    pub(super) path: Path,
    pub(super) query: Query,
    pub(super) payload: Payload,
}

/// What commands have in common that are calls of one tool.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Endpoint {
    method: String,
    host: String,
    path: String,
    body: Kind,
}

impl Example {
    pub(super) fn of(mut request: Request) -> Self {
        let body = std::mem::replace(&mut request.body, Body::None);
        let payload = Payload::of(body, &mut request.warnings);
        state_content_type(&mut request, payload.kind);
        let query = request.url.query.as_deref().unwrap_or_default();
        let mut query = Query::of(&variables::as_placeholders(query));
        query.settle_credentials(&mut request.credentials, &mut request.warnings);
        let mut path = Path::of(&request.url.base);
        for segment in &mut path.segments {
            *segment = variables::as_placeholders(segment);
        }
        Self { request, path, query, payload }
    }

    pub(super) fn endpoint(&self) -> Endpoint {
        Endpoint {
            method: self.request.method.clone(),
            host: self.path.host_key(),
            path: self.path.key(),
            body: self.payload.kind,
        }
    }
}

/// Adds the type that curl gives to a body where a tool would give it another.
fn state_content_type(request: &mut Request, kind: Kind) {
    if request.headers.keys().any(|name| name.eq_ignore_ascii_case("content-type")) {
        return;
    }
    if let Some(content_type) = kind.stated_content_type(request.implied_content_type) {
        request.headers.insert("Content-Type".to_owned(), content_type.to_owned());
        if kind.is_json() {
            request.warnings.add(format!(
                "curl sends this JSON as {content_type}, because no Content-Type is given; set the Content-Type header \
                 to application/json if the API expects JSON."
            ));
        }
    }
}
