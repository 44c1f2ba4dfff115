//! Cache of compiled server snapshots. A snapshot is immutable, compiled on first use, and valid until storage reports
//! a change. Storage reports a change after the commit and before the write returns, so the next request sees it. A
//! call reads the database only after a change, and a server uses no memory until it is called.

pub(crate) mod built_in;
mod cached_value;
mod compile_limits;
pub(crate) mod endpoint_access;
pub(crate) mod endpoint_keys;
pub(crate) mod external_access;
pub(crate) mod lists;
mod names;
mod owner_keys;
mod prompts;
pub(crate) mod resources;
pub(crate) mod snapshot;
pub(crate) mod tool_discovery;
pub(crate) mod tools;
mod watchers;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ahash::HashMap;
use moka::ops::compute::Op;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;
use toolgate_analytics::AccessCounters;
use toolgate_domain::ids::{PublicId, ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::TOOLS_MAX;
use toolgate_domain::user::Visibility;
use toolgate_storage::{
    ChangeEvent, ChangeListener, OwnerKey, PublishedServer, Storage, StorageError, ToolUsageQuery, UsageByTool,
};

use cached_value::CachedValue;
use compile_limits::CompileLimits;
use owner_keys::OwnerKeys;
use snapshot::ServerSnapshot;
use watchers::Watchers;

/// The total weight of all snapshots, in KiB of their configuration.
const CATALOG_WEIGHT_MAX: u64 = 64 * 1024;
/// The largest weight of one snapshot: below the total, so that a server of any size can be cached.
const SNAPSHOT_WEIGHT_MAX: u32 = 63 * 1024;
/// The most owners whose keys are cached.
const OWNERS_MAX: u64 = 10_000;
/// The time limit for counting the calls of tools, which only improve the order of search results.
const TOOL_CALLS_TIMEOUT: Duration = Duration::from_secs(1);

type Servers = Cache<Arc<str>, Arc<CachedValue<ServerSnapshot>>>;

/// Why a server or the keys of an owner cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CatalogError {
    #[error("the server cannot be read")]
    Storage(#[from] StorageError),
    #[error("the database does not respond in time")]
    TooSlow,
    #[error("the server cannot be compiled")]
    Compile,
}

/// The server snapshots of this node.
pub struct Catalog {
    storage: Arc<dyn Storage>,
    counters: Arc<AccessCounters>,
    version: &'static str,
    servers: Servers,
    owners: Cache<UserId, Arc<CachedValue<OwnerKeys>>>,
    pub(crate) watchers: Watchers,
    compile_limits: CompileLimits,
    compile_tasks: TaskTracker,
    /// Compilations of servers since the start of the process.
    compilations: AtomicU64,
}

impl Catalog {
    /// A catalog that listens to the changes of `storage`.
    pub fn new(storage: &Arc<dyn Storage>, counters: Arc<AccessCounters>, version: &'static str) -> Arc<Self> {
        let servers = Cache::builder()
            .max_capacity(CATALOG_WEIGHT_MAX)
            .eviction_policy(EvictionPolicy::lru())
            .weigher(|_, server: &Arc<CachedValue<ServerSnapshot>>| server.weight().clamp(1, SNAPSHOT_WEIGHT_MAX))
            .build();
        let owners = Cache::builder().max_capacity(OWNERS_MAX).build();
        let catalog = Arc::new(Self {
            storage: Arc::clone(storage),
            counters,
            version,
            servers,
            owners,
            watchers: Watchers::default(),
            compile_limits: CompileLimits::default(),
            compile_tasks: TaskTracker::new(),
            compilations: AtomicU64::new(0),
        });
        storage.listen(Arc::clone(&catalog) as Arc<dyn ChangeListener>);
        catalog
    }

    /// The server with this public id; `None` if there is none.
    pub(crate) async fn server(self: &Arc<Self>, public_id: &str) -> Result<Option<Arc<ServerSnapshot>>, CatalogError> {
        if let Some(entry) = self.servers.get(public_id)
            && let Some(snapshot) = entry.current()
        {
            if entry.claim_refresh() {
                let (catalog, public_id) = (Arc::clone(self), public_id.to_owned());
                self.compile_tasks.spawn(async move {
                    let compile = |stored, last| catalog.compile(stored, last);
                    entry.refresh(catalog.read(&public_id), compile).await;
                });
            }
            return Ok(Some(snapshot));
        }
        self.load(public_id).await
    }

    async fn load(&self, public_id: &str) -> Result<Option<Arc<ServerSnapshot>>, CatalogError> {
        let key: Arc<str> = public_id.into();
        // The entry is inserted before the database is read, so that a change in between invalidates it.
        let entry = self.servers.get_with(Arc::clone(&key), Arc::default);
        let loaded = entry.get(|| self.read(public_id), |stored, last| self.compile(stored, last)).await;
        let is_new_weight = matches!(&loaded, Ok(Some(snapshot)) if entry.set_weight(snapshot.weight));
        // Unauthenticated callers can request any id, so ids without a server are not cached.
        let is_absent = !matches!(&loaded, Ok(Some(_)));
        if is_new_weight || is_absent {
            // Replaces only this entry: a newer one may have seen changes that this one missed.
            self.servers.entry(key).and_compute_with(|current| match current {
                Some(current) if !Arc::ptr_eq(current.value(), &entry) => Op::Nop,
                Some(_) if is_absent => Op::Remove,
                Some(_) => Op::Put(entry),
                None => Op::Nop,
            });
        }
        loaded
    }

    async fn read(&self, public_id: &str) -> Result<Option<PublishedServer>, CatalogError> {
        Ok(self.storage.published_server(&PublicId::from_stored(public_id.to_owned())).await?)
    }

    /// Compiles in a spawned task, which is not cancelled with its caller. Unchanged tools are reused from `last`.
    fn compile(
        &self,
        stored: PublishedServer,
        last: Option<Arc<ServerSnapshot>>,
    ) -> JoinHandle<Option<ServerSnapshot>> {
        let (version, limit) = (self.version, self.compile_limits.semaphore(&stored, last.as_deref()));
        let counters = Arc::clone(&self.counters);
        self.compilations.fetch_add(1, Ordering::Relaxed);
        self.compile_tasks.spawn(async move {
            let _permit = limit.acquire_owned().await.ok()?;
            // Hostile schemas can take long to compile, so this must not block a runtime thread.
            let compile = move || ServerSnapshot::compile(stored, last.as_deref(), version, &counters);
            let compiled = spawn_blocking(compile).await;
            compiled.inspect_err(|panic| tracing::error!(%panic, "cannot compile a server")).ok()
        })
    }

    /// The number of servers in memory, and the approximate size of their configuration in bytes. Both can lag behind
    /// by some requests.
    pub(crate) fn size(&self) -> (u64, u64) {
        (self.servers.entry_count(), self.servers.weighted_size() * 1024)
    }

    /// Compilations of servers since the start of the process.
    pub(crate) fn compilations(&self) -> u64 {
        self.compilations.load(Ordering::Relaxed)
    }

    /// The management keys of a server's owner.
    pub(crate) async fn owner_keys(self: &Arc<Self>, owner: UserId) -> Result<Arc<OwnerKeys>, CatalogError> {
        let entry = self.owners.get_with(owner, Arc::default);
        if let Some(keys) = entry.current() {
            if entry.claim_refresh() {
                let catalog = Arc::clone(self);
                self.compile_tasks.spawn(async move {
                    entry.refresh(catalog.read_keys(owner), |keys, _| catalog.compile_keys(keys)).await;
                });
            }
            return Ok(keys);
        }
        let loaded = entry.get(|| self.read_keys(owner), |keys, _| self.compile_keys(keys)).await;
        Ok(loaded?.unwrap_or_default())
    }

    /// The number of calls of each tool of a server within a time range; empty if the database is too slow.
    pub(crate) async fn tool_calls(&self, server: ServerId, from: Timestamp, until: Timestamp) -> HashMap<ToolId, u64> {
        let query = ToolUsageQuery {
            visibility: Visibility::All,
            server: Some(server),
            from,
            until,
            tools_max: u32::try_from(TOOLS_MAX).unwrap_or(u32::MAX),
            rollups_max: u64::MAX,
        };
        match timeout(TOOL_CALLS_TIMEOUT, self.storage.usage_by_tool(&query)).await {
            Ok(Ok(UsageByTool::Tools(tools))) => {
                tools.into_iter().map(|tool| (tool.tool_id, tool.totals.calls)).collect()
            }
            // The numbers only decide between tools that match equally well.
            _ => HashMap::default(),
        }
    }

    async fn read_keys(&self, owner: UserId) -> Result<Option<Vec<OwnerKey>>, CatalogError> {
        Ok(Some(self.storage.owner_keys(owner).await?))
    }

    fn compile_keys(&self, keys: Vec<OwnerKey>) -> JoinHandle<Option<OwnerKeys>> {
        self.compile_tasks.spawn(async { Some(OwnerKeys::new(keys)) })
    }
}

impl ChangeListener for Catalog {
    fn changed(&self, change: &ChangeEvent) {
        match change {
            ChangeEvent::Server(public_id) => {
                if let Some(entry) = self.servers.get(public_id.as_str()) {
                    entry.invalidate();
                }
                self.watchers.notify(public_id.as_str());
            }
            ChangeEvent::OwnerKeys(user_id) => {
                if let Some(entry) = self.owners.get(user_id) {
                    entry.invalidate();
                }
                // The catalog does not record which subscribers use a key of this owner, so it notifies all.
                self.watchers.notify_all();
            }
            ChangeEvent::SessionEnded(_) | ChangeEvent::GrantEnded(_) | ChangeEvent::EndedGrants => {}
            ChangeEvent::Everything => {
                self.servers.iter().for_each(|(_, entry)| entry.invalidate());
                self.owners.iter().for_each(|(_, entry)| entry.invalidate());
                self.watchers.notify_all();
            }
        }
    }
}
