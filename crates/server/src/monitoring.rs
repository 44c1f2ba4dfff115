//! The address for monitoring: health checks and metrics, apart from the address for clients. It responds before the
//! service has started, and until the process ends.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::listener::Listener;
use crate::node_state::NodeStateCell;
use crate::request_counters::RequestCounters;
use crate::web;
use crate::workers::Workers;

/// The listener for monitoring; dropping it closes the socket.
pub(crate) struct Monitoring {
    _accepting: JoinSet<()>,
}

impl Monitoring {
    /// Serves on the address. It is bound before the database is opened, so that a port in use fails fast.
    pub(crate) async fn start(
        address: SocketAddr,
        node: &NodeStateCell,
        workers: &Arc<Workers>,
        requests: &Arc<RequestCounters>,
    ) -> anyhow::Result<Self> {
        let socket = bind(address).await?;
        let bound = socket.local_addr()?;
        let app = web::build_monitoring_app(Arc::clone(node), Arc::clone(requests))?;
        // This token is never cancelled: while the service stops, health checks must still get a response that says so.
        let mut listener = Listener::new(socket, app, Arc::clone(workers), CancellationToken::new());
        let mut accepting = JoinSet::new();
        accepting.spawn(async move { match listener.accept_forever().await {} });
        tracing::info!(address = %bound, "listening for health checks and metrics");
        Ok(Self { _accepting: accepting })
    }
}

async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        anyhow::anyhow!(
            "cannot listen on {address} for metrics: {error}; choose another with --metrics-listen \
             (TOOLGATE_METRICS_LISTEN)"
        )
    })
}
