//! What the endpoint knows of each server: an immutable, compiled snapshot, made on first use and kept until storage says
//! that it changed. Storage says so after the commit and before the write returns, so whoever asks next sees the
//! change; and no call touches the database. 100,000 servers cost nothing until they are called.

mod fresh;
mod lists;
mod names;
mod owner_keys;
mod prompts;
mod published;
mod resources;
mod tools;

use std::sync::Arc;

use domain::ids::{PublicId, UserId};
use moka::notification::RemovalCause;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use storage::{Change, ChangeListener, Storage, StorageError};
use tokio::sync::watch;

use fresh::Fresh;
pub(crate) use lists::Lists;
use owner_keys::OwnerKeys;
pub(crate) use published::{Freshness, Published};
pub(crate) use resources::{PublishedResource, Source, Variables};
pub(crate) use tools::PublishedTool;

/// What all snapshots together may weigh, in KiB of the configuration they were made from.
const WEIGHT_MAX: u64 = 64 * 1024;
/// What one snapshot counts at most: a server of any size is kept, beside others.
const WEIGHT_OF_ONE: u32 = 8 * 1024;
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
}

impl Catalog {
    /// A catalog that follows every change of `storage`.
    pub fn new(storage: &Arc<dyn Storage>, version: &'static str) -> Arc<Self> {
        let servers = Cache::builder()
            .max_capacity(WEIGHT_MAX)
            .eviction_policy(EvictionPolicy::lru())
            .weigher(|_, server: &Arc<Fresh<Published>>| server.weight().clamp(1, WEIGHT_OF_ONE))
            .eviction_listener(|_, server: Arc<Fresh<Published>>, cause| {
                // Whoever watches it finds the next one; put back with its weight, it is still the same.
                if cause != RemovalCause::Replaced {
                    server.make_stale();
                }
            })
            .build();
        let owners = Cache::builder().max_capacity(OWNERS_MAX).eviction_policy(EvictionPolicy::lru()).build();
        let catalog = Arc::new(Self { storage: Arc::clone(storage), version, servers, owners });
        storage.listen(Arc::clone(&catalog) as Arc<dyn ChangeListener>);
        catalog
    }

    /// The server of this public id; `None` when there is none.
    pub(crate) async fn server(&self, public_id: &str) -> Result<Option<Arc<Published>>, CatalogError> {
        if let Some(published) = self.servers.get(public_id).and_then(|entry| entry.current()) {
            return Ok(Some(published));
        }
        self.load(public_id).await
    }

    async fn load(&self, public_id: &str) -> Result<Option<Arc<Published>>, CatalogError> {
        let key: Arc<str> = public_id.into();
        // It is there before its content is read: a change in between makes it stale.
        let entry = self.servers.get_with(Arc::clone(&key), Arc::default);
        let loaded = entry.get(|| self.read(public_id)).await;
        match &loaded {
            // Once more, with its weight.
            Ok(Some(published)) if entry.set_weight(published.weight) => self.servers.insert(key, entry),
            Ok(Some(_)) => {}
            // Strangers may ask for anything; what is not there is not kept.
            Ok(None) | Err(_) => self.servers.invalidate(&*key),
        }
        loaded
    }

    async fn read(&self, public_id: &str) -> Result<Option<Published>, CatalogError> {
        let public_id = PublicId::from_stored(public_id.to_owned());
        let Some(stored) = self.storage.published_server(&public_id).await? else { return Ok(None) };
        let version = self.version;
        // Schemas of a hostile author may take long to compile.
        let compiled = tokio::task::spawn_blocking(move || Published::compile(stored, version)).await;
        compiled.map(Some).map_err(|panic| {
            tracing::error!(%panic, "a server could not be compiled");
            CatalogError::Compile
        })
    }

    /// The management keys of a server's owner.
    pub(crate) async fn owner_keys(&self, owner: UserId) -> Result<Arc<OwnerKeys>, CatalogError> {
        let entry = self.owners.get_with(owner, Arc::default);
        if let Some(keys) = entry.current() {
            return Ok(keys);
        }
        let keys = entry.get(|| async { Ok(Some(OwnerKeys::new(self.storage.owner_keys(owner).await?))) });
        Ok(keys.await?.unwrap_or_default())
    }

    /// Tells when a server may have changed; to be asked for before the state it is to be compared with.
    pub(crate) fn watch(&self, public_id: &str) -> watch::Receiver<()> {
        self.servers.get_with(public_id.into(), Arc::default).watch()
    }

    /// Tells when an owner's keys may have changed; to be asked for before they are looked at.
    pub(crate) fn watch_owner_keys(&self, owner: UserId) -> watch::Receiver<()> {
        self.owners.get_with(owner, Arc::default).watch()
    }
}

impl ChangeListener for Catalog {
    fn changed(&self, change: &Change) {
        match change {
            Change::Server(public_id) => {
                if let Some(entry) = self.servers.get(public_id.as_str()) {
                    entry.make_stale();
                }
            }
            Change::OwnerKeys(user_id) => {
                if let Some(entry) = self.owners.get(user_id) {
                    entry.make_stale();
                }
            }
            Change::Everything => {
                self.servers.iter().for_each(|(_, entry)| entry.make_stale());
                self.owners.iter().for_each(|(_, entry)| entry.make_stale());
            }
        }
    }
}
