//! The parts of one command, which serves as an example of calls to the tool.

use super::payload::{Payload, PayloadKind};
use super::query::CommandQuery;
use crate::curl::request::CurlRequest;
use crate::curl::variables;
use crate::request::body::ImportedBody;
use crate::request::path::UrlPath;

/// One command, split into the parts of its request.
pub(super) struct Example {
    /// The request without its body. Its headers are those that the tool needs, and its credentials may come from the
    /// query.
    pub(super) request: CurlRequest,
    pub(super) path: UrlPath,
    pub(super) query: CommandQuery,
    pub(super) payload: Payload,
}

/// The properties that are equal in all commands of one tool.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct ToolGroupKey {
    method: String,
    origin: String,
    path: String,
    payload_kind: PayloadKind,
}

impl Example {
    pub(super) fn from_request(mut request: CurlRequest) -> Self {
        let body = std::mem::replace(&mut request.body, ImportedBody::None);
        let payload = Payload::from_body(body, &mut request.warnings);
        add_content_type(&mut request, payload.kind);
        let query = request.url.query.as_deref().unwrap_or_default();
        let mut query = CommandQuery::parse(&variables::to_placeholders(query));
        query.extract_credentials(&mut request.credentials, &mut request.warnings);
        let mut path = UrlPath::parse(&request.url.base);
        for segment in &mut path.segments {
            *segment = variables::to_placeholders(segment);
        }
        Self { request, path, query, payload }
    }

    pub(super) fn group_key(&self) -> ToolGroupKey {
        ToolGroupKey {
            method: self.request.method.clone(),
            origin: self.path.origin_key(),
            path: self.path.path_key(),
            payload_kind: self.payload.kind,
        }
    }
}

/// Adds the Content-Type header that curl sends, if a tool would send a different one.
fn add_content_type(request: &mut CurlRequest, kind: PayloadKind) {
    if request.headers.keys().any(|name| name.eq_ignore_ascii_case("content-type")) {
        return;
    }
    if let Some(content_type) = kind.explicit_content_type(request.implied_content_type) {
        request.headers.insert("Content-Type".to_owned(), content_type.to_owned());
        if kind.is_json() {
            request.warnings.add(format!(
                "curl sends this JSON as {content_type}, because no Content-Type is given; set the Content-Type header \
                 to application/json if the API expects JSON."
            ));
        }
    }
}
