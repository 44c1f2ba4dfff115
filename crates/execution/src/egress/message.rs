//! The request and response types of the egress client.

use std::fmt;

use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderName, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, Method, StatusCode, Uri};
use secrecy::SecretString;

/// A complete request, including credentials and body.
///
/// Values of secret headers are marked sensitive. The URI may contain a key, so `Debug` shows only its host.
#[derive(Clone)]
pub struct OutboundRequest {
    /// The method.
    pub method: Method,
    /// The absolute http or https URI.
    pub uri: Uri,
    /// The headers, except those that the transport sets; such headers are dropped.
    pub headers: HeaderMap,
    /// The body; empty if there is none.
    pub body: Bytes,
}

impl fmt::Debug for OutboundRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutboundRequest")
            .field("method", &self.method)
            .field("host", &self.uri.host())
            .field("body", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// Whether a header frames the message or applies to one connection or proxy. Only the transport sets these:
/// conflicting framing would allow request smuggling.
pub(crate) fn is_transport_header(name: &HeaderName) -> bool {
    const TRANSPORT: [HeaderName; 9] =
        [HOST, CONTENT_LENGTH, TRANSFER_ENCODING, CONNECTION, TE, TRAILER, UPGRADE, EXPECT, ACCEPT_ENCODING];
    TRANSPORT.contains(name)
        || matches!(name.as_str(), "keep-alive" | "http2-settings")
        || name.as_str().starts_with("proxy-")
}

/// Whether the method is idempotent (RFC 9110, section 9.2.2, and QUERY), so that a request may be repeated.
pub(crate) fn is_idempotent(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::PUT | Method::DELETE | Method::OPTIONS | Method::QUERY)
}

/// Whether a response with this status is followed to its `Location` (RFC 9110, section 15.4). 300, 304 and the
/// obsolete 305 and 306 are not.
pub(crate) fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// The largest accepted body, in decoded bytes.
pub const RESPONSE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The limits of one response.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResponseLimits {
    /// How many redirects are followed.
    pub(crate) redirects_max: usize,
    /// The largest body, in decoded bytes.
    pub(crate) bytes_max: usize,
}

/// A complete response: redirects are followed, the body is read and decoded.
#[derive(Clone, Debug)]
pub struct UpstreamResponse {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body. A compressed body is decompressed; `headers` then lack Content-Encoding and Content-Length.
    pub body: Bytes,
    /// The tokens that were fetched for the request, including rejected ones: the response may repeat them.
    pub sent_tokens: Vec<SecretString>,
}
