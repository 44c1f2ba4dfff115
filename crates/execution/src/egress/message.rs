//! What goes out and what comes back.

use std::fmt;

use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderName, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, Method, StatusCode, Uri};
use secrecy::SecretString;

/// One request, complete: address, credentials and body are in place.
///
/// Values of secret headers are marked sensitive. The address may hold a key, so `Debug` shows only its origin.
#[derive(Clone)]
pub struct OutboundRequest {
    /// The method.
    pub method: Method,
    /// The absolute address, http or https.
    pub uri: Uri,
    /// Everything but what the transport itself sets: a header that belongs to it is not sent.
    pub headers: HeaderMap,
    /// The body; empty for none.
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

/// Whether a header frames the message or belongs to one connection or proxy. Those are the transport's to set: two
/// opinions on where a message ends let one smuggle another.
pub(crate) fn belongs_to_transport(name: &HeaderName) -> bool {
    const OURS: [HeaderName; 9] =
        [HOST, CONTENT_LENGTH, TRANSFER_ENCODING, CONNECTION, TE, TRAILER, UPGRADE, EXPECT, ACCEPT_ENCODING];
    OURS.contains(name)
        || matches!(name.as_str(), "keep-alive" | "http2-settings")
        || name.as_str().starts_with("proxy-")
}

/// Whether sending a request of this method twice does what sending it once does.
pub(crate) fn is_repeatable(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::PUT | Method::DELETE | Method::OPTIONS)
}

/// A whole answer: redirects followed, body read and decoded.
#[derive(Clone, Debug)]
pub struct UpstreamResponse {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, decompressed; `headers` then lack Content-Encoding and Content-Length.
    pub body: Bytes,
    /// The tokens that were fetched for the request, also those that were refused: an answer may repeat them.
    pub sent_tokens: Vec<SecretString>,
}
