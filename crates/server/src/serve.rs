//! Runs the service from start to shutdown, in order: startup errors occur before the banner is printed, and the
//! database closes after the last response.

use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use tokio::net::TcpListener;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_analytics::{AccessCounters, Recorder, ToolCounters};
use toolgate_domain::audit::Actor;
use toolgate_domain::node::NodeIdentity;
use toolgate_domain::page::Listing;
use toolgate_domain::server::Server;
use toolgate_domain::time::{Clock, SystemClock};
use toolgate_execution::Executor;
use toolgate_execution::cluster::ClusterState;
use toolgate_execution::issuers::IssuerClient;
use toolgate_issuer::IssuerContext;
use toolgate_mcp::McpService;
use toolgate_rest::{Demo, RestDependencies};
use toolgate_storage::Storage;

use crate::banner::Banner;
use crate::data_dir::DataDir;
use crate::first_key::{self, FirstKey};
use crate::monitoring::Monitoring;
use crate::node_registry::NodeRegistration;
use crate::node_state::{NodeState, NodeStateCell};
use crate::request_counters::RequestCounters;
use crate::settings::{MetricsTools, Settings};
use crate::signals::StopSignals;
use crate::telemetry::Telemetry;
use crate::web::RequestObservers;
use crate::workers::Workers;
use crate::{cluster, database, demo, encryption_keys, listener, node_registry, recording, warnings, web};

/// How long active requests may take after a stop signal.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(30);
/// How long storing the last calls may take; calls that are not stored by then stay in the journal until the next
/// start.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the database may take to close: its work is done by then, but its disk or network may hang.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long the last export of traces may take.
const TELEMETRY_TIMEOUT: Duration = Duration::from_secs(3);

/// Maximum number of open servers that the banner names.
const BANNER_SERVERS_MAX: u32 = 10;

/// Runs the service until a stop signal.
pub(crate) async fn serve(settings: Settings) -> anyhow::Result<()> {
    warnings::log_risks(&settings);
    let mut signals = StopSignals::listen().context("cannot listen for signals")?;
    let socket = bind(settings.listen).await?;
    let bound = socket.local_addr()?;
    // Invalid settings are refused before anything is created.
    web::issuer_config(&settings, bound)?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    // The guard is dropped last: tasks on the worker threads are needed until the database is closed.
    let (workers, _workers_guard) = Workers::start().context("cannot start threads")?;
    let monitored = MonitoredNode::new(&settings, Arc::new(workers), Telemetry::start(&settings, &clock)?);
    let _monitoring = monitored.listen(&settings).await?;
    let folder = DataDir::new(&settings.data_dir);
    folder.prepare()?;
    let _service_lock = folder.lock_for_service()?;
    let _single_service_lock = settings.database_file().map(|_| folder.lock_for_single_service()).transpose()?;
    let (storage, key) = open_storage(&settings, &folder, &*clock).await?;
    let stopping = CancellationToken::new();
    let demo = demo::open(&settings, bound)?;
    let demo_server = demo::start(&demo, &settings, &*storage, &Actor::service(clock.now())).await?;
    let AssembledService { app, mcp, recorder, access_counters, cluster, registration } =
        assemble(&settings, bound, &storage, clock, demo, &stopping, &monitored).await?;
    let listener = listener::Listener::new(socket, app, Arc::clone(&monitored.workers), stopping.clone());
    tracing::info!(address = %bound, node_name = settings.node_name(), upstream_allow = %settings.egress_rule(), "listening");
    let open_servers = open_servers(&settings, &*storage).await;
    print_banner(&settings, bound, key, demo_server.as_ref(), &open_servers);

    run(listener, &mcp, &mut signals, &stopping).await?;
    if let Some(membership) = cluster {
        membership.leave().await;
    }
    if let Some(registration) = registration {
        registration.leave().await;
    }
    recorder.close(FLUSH_TIMEOUT).await;
    access_counters.flush().await;
    monitored.telemetry.close(TELEMETRY_TIMEOUT).await;
    if tokio::time::timeout(CLOSE_TIMEOUT, storage.close()).await.is_ok() {
        tracing::info!("stopped: the database is closed");
    } else {
        tracing::warn!("stopped: the database did not close in time");
    }
    Ok(())
}

/// The parts of this node that health checks and metrics use before the service has started.
struct MonitoredNode {
    started: NodeStateCell,
    workers: Arc<Workers>,
    requests: Arc<RequestCounters>,
    telemetry: Arc<Telemetry>,
}

impl MonitoredNode {
    fn new(settings: &Settings, workers: Arc<Workers>, telemetry: Telemetry) -> Self {
        let requests = Arc::new(RequestCounters::new(&settings.rest_prefix));
        Self { started: Arc::new(OnceLock::new()), workers, requests, telemetry: Arc::new(telemetry) }
    }

