//! Implements the storage traits for SQLite and PostgreSQL. Both databases run the same statements (`$1` placeholders,
//! `RETURNING`, integers and text only), and the conformance suite tests each statement on both. The differences are in
//! `pools.rs`, `database.rs`, `connection.rs` and `tx.rs` (connections, transactions, row locks), in `watch/` (changes
//! made by other processes) and in the migrations.
//!
//! `locks.rs` documents the order in which transactions lock rows.

mod access;
mod api_keys;
mod attached_credentials;
mod audit;
mod backup;
mod bulk;
mod calls;
mod change_bus;
mod columns;
mod conditions;
mod connection;
mod connection_waiters;
mod credential_names;
mod database;
mod database_copy;
mod document_content;
mod documents;
mod encryption_keys;
mod ended_grants;
mod ended_sessions;
mod endpoint_keys;
mod grants;
mod hand_over;
mod identities;
mod integrity;
mod liveness;
mod locks;
mod members;
mod migrations;
mod nodes;
mod notification;
mod oauth_clients;
mod oauth_servers;
mod object_names;
mod objects;
mod owner_counts;
mod partial_file;
mod pool_queue;
mod pools;
mod prompts;
mod published_servers;
mod recent_notifications;
mod resources;
mod row;
mod schema_version;
mod secrets;
mod server_access;
mod server_copy;
mod server_credentials;
mod server_list;
mod servers;
mod sign_in;
mod sqlite_writer;
mod tool_imports;
mod tool_order;
mod tool_origin;
mod tools;
mod tx;
mod usage;
mod usage_columns;
mod users;
mod watch;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use toolgate_domain::time::Timestamp;
use zeroize::Zeroizing;

use crate::changes::{ChangeListener, ChangeRelay, NotificationCounts};
use crate::error::{Result, StorageOpenError};
use crate::pool_state::PoolState;
use crate::sealing::{KeySource, Keyring};
use crate::storage::Storage;
pub use backup::{Backup, StagedBackup};
use database::SqlDatabase;
use pools::IfMissing;

/// Storage in SQLite or PostgreSQL.
#[derive(Debug)]
pub struct SqlStorage {
    db: SqlDatabase,
    keys: Arc<dyn KeySource>,
    keyring: RwLock<Arc<Keyring>>,
    keyring_version: AtomicU64,
    /// Cached facts about stored calls, reused for the next batch of ingest.
    ingest_cache: calls::IngestCache,
}

impl SqlStorage {
    /// Opens the database at `url`, creates a missing SQLite file, migrates the schema to the current version, and
    /// checks that the keyring opens the stored secrets.
    pub async fn open(
        url: &str,
        keys: Arc<dyn KeySource>,
        now: Timestamp,
    ) -> std::result::Result<Self, StorageOpenError> {
        let keyring = keys.load()?;
        let db = SqlDatabase::open(url, IfMissing::Create).await?;
        db.migrate().await?;
        let storage = Self::new(db, keys, keyring);
        storage.register_first_key(now).await?;
        Ok(storage)
    }

    /// Opens a database that a service has already set up: creates nothing, and rejects a schema of another version.
    pub async fn open_existing(url: &str, keys: Arc<dyn KeySource>) -> std::result::Result<Self, StorageOpenError> {
        let keyring = keys.load()?;
        let db = SqlDatabase::open(url, IfMissing::Refuse).await?;
        db.require_current_schema().await?;
        let storage = Self::new(db, keys, keyring);
        storage.check_keys().await?;
        Ok(storage)
    }

    fn new(db: SqlDatabase, keys: Arc<dyn KeySource>, keyring: Keyring) -> Self {
        Self {
            db,
            keys,
            keyring: RwLock::new(Arc::new(keyring)),
            keyring_version: AtomicU64::new(0),
            ingest_cache: calls::IngestCache::default(),
        }
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

    fn pool_states(&self) -> Vec<PoolState> {
        self.db.pools.states()
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

    fn set_change_relay(&self, relay: Arc<dyn ChangeRelay>) {
        self.db.change_bus.set_relay(relay);
    }

    fn receive_relayed(&self, notification: &str) {
        self.db.change_bus.receive_relayed(notification);
    }

    fn notification_counts(&self) -> NotificationCounts {
        self.db.change_bus.counts()
    }

    fn signing_keys(&self, purpose: &str) -> Vec<Zeroizing<[u8; 32]>> {
        self.keyring().derive(&format!("signing:{purpose}"))
    }

    fn keyring_version(&self) -> u64 {
        self.keyring_version.load(Ordering::Acquire)
    }

    async fn close(&self) {
        self.db.close().await;
    }
}
