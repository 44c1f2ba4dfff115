//! A database that records its operations, and whose responses may be lost.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Mutex;

use async_trait::async_trait;
use tokio::sync::watch;
use toolgate_domain::call::{CallId, CapturedPayload};
use toolgate_storage::{CallBatch, CallPage, CallStore, LoggedCall, Result, StorageError};

use super::*;

/// What happens to the next batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BatchBehaviour {
    /// It is stored.
    #[default]
    Stored,
    /// It is stored, but an error is returned.
    StoredButFails,
    /// It is not stored, and the operation never returns.
    NeverReturns,
}

/// A real database with a log of operations.
pub(super) struct ObservedStorage {
    real: Arc<dyn Storage>,
    next_behaviour: Mutex<BatchBehaviour>,
    operations: watch::Sender<Vec<String>>,
}

impl ObservedStorage {
    pub(super) fn new(fixture: &IngestFixture, behaviour: BatchBehaviour) -> Arc<Self> {
        let real = Arc::clone(&fixture.storage);
        Arc::new(Self { real, next_behaviour: Mutex::new(behaviour), operations: watch::Sender::default() })
    }

    /// Waits until this operation is in the log.
    pub(super) async fn wait_for(&self, operation: &str) {
        let mut operations = self.operations.subscribe();
        let waiting = operations.wait_for(|operations| operations.iter().any(|logged| logged == operation));
        timeout(TEST_TIMEOUT, waiting).await.expect(operation).unwrap();
    }

    /// The operations that ingested a batch, in order.
    pub(super) fn ingest_operations(&self) -> Vec<String> {
        self.operations.borrow().iter().filter(|operation| operation.starts_with("ingest ")).cloned().collect()
    }

    fn log(&self, operation: String) {
        self.operations.send_modify(|operations| operations.push(operation));
    }
}

#[async_trait]
impl CallStore for ObservedStorage {
    async fn open_journals(&self, journals: &[JournalId]) -> Result<()> {
        self.real.open_journals(journals).await
    }

    async fn journal_position(&self, journal: &JournalId) -> Result<Option<u64>> {
        self.real.journal_position(journal).await
    }

    async fn ingest_calls(&self, batches: Vec<CallBatch<'_>>) -> Result<()> {
        let journals: Vec<&str> = batches.iter().map(|batch| batch.journal.0.as_str()).collect();
        self.log(format!("ingest {}", journals.join(" ")));
        let behaviour = std::mem::take(&mut *self.next_behaviour.lock().unwrap());
        if behaviour == BatchBehaviour::NeverReturns {
            return pending().await;
        }
        self.real.ingest_calls(batches).await?;
        match behaviour {
            // Any error except `NotFound` will do.
            BatchBehaviour::StoredButFails => Err(StorageError::InUse("the response is lost".to_owned())),
            _ => Ok(()),
        }
    }

    async fn close_journal(&self, journal: &JournalId) -> Result<()> {
        self.real.close_journal(journal).await
    }

    async fn calls(&self, query: &CallQuery) -> Result<CallPage> {
        self.real.calls(query).await
    }

    async fn call(&self, visibility: Visibility, id: CallId) -> Result<LoggedCall> {
        self.real.call(visibility, id).await
    }

    async fn captured_payloads(
        &self,
        visibility: Visibility,
        calls: &[&LoggedCall],
    ) -> Result<HashMap<CallId, CapturedPayload>> {
        self.real.captured_payloads(visibility, calls).await
    }

    async fn delete_calls_before(&self, cutoff: Timestamp) -> Result<bool> {
        let has_more = self.real.delete_calls_before(cutoff).await?;
        if !has_more {
            self.log("all deleted".to_owned());
        }
        Ok(has_more)
    }

    async fn prepare_partitions(&self, now: Timestamp) -> Result<()> {
        self.real.prepare_partitions(now).await
    }

    async fn lost_calls(&self) -> Result<u64> {
        self.real.lost_calls().await
    }
}