    /// Opens the address for monitoring, if the settings have one.
    async fn listen(&self, settings: &Settings) -> anyhow::Result<Option<Monitoring>> {
        let Some(address) = settings.metrics_listen else { return Ok(None) };
        Monitoring::start(address, &self.started, &self.workers, &self.requests).await.map(Some)
    }

    /// Makes the parts of the started node available to health checks and metrics.
    fn publish(
        &self,
        settings: &Settings,
        services: &RestDependencies,
        mcp: &Arc<McpService>,
        cluster: Option<Arc<ClusterState>>,
    ) {
        self.started.get_or_init(|| NodeState {
            name: settings.node_name(),
            is_postgres: settings.database_file().is_none(),
            storage: Arc::clone(&services.storage),
            executor: Arc::clone(&services.executor),
            recorder: Arc::clone(&services.recorder),
            access_counters: Arc::clone(&services.access_counters),
            mcp: Arc::clone(mcp),
            cluster,
            requests: Arc::clone(&self.requests),
            workers: Arc::clone(&self.workers),
            telemetry: Arc::clone(&self.telemetry),
            clock: Arc::clone(&services.clock),
            stopping: services.stopping.clone(),
        });
    }
}

/// The application, and the components that are closed after its last response.
struct AssembledService {
    app: web::App,
    mcp: Arc<McpService>,
    recorder: Arc<Recorder>,
    access_counters: Arc<AccessCounters>,
    cluster: Option<cluster::ClusterMembership>,
    /// `None` with SQLite, which has one node.
    registration: Option<NodeRegistration>,
}

async fn assemble(
    settings: &Settings,
    bound: SocketAddr,
    storage: &Arc<dyn Storage>,
    clock: Arc<dyn Clock>,
    demo: Arc<Demo>,
    stopping: &CancellationToken,
    monitored: &MonitoredNode,
) -> anyhow::Result<AssembledService> {
    let node = NodeStart { settings, bound, identity: node_registry::identity(settings, bound)?, stopping, monitored };
    let cluster = cluster::join(settings, storage, &node.identity, stopping).await?;
    let state = cluster.as_ref().map(|membership| Arc::clone(&membership.cluster));
    match node.assemble(storage, clock, demo, state).await {
        Ok(service) => Ok(AssembledService { cluster, ..service }),
        Err(error) => {
            // The other nodes must not count a node that does not start.
            stopping.cancel();
            if let Some(membership) = cluster {
                membership.leave().await;
            }
            Err(error)
        }
    }
}

/// What the services of a node need while they are assembled.
struct NodeStart<'s> {
    settings: &'s Settings,
    bound: SocketAddr,
    identity: NodeIdentity,
    stopping: &'s CancellationToken,
    monitored: &'s MonitoredNode,
}

impl NodeStart<'_> {
    /// Assembles the services of a node that has joined `cluster`, if there is one.
    async fn assemble(
        &self,
        storage: &Arc<dyn Storage>,
        clock: Arc<dyn Clock>,
        demo: Arc<Demo>,
        cluster: Option<Arc<ClusterState>>,
    ) -> anyhow::Result<AssembledService> {
        let Self { settings, bound, identity, stopping, monitored } = self;
        let executor = Arc::new(Executor::new(settings.egress_rule()).with_cluster(cluster.clone()));
        let issuers = Arc::new(IssuerClient::new(executor.egress_client(), !settings.is_exposed()));
        let recorder = recording::open(settings, storage, &clock).await?;
        let access_counters =
            AccessCounters::new(Arc::<dyn Storage>::clone(storage), Arc::clone(&clock), tool_counters(settings));
        access_counters.start((*stopping).clone());
        let mcp = McpService::new(toolgate_mcp::McpConfig {
            host_names: settings.host_names(*bound),
            base_url: settings.issuer(*bound),
            version: env!("CARGO_PKG_VERSION"),
            storage: Arc::clone(storage),
            executor: Arc::clone(&executor),
            issuers: Arc::clone(&issuers),
            call_export: monitored.telemetry.call_export().filter(|_| recorder.is_enabled()),
            recorder: Arc::clone(&recorder),
            access_counters: Arc::clone(&access_counters),
            cluster: cluster.clone(),
            overflow_bytes_max: u64::from(settings.overflow_mib) * 1024 * 1024,
            clock: Arc::clone(&clock),
            stopping: (*stopping).clone(),
        });
        mcp.open_sessions().await?;
        let rest = web::rest_config(settings, *bound, identity.clone(), clock.now());
        let dependencies = RestDependencies {
            storage: Arc::clone(storage),
            executor,
            issuers,
            recorder: Arc::clone(&recorder),
            access_counters: Arc::clone(&access_counters),
            clock,
            demo,
            stopping: (*stopping).clone(),
        };
        monitored.publish(settings, &dependencies, &mcp, cluster.clone());
        let observers =
            RequestObservers { counters: Arc::clone(&monitored.requests), tracer: monitored.telemetry.tracer() };
        let issuer = open_issuer(settings, *bound, &dependencies)?;
        let (mcp_service, node) = (Arc::clone(&mcp), &monitored.started);
        let app = web::build_app(settings, *bound, mcp_service, (rest, dependencies), &issuer, node, observers)?;
        let is_postgres = settings.database_file().is_none();
        let registration = is_postgres.then(|| NodeRegistration::start(identity.clone(), storage, cluster, stopping));
        Ok(AssembledService { app, mcp, recorder, access_counters, cluster: None, registration })
    }
}

