//! Fetches one small document from another host: a GET request without redirects, within limits of time and size. The
//! caller checks the content.

use std::time::Duration;

use bytes::Bytes;
use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use tokio::time::Instant;

use crate::egress::client::EgressClient;
use crate::egress::error::EgressError;
use crate::egress::message::{OutboundRequest, ResponseLimits, UpstreamResponse};

/// How long a fetch may take, from the DNS lookup to the last byte.
const FETCH_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a document could not be fetched. The texts contain no address and nothing of the response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SmallDocumentError {
    /// The request failed, or the guard refused it.
    #[error("{0}")]
    Egress(EgressError),
    /// The document is larger than this number of bytes.
    #[error("The document is larger than {} KiB.", .0 / 1024)]
    TooLarge(usize),
    /// The host redirects the request.
    #[error("The host of the document redirected the request: the document must be at this address itself.")]
    Redirect,
    /// The status is not 200.
    #[error("The host of the document responded with status {0} instead of 200.")]
    Status(u16),
}

/// Fetches the document. A redirect is not followed: the document must be at the address that names it.
pub(crate) async fn fetch(
    egress: &EgressClient,
    uri: Uri,
    bytes_max: usize,
) -> Result<UpstreamResponse, SmallDocumentError> {
    let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
    let request = OutboundRequest { method: Method::GET, uri, headers, body: Bytes::new() };
    let limits = ResponseLimits { redirects_max: 0, bytes_max };
    match egress.send_with_limits(&request, Instant::now() + FETCH_TIMEOUT, limits).await {
        Ok(response) if response.status == StatusCode::OK => Ok(response),
        Ok(response) => Err(SmallDocumentError::Status(response.status.as_u16())),
        Err(EgressError::TooLarge) => Err(SmallDocumentError::TooLarge(bytes_max)),
        Err(EgressError::Redirect(_)) => Err(SmallDocumentError::Redirect),
        Err(error) => Err(SmallDocumentError::Egress(error)),
    }
}
