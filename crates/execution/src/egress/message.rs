//! What goes out and what comes back.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, Uri};

/// One request, complete: address, credentials and body are in place.
///
/// Values of secret headers are marked sensitive. The address may hold a key, so `Debug` shows only its origin.
#[derive(Clone)]
pub struct OutboundRequest {
    /// The method.
    pub method: Method,
    /// The absolute address, http or https.
    pub uri: Uri,
    /// Everything but what the transport itself sets (Host, Content-Length, Accept-Encoding and the like).
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

/// A whole answer: redirects followed, body read and decoded.
#[derive(Clone, Debug)]
pub struct UpstreamResponse {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, decompressed; `headers` then lack Content-Encoding and Content-Length.
    pub body: Bytes,
}
