//! TLS around the dialer, under one limit of time: name, socket and handshake together.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use rustls::ClientConfig;
use tokio::time::timeout;
use tower::Service;

use super::connection::UpstreamSocket;
use super::dialer::Dialer;
use super::error::{EgressError, find};
use super::tls::TlsFault;

/// How long a connection may take to be made.
pub(super) const CONNECT_MAX: Duration = Duration::from_secs(5);

/// Makes connections for the pool. HTTP/2 where the upstream offers it under TLS, else HTTP/1.1.
#[derive(Clone)]
pub(super) struct Connector {
    https: HttpsConnector<Dialer>,
}

impl Connector {
    pub(super) fn new(dialer: Dialer, tls: ClientConfig) -> Self {
        let builder = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http();
        Self { https: builder.enable_all_versions().wrap_connector(dialer) }
    }
}

impl Service<Uri> for Connector {
    type Response = MaybeHttpsStream<UpstreamSocket>;
    type Error = EgressError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(())) // as the dialer is
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.https.call(uri);
        Box::pin(async move {
            match timeout(CONNECT_MAX, connecting).await {
                Ok(connected) => connected.map_err(|error| failure(error.as_ref())),
                Err(_) => Err(EgressError::Unreachable),
            }
        })
    }
}

/// The dialer's failures are ours already; everything else happened in the handshake.
fn failure(error: &(dyn Error + Send + Sync + 'static)) -> EgressError {
    if let Some(ours) = find::<EgressError>(error) {
        return ours.clone();
    }
    tracing::debug!(?error, "no secure connection to an upstream");
    EgressError::Tls(find::<rustls::Error>(error).map_or(TlsFault::Handshake, TlsFault::of))
}
