//! One request as it is sent: the tool author's headers, except those that belong to the transport.

use std::borrow::Cow;

use bytes::Bytes;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_LENGTH, HOST, HeaderValue, USER_AGENT};
use http::{HeaderMap, Method, Uri};
use http_body_util::Full;

use super::error::EgressError;
use super::message::{OutboundRequest, is_transport_header};
use super::origin::UpstreamOrigin;
use super::upstream_connection::{UpstreamConnection, UpstreamProtocol, WireRequest};

const DEFAULT_USER_AGENT: &str = concat!("Toolgate/", env!("CARGO_PKG_VERSION"));

/// One request of a redirect chain: the first is the tool's request, the others follow from redirects.
#[derive(Clone)]
pub(super) struct Hop<'a> {
    pub(super) method: Method,
    pub(super) origin: UpstreamOrigin,
    /// With the canonical spelling of `origin`.
    pub(super) uri: Uri,
    pub(super) headers: Cow<'a, HeaderMap>,
    pub(super) body: Bytes,
}

impl<'a> Hop<'a> {
    pub(super) fn first(request: &'a OutboundRequest) -> Result<Self, EgressError> {
        let origin = UpstreamOrigin::from_uri(&request.uri)?;
        Ok(Self {
            method: request.method.clone(),
            uri: origin.canonical_uri(&request.uri)?,
            origin,
            headers: Cow::Borrowed(&request.headers),
            body: request.body.clone(),
        })
    }

    /// The message in the form that the protocol needs: HTTP/1.1 names the host in a header, HTTP/2 in the URI.
    pub(super) fn message(&self, connection: &UpstreamConnection) -> WireRequest {
        let mut message = WireRequest::new(Full::new(self.body.clone()));
        *message.method_mut() = self.method.clone();
        *message.headers_mut() = self.wire_headers();
        *message.uri_mut() = match connection.protocol {
            UpstreamProtocol::Http2(_) => self.uri.clone(),
            UpstreamProtocol::Http1(_) => {
                let host = self.uri.authority().and_then(|authority| HeaderValue::from_str(authority.as_str()).ok());
                message.headers_mut().extend(host.map(|host| (HOST, host)));
                self.uri.path_and_query().cloned().map_or_else(|| Uri::from_static("/"), Uri::from)
            }
        };
        message
    }

    fn wire_headers(&self) -> HeaderMap {
        // Room for the headers added here and by `message`.
        let mut headers = HeaderMap::with_capacity(self.headers.len() + 4);
        for (name, value) in self.headers.iter().filter(|(name, _)| !is_transport_header(name)) {
            headers.append(name.clone(), value.clone());
        }
        headers.entry(USER_AGENT).or_insert(HeaderValue::from_static(DEFAULT_USER_AGENT));
        headers.entry(ACCEPT).or_insert(HeaderValue::from_static("*/*"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, br"));
        // hyper sends the length of a body, but omits Content-Length: 0 for an empty one.
        if self.body.is_empty() && matches!(self.method, Method::POST | Method::PUT | Method::PATCH) {
            headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
        }
        headers
    }
}
