//! One implementation for both databases. The statements are the same text (`$1` placeholders,
//! `RETURNING`, integers and text only), so each is written once and proven twice, by the conformance
//! suite. What differs is in `pools.rs`, `database.rs` and `tx.rs` (connections, beginning a write,
//! locking a row), in `watch/` (what others write) and in the migrations.
//!
//! Locks are taken in one order, so that writers never wait for each other in a circle: a server's row
//! before anything that belongs to it, then the owner's (for a slug), the owner's counters last (by trigger).

mod api_keys;
mod audit;
mod backup;
mod bulk;
mod calls;
mod conditions;
mod database;
mod endpoint_keys;
mod keys_in_use;
mod migrations;
mod notices;
mod owner_counts;
mod pools;
mod prompts;
mod published_servers;
mod pulse;
mod resources;
mod row;
mod secrets;
mod server_copy;
mod server_list;
mod server_lock;
mod servers;
mod soundness;
mod tool_order;
mod tools;
mod turns;
mod tx;
mod usage;
mod users;
mod watch;
mod writer;

use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use toolgate_domain::time::Timestamp;
use zeroize::Zeroizing;

use crate::sealing::{KeySource, Keyring};
use crate::{ChangeListener, OpenError, Result, Storage};
pub use backup::{Backup, Staged};
use database::Database;
use pools::IfMissing;

/// Storage in SQLite or PostgreSQL.
#[derive(Debug)]
pub struct SqlStorage {
    db: Database,
    keys: Arc<dyn KeySource>,
    keyring: RwLock<Arc<Keyring>>,
    /// What is known of the calls that are stored.
    known: calls::Known,
}

impl SqlStorage {
    /// Opens the database at `url`, made where it is missing, brings its schema up to date, and checks that the keyring
    /// opens what is sealed in it.
    pub async fn open(url: &str, keys: Arc<dyn KeySource>, now: Timestamp) -> std::result::Result<Self, OpenError> {
        let keyring = keys.load()?;
        let db = Database::open(url, IfMissing::Create).await?;
        db.migrate().await?;
        let storage = Self { db, keys, keyring: RwLock::new(Arc::new(keyring)), known: calls::Known::default() };
        storage.check_keys().await?;
        storage.register_first_key(now).await?;
        Ok(storage)
    }

    /// Opens the database of a service that runs, or has run: nothing is made, and a schema of another version is refused.
    pub async fn open_existing(url: &str, keys: Arc<dyn KeySource>) -> std::result::Result<Self, OpenError> {
        let keyring = keys.load()?;
        let db = Database::open(url, IfMissing::Refuse).await?;
        db.require_current_schema().await?;
        let storage = Self { db, keys, keyring: RwLock::new(Arc::new(keyring)), known: calls::Known::default() };
        storage.check_keys().await?;
        Ok(storage)
    }

    fn keyring(&self) -> Arc<Keyring> {
        Arc::clone(&self.keyring.read().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl Storage for SqlStorage {
    async fn ping(&self) -> Result<()> {
        self.db.fetch_optional("SELECT 1 AS one", vec![]).await.map(drop)
    }

    async fn reseal(&self, now: Timestamp) -> Result<u64> {
        self.reseal_all(now).await
    }

    async fn check(&self) -> Result<Vec<String>> {
        self.find_problems().await
    }

    fn listen(&self, listener: Arc<dyn ChangeListener>) {
        self.db.listen(listener);
    }

    fn signing_keys(&self, purpose: &str) -> Vec<Zeroizing<[u8; 32]>> {
        self.keyring().derive(&format!("signing:{purpose}"))
    }

    async fn close(&self) {
        self.db.close().await;
    }
}
