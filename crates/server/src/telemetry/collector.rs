//! The HTTP client of the collector. The operator sets the address of the collector, so the egress guard allows this
//! host and port even if they are not public, but no other non-public address.

use std::time::Duration;

use anyhow::Context;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use tokio::time::Instant;
use toolgate_execution::egress::{EgressClient, EgressError, OutboundRequest};

use crate::settings::OtlpEndpoint;

/// How long the collector may take to respond.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);

/// A collector, and the headers for it.
pub(super) struct OtlpCollector {
    client: EgressClient,
    endpoint: OtlpEndpoint,
    headers: HeaderMap,
}

/// Why the collector did not accept a message.
#[derive(Debug)]
pub(super) enum CollectorError {
    /// There was no response.
    Unreachable(EgressError),
    /// It refused the message.
    Refused(StatusCode),
}

impl OtlpCollector {
    /// A collector that gets these headers with every message.
    pub(super) fn new(endpoint: &OtlpEndpoint, mut headers: HeaderMap) -> anyhow::Result<Self> {
        let rule = endpoint.host_and_port().parse().context("the address of the collector is not usable")?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        Ok(Self { client: EgressClient::new(rule), endpoint: endpoint.clone(), headers })
    }

    /// Sends a message, and returns the body of the response.
    pub(super) async fn post(&self, path: &str, body: Bytes) -> Result<Vec<u8>, CollectorError> {
        let uri: Uri = self.endpoint.signal_url(path).parse().map_err(|_| EgressError::BadAddress)?;
        let request = OutboundRequest { method: Method::POST, uri, headers: self.headers.clone(), body };
        let response = self.client.send(&request, Instant::now() + RESPONSE_TIMEOUT).await?;
        if response.status.is_success() {
            Ok(response.body.into())
        } else {
            Err(CollectorError::Refused(response.status))
        }
    }
}

impl From<EgressError> for CollectorError {
    fn from(error: EgressError) -> Self {
        Self::Unreachable(error)
    }
}

impl CollectorError {
    /// Whether the same message may be accepted later, by the rules of OTLP.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Refused(status) => matches!(status.as_u16(), 429 | 502 | 503 | 504),
        }
    }
}

impl std::fmt::Display for CollectorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreachable(error) => write!(f, "no response: {error}"),
            Self::Refused(status) => write!(f, "it responds with status {status}"),
        }
    }
}
