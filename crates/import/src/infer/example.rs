//! An example: a request from which a tool is inferred, split into its parts.

use std::hash::Hash;

use super::credentials::ExampleCredentials;
use super::noise;
use super::operation::NamedOperation;
use super::payload::{Payload, PayloadKind};
use super::query::ExampleQuery;
use super::unfilled::{self, UnfilledVariable};
use super::webhook;
use crate::path_pattern::PathPattern;
use crate::request::ImportedRequest;
use crate::request::body::ImportedBody;
use crate::request::path::UrlPath;

/// One request, split into its parts.
pub(super) struct Example {
    /// The request without its body and its credentials. Its headers are those that the tool needs.
    pub(super) request: ImportedRequest,
    pub(super) credentials: ExampleCredentials,
    pub(super) variables: Vec<UnfilledVariable>,
    pub(super) path: UrlPath,
    pub(super) pattern: PathPattern,
    pub(super) query: ExampleQuery,
    pub(super) payload: Payload,
    pub(super) operation: Option<NamedOperation>,
    /// The name of the tool, if the URL belongs to a known service.
    pub(super) known_name: Option<String>,
}

impl Example {
    pub(super) fn from_request(mut request: ImportedRequest) -> Self {
        let body = std::mem::replace(&mut request.body, ImportedBody::None);
        let payload = Payload::from_body(body, &mut request.warnings);
        if payload.kind == PayloadKind::Multipart {
            // The header contains the boundary, which the tool chooses.
            request.headers.retain(|name, _| !name.eq_ignore_ascii_case("content-type"));
        }
        let mut query = ExampleQuery::parse(request.url.query.as_deref().unwrap_or_default());
        let mut path = UrlPath::parse(&request.url.base);
        let mut noise = noise::remove_headers(&mut request.headers);
        noise.extend(query.remove_noise());
        noise::warn(&noise, &mut request.warnings);
        let is_signed = query.is_signed();
        let mut warnings = std::mem::take(&mut request.warnings);
        if is_signed {
            warnings.add("The URL is signed: it will expire, and no part of it can be an argument.");
        }
        let request_credentials = request.credentials.take();
        let take_webhook = |path: &mut UrlPath| webhook::take_from_path(&request, &payload, path);
        let (credentials, known_name) =
            ExampleCredentials::take(request_credentials, &mut path, &mut query, take_webhook, &mut warnings);
        query.fix(is_signed);
        unfilled::warn(&request, &credentials, &path, &mut warnings);
        request.warnings = warnings;
        let variables = unfilled::variables(&request, &credentials, &path);
        let is_fixed = is_signed || known_name.is_some();
        let analyze = if is_fixed { PathPattern::fixed } else { PathPattern::analyze };
        let pattern = analyze(&path, &request.method);
        let operation = NamedOperation::detect(&request, &path, &query, &payload);
        Self { request, credentials, variables, path, pattern, query, payload, operation, known_name }
    }

    /// The properties that are equal in all requests of one tool.
    pub(super) fn group_key(&self) -> impl Eq + Hash + use<> {
        let operation = self.operation.as_ref().map(|operation| operation.key.clone());
        (self.request.method.clone(), self.path.origin_key(), self.pattern.key(), self.payload.kind, operation)
    }
}
