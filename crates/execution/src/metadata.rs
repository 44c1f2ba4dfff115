//! Small JSON documents at addresses that untrusted clients choose, such as the metadata documents of OAuth clients.
//!
//! The operator's rule for tools (`TOOLGATE_UPSTREAM_ALLOW`) does not apply: only public addresses are dialled, and
//! loopback if the service itself is reachable on loopback alone.

mod cache_lifetime;
#[cfg(test)]
mod tests;

use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Uri};
use tokio::time::Instant;
use toolgate_domain::sliding_window::{SlidingWindow, WindowLimits};
use toolgate_domain::sync::lock;
use url::Url;

use crate::egress::client::EgressClient;
use crate::egress::guard::rule::EgressRule;
use crate::egress::message::UpstreamResponse;
use crate::single_flight::{Fingerprint, SingleFlight};
use crate::small_document::{self, SmallDocumentError};

/// The largest document, in decoded bytes.
pub const METADATA_BYTES_MAX: usize = 16 * 1024;
/// How many documents are fetched in a minute, from one host and in total.
const FETCH_LIMITS: WindowLimits = WindowLimits { window: Duration::from_mins(1), per_key_max: 10, total_max: 600 };

/// A fetched document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataDocument {
    /// Its bytes, which are not checked yet.
    pub body: Bytes,
    /// How long it may be cached, by its `Cache-Control`; `None` without a limit there.
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
    /// The document could not be fetched.
    #[error("{0}")]
    Fetch(#[from] SmallDocumentError),
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
        // A failed fetch is a success for the single flight, so that all waiting callers share the result.
        self.in_progress
            .join(Fingerprint::from_parts([url.as_bytes()]), work)
            .await
            .unwrap_or(Err(MetadataError::BadAddress))
    }

    async fn fetch_now(&self, uri: Uri, host: &str) -> Result<MetadataDocument, MetadataError> {
        let now = Instant::now();
        lock(&self.fetches).admit(host.to_owned(), now.into_std()).map_err(|_| MetadataError::TooMany)?;
        let egress = self.egress.get_or_init(|| EgressClient::new(self.rule.clone()));
        document(small_document::fetch(egress, uri, METADATA_BYTES_MAX).await?)
    }
}

fn document(response: UpstreamResponse) -> Result<MetadataDocument, MetadataError> {
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
