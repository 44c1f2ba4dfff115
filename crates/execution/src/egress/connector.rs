//! TLS on top of the dialer. One timeout covers DNS lookup, TCP connect and handshake.

use std::error::Error;

use http::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use rustls::ClientConfig;
use tokio::time::timeout;
use tower::Service as _;

use super::dialer::{CONNECT_TIMEOUT, Dialer};
use super::error::{EgressError, find_source};
use super::socket::UpstreamSocket;
use super::tls::TlsFault;

/// Opens connections for the pool. They use HTTP/2 if the upstream offers it over TLS, else HTTP/1.1.
pub(super) struct Connector {
    https: HttpsConnector<Dialer>,
}

impl Connector {
    pub(super) fn new(dialer: Dialer, tls: ClientConfig) -> Self {
        let builder = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http();
        Self { https: builder.enable_all_versions().wrap_connector(dialer) }
    }

    pub(super) async fn connect(&self, uri: Uri) -> Result<MaybeHttpsStream<UpstreamSocket>, EgressError> {
        match timeout(CONNECT_TIMEOUT, self.https.clone().call(uri)).await {
            Ok(connected) => connected.map_err(|error| connect_error(error.as_ref())),
            Err(_) => Err(EgressError::Unreachable),
        }
    }
}

/// The dialer reports an [`EgressError`]; every other error comes from the TLS handshake.
fn connect_error(error: &(dyn Error + Send + Sync + 'static)) -> EgressError {
    if let Some(dial_error) = find_source::<EgressError>(error) {
        return dial_error.clone();
    }
    tracing::debug!(?error, "TLS handshake with an upstream failed");
    EgressError::Tls(find_source::<rustls::Error>(error).map_or(TlsFault::Handshake, TlsFault::from_rustls))
}
