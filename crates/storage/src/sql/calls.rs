//! The call log: ingest of batches (`batch` runs the steps, one module each), pages (`log`) and retention (`days`).

mod batch;
mod batch_rollups;
mod bitmask;
mod block;
mod call_ids;
pub(super) mod client_types;
mod days;
mod incoming_call;
mod journals;
mod log;
mod log_rows;
mod old_blocks;
mod rollups;
mod span;

use std::borrow::Cow;

use async_trait::async_trait;
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::call::CallId;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use crate::calls::{CallBatch, CallPage, CallQuery, CallStore, JournalId, LoggedCall};
use crate::error::{Result, StorageError};

const NOT_FOUND: StorageError = StorageError::NotFound(ObjectKind::Call);

/// Cached facts about stored rows, which save queries in each batch. It can be cleared at any time.
#[derive(Debug, Default)]
pub(super) struct IngestCache {
    client_types: client_types::AdmittedTypes,
    days: days::KnownDays,
}

/// Converts a count to the type of its column.
fn saturating_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Replaces NUL characters, which PostgreSQL cannot store in text.
fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

#[async_trait]
impl CallStore for SqlStorage {
    async fn open_journal(&self, journal: &JournalId) -> Result<()> {
        self.register_journal(journal).await
    }

    async fn journal_position(&self, journal: &JournalId) -> Result<Option<u64>> {
        self.read_position(journal).await
    }

    async fn ingest_calls(&self, batch: CallBatch<'_>) -> Result<()> {
        let result = self.ingest(batch).await;
        if result.is_err() {
            self.ingest_cache.days.clear(); // another node may have dropped the partition of a cached day
        }
        result
    }

    async fn close_journal(&self, journal: &JournalId) -> Result<()> {
        self.delete_journal(journal).await
    }

    async fn calls(&self, query: &CallQuery) -> Result<CallPage> {
        self.read_page(query).await
    }

    async fn call(&self, visibility: Visibility, id: CallId) -> Result<LoggedCall> {
        self.find_call(visibility, id).await
    }

    async fn delete_calls_before(&self, cutoff: Timestamp) -> Result<bool> {
        self.delete_some_calls_before(cutoff).await
    }

    async fn prepare_partitions(&self, now: Timestamp) -> Result<()> {
        self.create_partitions_ahead(now).await
    }

    async fn lost_calls(&self) -> Result<u64> {
        self.count_lost_calls().await
    }
}
