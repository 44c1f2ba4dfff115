//! What every request needs, whatever its server.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_analytics::Recorder;
use toolgate_domain::time::Clock;
use toolgate_execution::Executor;
use toolgate_execution::commons::Commons;
use toolgate_execution::limiter::Limits;
use toolgate_storage::Storage;

use crate::catalog::Catalog;
use crate::endpoint;
use crate::origin::Names;
use crate::session::Sessions;
use crate::signing::Signer;

/// Streams that may be open at once on one node.
const STREAMS_MAX: usize = 6_000;

/// What the endpoint is made of.
pub struct Config {
    /// What the service is called.
    pub names: Names,
    /// Its version.
    pub version: &'static str,
    /// Where servers are kept.
    pub storage: Arc<dyn Storage>,
    /// What makes the calls.
    pub executor: Arc<Executor>,
    /// Where each call leaves its record.
    pub recorder: Arc<Recorder>,
    /// What this node has in common with others, where there are any.
    pub commons: Option<Arc<Commons>>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Cancelled when the service is to stop: streams end then.
    pub stopping: CancellationToken,
}

/// The endpoint of all servers.
pub struct Gate {
    pub(crate) names: Names,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) executor: Arc<Executor>,
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) limits: Limits,
    pub(crate) sessions: Sessions,
    pub(crate) signer: Arc<Signer>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) stopping: CancellationToken,
    /// Room for streams; the rest of the connections is for requests that end.
    pub(crate) streams: Arc<Semaphore>,
    /// Calls that go on although their client went away, and streams.
    tasks: TaskTracker,
    /// Ends them.
    given_up: CancellationToken,
}

impl Gate {
    /// Opens it.
    pub fn new(config: Config) -> Arc<Self> {
        let storage = Arc::clone(&config.storage);
        let signer = Arc::new(Signer::new(move || storage.signing_keys("mcp")));
        Arc::new(Self {
            names: config.names,
            catalog: Catalog::new(&config.storage, config.version),
            executor: config.executor,
            recorder: config.recorder,
            limits: Limits::new(config.commons),
            sessions: Sessions::new(Arc::clone(&signer)),
            signer,
            clock: config.clock,
            stopping: config.stopping,
            streams: Arc::new(Semaphore::new(STREAMS_MAX)),
            tasks: TaskTracker::new(),
            given_up: CancellationToken::new(),
        })
    }

    /// Whether a path is one of an endpoint: `/mcp/{slug}/{server_id}`.
    pub fn is_endpoint(path: &str) -> bool {
        endpoint::server_of(path).is_some()
    }

    /// Answers a request to an endpoint.
    pub async fn answer(self: &Arc<Self>, request: http::Request<Body>) -> Response {
        endpoint::serve(self, request).await
    }

    /// Runs something to its end, whether its client stays or goes; `None` where the service could not wait for that.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<Option<T>> {
        self.tasks.spawn(self.given_up.clone().run_until_cancelled_owned(work))
    }

    /// Waits for the calls that are under way, and ends those that take longer: each has left its record when this
    /// returns.
    pub async fn finish(&self, deadline: Instant) {
        self.tasks.close();
        if timeout_at(deadline, self.tasks.wait()).await.is_err() {
            self.given_up.cancel();
            self.tasks.wait().await;
        }
    }
}
