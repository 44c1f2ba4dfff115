//! Figures on the access to endpoints: the last use of keys. They are collected in memory without a lock and written to
//! the database at intervals, so that a request never waits for them. A crash loses those of the last interval.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use toolgate_domain::ids::EndpointKeyId;
use toolgate_domain::sync::lock;
use toolgate_domain::time::Timestamp;
use toolgate_storage::{AccessStore, KeyUse};

/// How often the figures are written.
const WRITE_INTERVAL: Duration = Duration::from_secs(10);
/// The longest time that a request for the figures waits until they are written.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// The database of the figures.
type AccessStorage = Arc<dyn AccessStore + Send + Sync>;

/// The last use of one key, in milliseconds since 1970; 0 if it was not used since the last write.
#[derive(Debug, Default)]
pub struct KeyLastUse(AtomicI64);

impl KeyLastUse {
    /// Notes that the key was used.
    pub fn record(&self, at: Timestamp) {
        // The value is independent of all other memory, so no ordering is needed.
        self.0.fetch_max(at.as_millis(), Ordering::Relaxed);
    }

    fn take(&self) -> Option<Timestamp> {
        Some(self.0.swap(0, Ordering::Relaxed)).filter(|millis| *millis != 0).map(Timestamp::from_millis)
    }
}

/// The figures that are not written yet.
pub struct AccessCounters {
    storage: AccessStorage,
    /// Locked when a server is compiled and when figures are written, never by a request.
    keys: Mutex<HashMap<EndpointKeyId, Arc<KeyLastUse>>>,
}

impl AccessCounters {
    /// Empty figures, which are written to `storage`.
    pub fn new(storage: Arc<dyn AccessStore + Send + Sync>) -> Arc<Self> {
        Arc::new(Self { storage, keys: Mutex::default() })
    }

    /// The last use of a key, as all snapshots of its server share it.
    pub fn key(&self, id: EndpointKeyId) -> Arc<KeyLastUse> {
        Arc::clone(lock(&self.keys).entry(id).or_default())
    }

    /// Writes the figures at intervals until `stopping` is cancelled.
    pub async fn run(self: Arc<Self>, stopping: CancellationToken) {
        while stopping.run_until_cancelled(sleep(WRITE_INTERVAL)).await.is_some() {
            self.write().await;
        }
    }

    /// Writes the figures now, and waits a short time for that.
    pub async fn flush(self: &Arc<Self>) {
        // A task of its own: the figures must not be lost if the caller is cancelled.
        let this = Arc::clone(self);
        let _ = timeout(FLUSH_TIMEOUT, tokio::spawn(async move { this.write().await })).await;
    }

    async fn write(&self) {
        let uses = self.take_key_uses();
        let skipped = if uses.is_empty() {
            Vec::new()
        } else {
            self.storage.record_key_uses(&uses).await.unwrap_or_else(|error| {
                tracing::warn!(error = ?error, "cannot store the last use of keys; retrying");
                uses
            })
        };
        let mut keys = lock(&self.keys);
        for KeyUse { key, at } in skipped {
            if let Some(last_use) = keys.get(&key) {
                last_use.record(at);
            }
        }
        // An entry without another reference belongs to no snapshot; a skipped use of it is given up.
        keys.retain(|_, last_use| Arc::strong_count(last_use) > 1);
    }

    fn take_key_uses(&self) -> Vec<KeyUse> {
        let keys = lock(&self.keys);
        keys.iter().filter_map(|(key, last_use)| Some(KeyUse { key: *key, at: last_use.take()? })).collect()
    }
}
