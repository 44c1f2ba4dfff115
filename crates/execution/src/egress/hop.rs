//! One request as it is sent: what the tool's author wrote, but for what belongs to the transport.

use std::borrow::Cow;

use bytes::Bytes;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_LENGTH, HOST, HeaderValue, USER_AGENT};
use http::{HeaderMap, Method, Uri};
use http_body_util::Full;

use super::destination::Destination;
use super::error::EgressError;
use super::line::{Line, Message, Wire};
use super::message::{OutboundRequest, belongs_to_transport};

const NAME_AND_VERSION: &str = concat!("Toolgate/", env!("CARGO_PKG_VERSION"));

/// A request on its way; the first is the tool's own, others follow from redirects.
#[derive(Clone)]
pub(super) struct Hop<'a> {
    pub(super) method: Method,
    pub(super) destination: Destination,
    /// In the destination's one spelling.
    pub(super) uri: Uri,
    pub(super) headers: Cow<'a, HeaderMap>,
    pub(super) body: Bytes,
}

impl<'a> Hop<'a> {
    pub(super) fn first(request: &'a OutboundRequest) -> Result<Self, EgressError> {
        let destination = Destination::of(&request.uri)?;
        Ok(Self {
            method: request.method.clone(),
            uri: destination.canonical(&request.uri)?,
            destination,
            headers: Cow::Borrowed(&request.headers),
            body: request.body.clone(),
        })
    }

    /// The message as a line wants it: HTTP/1.1 names the host in a header, HTTP/2 in the address.
    pub(super) fn message(&self, line: &Line) -> Message {
        let mut message = Message::new(Full::new(self.body.clone()));
        *message.method_mut() = self.method.clone();
        *message.headers_mut() = self.wire_headers();
        *message.uri_mut() = match line.wire {
            Wire::Http2(_) => self.uri.clone(),
            Wire::Http1(_) => {
                let host = self.uri.authority().and_then(|authority| HeaderValue::from_str(authority.as_str()).ok());
                message.headers_mut().extend(host.map(|host| (HOST, host)));
                self.uri.path_and_query().cloned().map_or_else(|| Uri::from_static("/"), Uri::from)
            }
        };
        message
    }

    fn wire_headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::with_capacity(self.headers.len() + 4);
        for (name, value) in self.headers.iter().filter(|(name, _)| !belongs_to_transport(name)) {
            headers.append(name.clone(), value.clone());
        }
        headers.entry(USER_AGENT).or_insert(HeaderValue::from_static(NAME_AND_VERSION));
        headers.entry(ACCEPT).or_insert(HeaderValue::from_static("*/*"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, br"));
        // hyper says how long a body is, but not that an expected one is empty.
        if self.body.is_empty() && matches!(self.method, Method::POST | Method::PUT | Method::PATCH) {
            headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
        }
        headers
    }
}
