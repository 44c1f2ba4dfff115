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
mod key_rollups;
mod log;
mod log_rows;
mod merged_calls;
mod old_blocks;
mod owner_change;
mod rollups;
mod span;

use std::borrow::Cow;
use std::collections::HashMap;

use async_trait::async_trait;
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::call::{CallId, CapturedPayload};
use toolgate_domain::time::{DAY_MS, Timestamp};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::row::params;
use crate::calls::{CallBatch, CallPage, CallQuery, CallStore, JournalId, LoggedCall};
use crate::error::{Result, StorageError};

const NOT_FOUND: StorageError = StorageError::NotFound(ObjectKind::Call);

/// Cached facts about stored rows, which save queries in each batch. It can be cleared at any time.
#[derive(Debug, Default)]
pub(super) struct IngestCache {
    client_types: client_types::AdmittedTypes,
    days: days::KnownDays,
}

/// Replaces NUL characters, which PostgreSQL cannot store in text.
fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

#[async_trait]
impl CallStore for SqlStorage {
    async fn open_journals(&self, journals: &[JournalId]) -> Result<()> {
        let mut tx = self.db.begin().await?;
        for journal in journals {
            let sql = "INSERT INTO journals (id, position) VALUES ($1, 0) ON CONFLICT (id) DO NOTHING";
            tx.execute(sql, params![journal.0.as_str()]).await?;
        }
        tx.commit().await
    }

    async fn journal_position(&self, journal: &JournalId) -> Result<Option<u64>> {
        let row = self.db.fetch_optional(journals::SELECT_POSITION, params![journal.0.as_str()]).await?;
        row.map(|row| row.count("position")).transpose()
    }

    async fn ingest_calls(&self, batches: Vec<CallBatch<'_>>) -> Result<()> {
        let result = self.ingest(batches).await;
        if result.is_err() {
            self.ingest_cache.days.clear(); // another node may have dropped the partition of a cached day
        }
        result
    }

    async fn close_journal(&self, journal: &JournalId) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.execute("DELETE FROM journals WHERE id = $1", params![journal.0.as_str()]).await?;
        tx.commit().await
    }

    async fn calls(&self, query: &CallQuery) -> Result<CallPage> {
        self.read_page_within(query, log::SCAN_LIMITS).await
    }

    async fn call(&self, visibility: Visibility, id: CallId) -> Result<LoggedCall> {
        self.find_call(visibility, id).await
    }

    async fn captured_payloads(
        &self,
        visibility: Visibility,
        calls: &[&LoggedCall],
    ) -> Result<HashMap<CallId, CapturedPayload>> {
        self.find_payloads(visibility, calls).await
    }

    async fn delete_calls_before(&self, cutoff: Timestamp) -> Result<bool> {
        let mut tx = self.db.begin().await?;
        let has_more = if tx.is_postgres() {
            self.ingest_cache.days.clear();
            tx.drop_oldest_day_before(cutoff).await?
        } else {
            tx.delete_some_blocks_before(CallId::first_at(cutoff)).await?
        };
        tx.commit().await?;
        Ok(has_more)
    }

    async fn prepare_partitions(&self, now: Timestamp) -> Result<()> {
        if self.db.is_sqlite() {
            return Ok(());
        }
        let mut tx = self.db.begin().await?;
        tx.lock_ingest().await?;
        let ids = [now, now.plus_millis(DAY_MS)].map(CallId::first_at);
        let days = tx.create_missing_partitions(&self.ingest_cache.days, &[], &ids).await?;
        tx.commit().await?;
        self.ingest_cache.days.extend(days);
        Ok(())
    }

    async fn lost_calls(&self) -> Result<u64> {
        let sql = "SELECT CAST(COALESCE(SUM(calls), 0) AS BIGINT) AS lost FROM lost_calls";
        self.db.fetch_one(sql, vec![]).await?.count("lost")
    }
}
