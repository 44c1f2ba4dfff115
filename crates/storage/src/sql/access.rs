//! Figures on the access to endpoints.

use std::collections::HashSet;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;

use super::SqlStorage;
use super::row::params;
use crate::access::{AccessStore, KeyUse};
use crate::error::Result;

/// The most keys of one statement.
const KEYS_MAX: usize = 500;

#[async_trait]
impl AccessStore for SqlStorage {
    async fn record_key_uses(&self, uses: &[KeyUse]) -> Result<Vec<KeyUse>> {
        let mut skipped = Vec::new();
        for uses in uses.chunks(KEYS_MAX) {
            skipped.extend(self.record_some_key_uses(uses).await?);
        }
        Ok(skipped)
    }
}

impl SqlStorage {
    /// Locks the keys without waiting: this transaction holds no lock on their servers, so waiting for a key could form
    /// a cycle with a transaction that deletes a server (see `locks.rs`).
    async fn record_some_key_uses(&self, uses: &[KeyUse]) -> Result<Vec<KeyUse>> {
        let mut tx = self.db.begin().await?;
        let ids: Vec<String> = uses.iter().map(|key_use| key_use.key.to_string()).collect();
        let lock = tx.row_lock_with(" FOR NO KEY UPDATE SKIP LOCKED");
        let sql = format!("SELECT id FROM endpoint_keys WHERE id IN ({}){lock}", ids.join(", "));
        let rows = tx.fetch_all(AssertSqlSafe(sql), vec![]).await?;
        let locked = rows.iter().map(|row| row.int("id")).collect::<Result<HashSet<_>>>()?;
        let (stored, skipped): (Vec<&KeyUse>, Vec<&KeyUse>) =
            uses.iter().partition(|key_use| locked.contains(&key_use.key.0));
        for KeyUse { key, at } in stored {
            let sql = "UPDATE endpoint_keys SET last_used_at = $2 \
                       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
            tx.execute(sql, params![key.0, *at]).await?;
        }
        tx.commit().await?;
        Ok(skipped.into_iter().copied().collect())
    }
}
