//! Small JSON documents at addresses that strangers choose, such as the metadata documents of OAuth clients.
//!
//! The operator's rule for tools (`TOOLGATE_UPSTREAM_ALLOW`) does not apply: only public addresses are dialled, and
//! loopback if the service itself is reachable on loopback alone.

mod cache_lifetime;
#[cfg(test)]
mod tests;

use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use tokio::time::Instant;
use toolgate_domain::sliding_window::{SlidingWindow, WindowLimits};
use toolgate_domain::sync::lock;
use url::Url;

use crate::egress::client::EgressClient;
use crate::egress::error::EgressError;
use crate::egress::guard::rule::EgressRule;
use crate::egress::message::{OutboundRequest, ResponseLimits, UpstreamResponse};
use crate::single_flight::{Fingerprint, SingleFlight};

/// The largest document, in decoded bytes.
pub const METADATA_BYTES_MAX: usize = 16 * 1024;
/// How long a fetch may take, from the DNS lookup to the last byte.
const FETCH_TIMEOUT: Duration = Duration::from_secs(5);
/// A redirect is not followed: the document must be at the address that names it.
const LIMITS: ResponseLimits = ResponseLimits { redirects_max: 0, bytes_max: METADATA_BYTES_MAX };
/// How often documents are fetched.
const FETCH_LIMITS: WindowLimits = WindowLimits { window: Duration::from_mins(1), per_key_max: 10, total_max: 600 };

/// A fetched document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataDocument {
    /// Its bytes, which are not checked yet.
    pub body: Bytes,
    /// How long it may be kept, as `Cache-Control` says; `None` if it says nothing.
    pub max_age: Option<Duration>,
}

/// Why a document could not be fetched. The texts contain no address and nothing of the response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// The address is not an https URL.
    #[error("The address of the document is not an https URL.")]
    BadAddress,
    /// Too many documents of this host were fetched in the last minute.
    #[error("Too many documents of this host were fetched in the last minute.")]
    TooMany,
    /// The request failed, or the guard refused it.
    #[error("{0}")]
    Egress(EgressError),
    /// The document is larger than the limit.
    #[error("The document is larger than 16 KiB.")]
    TooLarge,
    /// The status is not 200.
    #[error("The host of the document responded with status {0} instead of 200.")]
    Status(u16),
    /// The response is not JSON.
    #[error("The document is not JSON: its Content-Type must be application/json.")]
    NotJson,
}

/// Fetches documents. Concurrent fetches of one URL are one request.
pub struct MetadataClient {
    rule: EgressRule,
    /// Created by the first fetch, because the certificates of the system are slow to load.
    egress: OnceLock<EgressClient>,
    in_progress: SingleFlight<Result<MetadataDocument, MetadataError>>,
    fetches: Mutex<SlidingWindow<String>>,
}

impl MetadataClient {
    /// A client that dials public addresses, and loopback addresses if `allows_loopback`.
    pub fn new(allows_loopback: bool) -> Self {
        let rule = if allows_loopback { EgressRule::loopback() } else { EgressRule::none() };
        Self {
            rule,
            egress: OnceLock::new(),
            in_progress: SingleFlight::default(),
            fetches: Mutex::new(SlidingWindow::new(FETCH_LIMITS)),
        }
    }

    /// Fetches the document at an https URL.
    pub async fn fetch(&self, url: &str) -> Result<MetadataDocument, MetadataError> {
        let parsed = Url::parse(url).ok().filter(|parsed| parsed.scheme() == "https");
        let host = parsed.as_ref().and_then(Url::host_str).ok_or(MetadataError::BadAddress)?;
        let uri: Uri = url.parse().map_err(|_| MetadataError::BadAddress)?;
        let work = async { Ok(self.fetch_now(uri, host).await) };
        // The work never fails as a whole: its failures are shared with all that wait, too.
        self.in_progress
            .join(Fingerprint::from_parts([url.as_bytes()]), work)
            .await
            .unwrap_or(Err(MetadataError::BadAddress))
    }

    async fn fetch_now(&self, uri: Uri, host: &str) -> Result<MetadataDocument, MetadataError> {
        let now = Instant::now();
        lock(&self.fetches).admit(host.to_owned(), now.into_std()).map_err(|_| MetadataError::TooMany)?;
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
        let request = OutboundRequest { method: Method::GET, uri, headers, body: Bytes::new() };
        let egress = self.egress.get_or_init(|| EgressClient::new(self.rule.clone()));
        match egress.send_with_limits(&request, now + FETCH_TIMEOUT, LIMITS).await {
            Ok(response) => document(response),
            Err(EgressError::TooLarge) => Err(MetadataError::TooLarge),
            Err(error) => Err(MetadataError::Egress(error)),
        }
    }
}

fn document(response: UpstreamResponse) -> Result<MetadataDocument, MetadataError> {
    if response.status != StatusCode::OK {
        return Err(MetadataError::Status(response.status.as_u16()));
    }
    if !is_json(&response.headers) {
        return Err(MetadataError::NotJson);
    }
    Ok(MetadataDocument { max_age: cache_lifetime::max_age(&response.headers), body: response.body })
}

/// Whether `Content-Type` is `application/json` or another type in JSON, such as `application/cimd+json`.
fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}