/// The built-in OAuth issuer. Its expired rows are deleted until the service stops.
fn open_issuer(
    settings: &Settings,
    bound: SocketAddr,
    services: &RestDependencies,
) -> anyhow::Result<Arc<IssuerContext>> {
    let config = web::issuer_config(settings, bound)?;
    let issuer = IssuerContext::new(config, Arc::clone(&services.storage), Arc::clone(&services.clock));
    let tasks = TaskTracker::new();
    tasks.spawn(toolgate_issuer::delete_expired_rows(Arc::clone(&issuer), services.stopping.clone()));
    Ok(issuer)
}

/// The counters of single tools, if the settings enable metrics for them.
fn tool_counters(settings: &Settings) -> Option<ToolCounters> {
    match settings.metrics_tools {
        MetricsTools::Off => None,
        MetricsTools::Top(number) => Some(ToolCounters::new(number)),
    }
}

/// Called before the database is opened: a port in use fails fast, and the actual port is known for port 0.
async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => {
            anyhow!("cannot listen on {address}: the port is in use; choose another with --listen (TOOLGATE_LISTEN)")
        }
        _ => anyhow!("cannot listen on {address}: {error}; choose another with --listen (TOOLGATE_LISTEN)"),
    })
}

/// Opens the database with its encryption keys, and ensures that there is a first API key. The lock covers everything
/// that is created at the first start.
async fn open_storage(
    settings: &Settings,
    folder: &DataDir,
    clock: &dyn Clock,
) -> anyhow::Result<(Arc<dyn Storage>, FirstKey)> {
    let _lock = folder.lock_keys()?;
    let key_file = folder.encryption_key_file();
    if settings.encryption_keys.is_none() {
        encryption_keys::ensure_file(&key_file, settings.database_file().as_deref())?;
    }
    if settings.database_url.is_none() {
        folder.ensure_database()?;
    }
    let storage = database::open(settings, encryption_keys::source(settings, key_file), clock.now()).await?;
    let key = first_key::ensure(settings, &*storage, folder.admin_key_file(), clock.now()).await?;
    Ok((storage, key))
}

/// The servers that other machines can use without a key; none if only this machine can reach the service.
async fn open_servers(settings: &Settings, storage: &dyn Storage) -> Listing<Server> {
    let none = || Listing { items: Vec::new(), total: 0 };
    if !settings.is_exposed() {
        return none();
    }
    storage.list_open_servers(BANNER_SERVERS_MAX).await.unwrap_or_else(|error| {
        tracing::warn!(?error, "failed to read the open servers");
        none()
    })
}

fn print_banner(
    settings: &Settings,
    bound: SocketAddr,
    key: FirstKey,
    demo: Option<&Server>,
    open_servers: &Listing<Server>,
) {
    let mut stdout = io::stdout().lock();
    // A file, a pipe or a log service would store the key.
    let key = if stdout.is_terminal() { key } else { key.without_secret() };
    let (base_url, api_path) = (settings.banner_base_url(bound), settings.api_path());
    let issuer_path = settings.issuer_path(bound);
    let issuer_path = issuer_path.as_deref();
    let banner = Banner { base_url: &base_url, api_path: &api_path, key: &key, demo, issuer_path, open_servers };
    let banner = banner.to_string();
    // The service also runs with a closed stdout.
    let _ = stdout.write_all(banner.as_bytes()).and_then(|()| stdout.flush());
}

/// Serves until the first stop signal, then waits for active requests; a second signal stops immediately.
async fn run(
    mut listener: listener::Listener,
    mcp: &McpService,
    signals: &mut StopSignals,
    stopping: &CancellationToken,
) -> anyhow::Result<()> {
    let signal = tokio::select! {
        name = signals.next() => name,
        never = listener.accept_forever() => match never {},
    };
    tracing::info!(signal, "stopping");
    stopping.cancel();
    let drained = async {
        let deadline = Instant::now() + DRAIN_TIMEOUT;
        listener.drain(DRAIN_TIMEOUT).await;
        // Waits for calls that continue although their client has disconnected.
        mcp.finish(deadline).await;
    };
    tokio::select! {
        () = drained => Ok(()),
        signal = signals.next() => bail!("stopped immediately by a second {signal}"),
    }
}

#[cfg(test)]
mod tests;
