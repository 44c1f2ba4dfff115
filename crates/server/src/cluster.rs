//! Joins the cluster if the settings contain a Redis URL. The nodes send change notifications through PostgreSQL and
//! also through Redis, so that a node whose connection to PostgreSQL was lost silently still receives them.

use std::sync::Arc;

use anyhow::{Context, bail};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_domain::node::NodeIdentity;
use toolgate_execution::cluster::{ClusterState, RedisUrl};
use toolgate_storage::{ChangeRelay, Storage};

use crate::exit::InvalidSettings;
use crate::settings::Settings;

/// The membership of this node in a cluster.
pub(crate) struct ClusterMembership {
    pub(crate) cluster: Arc<ClusterState>,
    tasks: TaskTracker,
}

/// Joins the cluster; `None` without a Redis URL.
pub(crate) async fn join(
    settings: &Settings,
    storage: &Arc<dyn Storage>,
    node: &NodeIdentity,
    stopping: &CancellationToken,
) -> anyhow::Result<Option<ClusterMembership>> {
    let Some(url) = redis_url(settings).map_err(InvalidSettings)? else { return Ok(None) };
    // The last key is the oldest. A rotation adds new keys before it, so all nodes still derive the same secret.
    let secret = storage.signing_keys("redis").pop().context("there is no encryption key for the shared state")?;
    let cluster = Arc::new(ClusterState::new(&url, settings.redis_timeout, &secret, &node.id)?);
    cluster.connect_at_start().await;
    relay_changes(storage, &cluster);
    let tasks = TaskTracker::new();
    let state = Arc::clone(&cluster);
    tasks.spawn(stopping.clone().run_until_cancelled_owned(async move { state.run_reconnect().await }));
    let state = Arc::clone(&cluster);
    tasks.spawn(stopping.clone().run_until_cancelled_owned(async move { state.run_announcements().await }));
    Ok(Some(ClusterMembership { cluster, tasks }))
}

/// Sends the change notifications of this node to other nodes through Redis, and passes received ones to the storage.
fn relay_changes(storage: &Arc<dyn Storage>, cluster: &Arc<ClusterState>) {
    storage.set_change_relay(Arc::new(RedisRelay(Arc::clone(cluster))));
    // A strong reference would be a cycle: the storage owns the relay, which owns the cluster state with this closure.
    let storage = Arc::downgrade(storage);
    cluster.set_change_receiver(move |notification| {
        if let Some(storage) = storage.upgrade() {
            storage.receive_relayed(notification);
        }
    });
}

struct RedisRelay(Arc<ClusterState>);

impl ChangeRelay for RedisRelay {
    fn send(&self, notification: String) {
        self.0.announce_change(notification);
    }
}

/// The Redis URL, with the certificates of `--redis-ca-file` if it is set.
fn redis_url(settings: &Settings) -> anyhow::Result<Option<RedisUrl>> {
    let Some(file) = &settings.redis_ca_file else { return Ok(settings.redis_url.clone()) };
    let Some(url) = &settings.redis_url else {
        bail!("--redis-ca-file (TOOLGATE_REDIS_CA_FILE) needs the URL of a Redis server: set --redis-url");
    };
    let setting = || format!("--redis-ca-file (TOOLGATE_REDIS_CA_FILE): {}", file.display());
    let pem = std::fs::read(file).with_context(setting)?;
    url.clone().with_ca_certificates(pem).map(Some).with_context(setting)
}

impl ClusterMembership {
    /// Removes this node from the cluster immediately; otherwise other nodes would count it until its heartbeat
    /// expires.
    pub(crate) async fn leave(self) {
        self.tasks.close();
        self.tasks.wait().await;
        self.cluster.leave().await;
    }
}
