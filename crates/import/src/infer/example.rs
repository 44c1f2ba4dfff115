//! A request as an example of calls to the tool, split into its parts.

use std::hash::Hash;

use super::payload::Payload;
use super::query::ExampleQuery;
use crate::request::ImportedRequest;
use crate::request::body::ImportedBody;
use crate::request::path::UrlPath;

/// One request, split into its parts.
pub(super) struct Example {
    /// The request without its body. Its headers are those that the tool needs, and its credentials may come from the
    /// query.
    pub(super) request: ImportedRequest,
    pub(super) path: UrlPath,
    pub(super) query: ExampleQuery,
    pub(super) payload: Payload,
}

impl Example {
    pub(super) fn from_request(mut request: ImportedRequest) -> Self {
        let body = std::mem::replace(&mut request.body, ImportedBody::None);
        let payload = Payload::from_body(body, &mut request.warnings);
        let query = request.url.query.as_deref().unwrap_or_default();
        let mut query = ExampleQuery::parse(query);
        query.extract_credentials(&mut request.credentials, &mut request.warnings);
        let path = UrlPath::parse(&request.url.base);
        Self { request, path, query, payload }
    }

    /// The properties that are equal in all requests of one tool.
    pub(super) fn group_key(&self) -> impl Eq + Hash + use<> {
        (self.request.method.clone(), self.path.origin_key(), self.path.path_key(), self.payload.kind)
    }
}
