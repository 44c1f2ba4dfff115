//! The MCP service: the state that the endpoints of all servers share.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_analytics::{AccessCounters, CallExport, Recorder};
use toolgate_domain::time::Clock;
use toolgate_execution::Executor;
use toolgate_execution::cluster::ClusterState;
use toolgate_execution::issuers::IssuerClient;
use toolgate_execution::limiter::RateLimiter;
use toolgate_storage::{Storage, StorageError};

use crate::accepted_keys::AcceptedKeys;
use crate::access_tokens::AccessTokens;
use crate::cached_results::CachedResults;
use crate::catalog::Catalog;
use crate::external_tokens::ExternalTokens;
use crate::origin::HostNames;
use crate::overflow::OverflowStore;
use crate::session::Sessions;
use crate::signing::Signer;

/// The most open streams of one node.
pub(crate) const STREAMS_MAX: usize = 6_000;

/// The dependencies of the MCP service.
pub struct McpConfig {
    /// The host names of the service.
    pub host_names: HostNames,
    /// The public URL of the service, without a slash at its end; `None` if it depends on requests.
    pub base_url: Option<String>,
    /// The version of the service.
    pub version: &'static str,
    /// The storage of the servers.
    pub storage: Arc<dyn Storage>,
    /// Executes the calls.
    pub executor: Arc<Executor>,
    /// Reads the keys of other issuers.
    pub issuers: Arc<IssuerClient>,
    /// Records each call.
    pub recorder: Arc<Recorder>,
    /// Receives each recorded call, if calls are exported.
    pub call_export: Option<Arc<dyn CallExport>>,
    /// Counts accepted and refused requests to endpoints.
    pub access_counters: Arc<AccessCounters>,
    /// The state shared with other nodes, if any.
    pub cluster: Option<Arc<ClusterState>>,
    /// Memory for whole responses whose results were shortened, in bytes.
    pub overflow_bytes_max: u64,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Cancelled when the service stops; ends the streams.
    pub stopping: CancellationToken,
}

/// The endpoints of all servers.
pub struct McpService {
    pub(crate) host_names: HostNames,
    pub(crate) base_url: Option<String>,
    pub(crate) access_tokens: Arc<AccessTokens>,
    pub(crate) external_tokens: ExternalTokens,
    pub(crate) accepted_keys: AcceptedKeys,
    pub(crate) cached_results: CachedResults,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) executor: Arc<Executor>,
    pub(crate) recorder: Arc<Recorder>,
    /// `None` if calls are not exported.
    pub(crate) call_export: Option<Arc<dyn CallExport>>,
    pub(crate) access_counters: Arc<AccessCounters>,
    pub(crate) rate_limiter: RateLimiter,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) overflow: OverflowStore,
    pub(crate) signer: Arc<Signer>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) stopping: CancellationToken,
    /// Limits open streams, so that connections remain for other requests.
    pub(crate) stream_permits: Arc<Semaphore>,
    /// Streams, and calls whose client has disconnected.
    tasks: TaskTracker,
    /// Cancels the tasks.
    cancelled: CancellationToken,
    /// The task that shares sessions and tracks ended grants. It runs until the last request has ended, because
    /// requests need it while the service stops.
    session_task: TaskTracker,
    /// Stops `session_task`.
    sessions_stopping: CancellationToken,
}

impl McpService {
    /// Creates the service.
    pub fn new(config: McpConfig) -> Arc<Self> {
        let storage = Arc::clone(&config.storage);
        let signer = Arc::new(Signer::new(move || storage.signing_keys("mcp")));
        let sessions = Sessions::new(Arc::clone(&signer), &config.storage, config.cluster.clone(), &config.clock);
        Arc::new(Self {
            host_names: config.host_names,
            external_tokens: ExternalTokens::new(
                config.issuers,
                config.base_url.clone(),
                Arc::clone(&config.access_counters),
            ),
            base_url: config.base_url,
            access_tokens: AccessTokens::new(&config.storage, Arc::clone(&config.access_counters)),
            accepted_keys: AcceptedKeys::new(),
            cached_results: CachedResults::new(),
            catalog: Catalog::new(&config.storage, Arc::clone(&config.access_counters), config.version),
            executor: config.executor,
            recorder: config.recorder,
            call_export: config.call_export,
            access_counters: config.access_counters,
            rate_limiter: RateLimiter::new(config.cluster),
            overflow: OverflowStore::new(config.overflow_bytes_max),
            sessions,
            signer,
            clock: config.clock,
            stopping: config.stopping,
            stream_permits: Arc::new(Semaphore::new(STREAMS_MAX)),
            tasks: TaskTracker::new(),
            cancelled: CancellationToken::new(),
            session_task: TaskTracker::new(),
            sessions_stopping: CancellationToken::new(),
        })
    }

    /// Reads which sessions and grants have ended, and begins to share sessions with other nodes. Call it before the
    /// first request.
    pub async fn open_sessions(&self) -> Result<(), StorageError> {
        self.sessions.load().await?;
        self.access_tokens.load(self.clock.now()).await;
        let (sessions, tokens) = (Arc::clone(&self.sessions), Arc::clone(&self.access_tokens));
        let clock = Arc::clone(&self.clock);
        let run = async move { tokio::join!(sessions.run(&*clock), tokens.run(&*clock)) };
        self.session_task.spawn(self.sessions_stopping.clone().run_until_cancelled_owned(run));
        Ok(())
    }

    /// Spawns a task that is independent of its client. Its output is `None` if it was cancelled at shutdown.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<Option<T>> {
        self.tasks.spawn(self.cancelled.clone().run_until_cancelled_owned(work))
    }

    /// Waits for the streams and calls that still run, and cancels them at the deadline. When this returns, each of
    /// these calls has been recorded, and the ends of sessions are stored if the database is available.
    pub async fn finish(&self, deadline: Instant) {
        self.tasks.close();
        if timeout_at(deadline, self.tasks.wait()).await.is_err() {
            self.cancelled.cancel();
            self.tasks.wait().await;
        }
        self.sessions_stopping.cancel();
        self.session_task.close();
        self.session_task.wait().await;
        self.sessions.finish().await;
        self.rate_limiter.finish().await;
    }
}
