//! What the endpoint knows of each server: an immutable, compiled snapshot, made on first use and kept until storage says
//! that it changed. Storage says so after the commit and before the write returns, so whoever asks next sees the
//! change; a call touches the database only to read what has changed. 100,000 servers cost nothing until they are called.

mod fresh;
mod lanes;
mod lists;
mod names;
mod owner_keys;
mod prompts;
mod published;
mod resources;
mod tools;
mod watchers;

use std::sync::Arc;

use moka::ops::compute::Op;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use tokio::sync::watch;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio_util::task::TaskTracker;
use toolgate_domain::ids::{PublicId, UserId};
use toolgate_storage::{Change, ChangeListener, OwnerKey, PublishedServer, Storage, StorageError};

use fresh::Fresh;
use lanes::Lanes;
pub(crate) use lists::Lists;
use owner_keys::OwnerKeys;
pub(crate) use published::{Freshness, Published};
pub(crate) use resources::{PublishedResource, Source, Variables};
pub(crate) use tools::PublishedTool;
use watchers::Watchers;

/// What all snapshots together may weigh, in KiB of the configuration they were made from.
const WEIGHT_MAX: u64 = 64 * 1024;
/// What one snapshot counts at most: a server of any size is kept, if need be alone.
const WEIGHT_OF_ONE: u32 = 63 * 1024;
/// Owners whose keys are kept.
const OWNERS_MAX: u64 = 10_000;

type Servers = Cache<Arc<str>, Arc<Fresh<Published>>>;

/// Why nothing is known of a server.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CatalogError {
    #[error("the server cannot be read")]
    Storage(#[from] StorageError),
    #[error("the database takes too long")]
    TooSlow,
    #[error("the server cannot be compiled")]
    Compile,
}

/// The snapshots of this node.
pub struct Catalog {
    storage: Arc<dyn Storage>,
    version: &'static str,
    servers: Servers,
    owners: Cache<UserId, Arc<Fresh<OwnerKeys>>>,
    watchers: Watchers,
    lanes: Lanes,
    compilers: TaskTracker,
}

impl Catalog {
    /// A catalog that follows every change of `storage`.
    pub fn new(storage: &Arc<dyn Storage>, version: &'static str) -> Arc<Self> {
        let servers = Cache::builder()
            .max_capacity(WEIGHT_MAX)
            .eviction_policy(EvictionPolicy::lru())
            .weigher(|_, server: &Arc<Fresh<Published>>| server.weight().clamp(1, WEIGHT_OF_ONE))
            .build();
        let owners = Cache::builder().max_capacity(OWNERS_MAX).build();
        let catalog = Arc::new(Self {
            storage: Arc::clone(storage),
            version,
            servers,
            owners,
            watchers: Watchers::default(),
            lanes: Lanes::default(),
            compilers: TaskTracker::new(),
        });
        storage.listen(Arc::clone(&catalog) as Arc<dyn ChangeListener>);
        catalog
    }

    /// The server of this public id; `None` when there is none.
    pub(crate) async fn server(self: &Arc<Self>, public_id: &str) -> Result<Option<Arc<Published>>, CatalogError> {
        if let Some(entry) = self.servers.get(public_id)
            && let Some(published) = entry.current()
        {
            if entry.wants_refresh() {
                let (catalog, public_id) = (Arc::clone(self), public_id.to_owned());
                self.compilers.spawn(async move {
                    let compile = |stored, last| catalog.compile(stored, last);
                    entry.refresh(catalog.read(&public_id), compile).await;
                });
            }
            return Ok(Some(published));
        }
        self.load(public_id).await
    }

    async fn load(&self, public_id: &str) -> Result<Option<Arc<Published>>, CatalogError> {
        let key: Arc<str> = public_id.into();
        // It is there before its content is read: a change in between makes it stale.
        let entry = self.servers.get_with(Arc::clone(&key), Arc::default);
        let loaded = entry.get(|| self.read(public_id), |stored, last| self.compile(stored, last)).await;
        let is_new_weight = matches!(&loaded, Ok(Some(published)) if entry.set_weight(published.weight));
        // Strangers may ask for anything; what is not there is not kept.
        let is_nothing = !matches!(&loaded, Ok(Some(_)));
        if is_new_weight || is_nothing {
            // Only this very entry: another may have taken its place, and know of changes that this one missed.
            self.servers.entry(key).and_compute_with(|held| match held {
                Some(held) if !Arc::ptr_eq(held.value(), &entry) => Op::Nop,
                Some(_) if is_nothing => Op::Remove,
                Some(_) => Op::Put(entry),
                None => Op::Nop,
            });
        }
        loaded
    }

    async fn read(&self, public_id: &str) -> Result<Option<PublishedServer>, CatalogError> {
        Ok(self.storage.published_server(&PublicId::from_stored(public_id.to_owned())).await?)
    }

    /// Compiles in a task of its own, which nobody can abandon. What did not change is taken from the last snapshot.
    fn compile(&self, stored: PublishedServer, last: Option<Arc<Published>>) -> JoinHandle<Option<Published>> {
        let (version, lane) = (self.version, self.lanes.of(&stored, last.as_deref()));
        self.compilers.spawn(async move {
            let _turn = lane.acquire_owned().await.ok()?;
            // Schemas of a hostile author may take long.
            let compiled = spawn_blocking(move || Published::compile(stored, last.as_deref(), version)).await;
            compiled.inspect_err(|panic| tracing::error!(%panic, "a server could not be compiled")).ok()
        })
    }

    /// The management keys of a server's owner.
    pub(crate) async fn owner_keys(self: &Arc<Self>, owner: UserId) -> Result<Arc<OwnerKeys>, CatalogError> {
        let entry = self.owners.get_with(owner, Arc::default);
        if let Some(keys) = entry.current() {
            if entry.wants_refresh() {
                let catalog = Arc::clone(self);
                self.compilers.spawn(async move {
                    entry.refresh(catalog.read_keys(owner), |keys, _| catalog.compile_keys(keys)).await;
                });
            }
            return Ok(keys);
        }
        let loaded = entry.get(|| self.read_keys(owner), |keys, _| self.compile_keys(keys)).await;
        Ok(loaded?.unwrap_or_default())
    }

    async fn read_keys(&self, owner: UserId) -> Result<Option<Vec<OwnerKey>>, CatalogError> {
        Ok(Some(self.storage.owner_keys(owner).await?))
    }

    fn compile_keys(&self, keys: Vec<OwnerKey>) -> JoinHandle<Option<OwnerKeys>> {
        self.compilers.spawn(async { Some(OwnerKeys::new(keys)) })
    }

    /// Tells when a server may have changed; `None` when too many listen already.
    pub(crate) fn watch(&self, public_id: &str) -> Option<watch::Receiver<()>> {
        self.watchers.watch(public_id)
    }
}

impl ChangeListener for Catalog {
    fn changed(&self, change: &Change) {
        match change {
            Change::Server(public_id) => {
                if let Some(entry) = self.servers.get(public_id.as_str()) {
                    entry.make_stale();
                }
                self.watchers.tell(public_id.as_str());
            }
            Change::OwnerKeys(user_id) => {
                if let Some(entry) = self.owners.get(user_id) {
                    entry.make_stale();
                }
                // Which of their servers somebody listens to with such a key is not known here.
                self.watchers.tell_all();
            }
            Change::Everything => {
                self.servers.iter().for_each(|(_, entry)| entry.make_stale());
                self.owners.iter().for_each(|(_, entry)| entry.make_stale());
                self.watchers.tell_all();
            }
        }
    }
}
