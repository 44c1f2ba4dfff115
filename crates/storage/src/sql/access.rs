//! Figures on the access to endpoints.

use std::collections::HashSet;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::ids::{GrantId, ServerId};
use toolgate_domain::oauth::subject::SeenSubject;
use toolgate_domain::page::Listing;
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::time::Timestamp;

use super::SqlStorage;
use super::conditions::Conditions;
use super::locks::limit_and_offset;
use super::row::{SqlRow, params};
use super::server_access::{VISIBLE_SERVERS, caller_param};
use crate::access::{AccessStore, KeyUse, RefusalCount, RefusalQuery, RefusalTotals};
use crate::error::Result;
use crate::grants::GrantStore;

/// The id under which requests to servers that do not exist are stored.
const UNKNOWN_SERVER: i64 = 0;
/// The most keys of one statement.
const KEYS_MAX: usize = 500;

#[async_trait]
impl AccessStore for SqlStorage {
    async fn record_key_uses(&self, uses: &[KeyUse]) -> Result<Vec<KeyUse>> {
        let mut skipped = Vec::new();
        for uses in uses.chunks(KEYS_MAX) {
            skipped.extend(self.record_key_use_chunk(uses).await?);
        }
        Ok(skipped)
    }

    async fn store_grant_uses(&self, uses: &[(GrantId, Timestamp)]) -> Result<()> {
        self.record_grant_uses(uses).await
    }

    async fn store_subjects(&self, subjects: &[SeenSubject]) -> Result<()> {
        let mut subjects: Vec<&SeenSubject> = subjects.iter().collect();
        // All nodes lock the rows in the same order.
        subjects.sort_unstable_by_key(|subject| subject.id);
        let mut tx = self.db.begin().await?;
        for SeenSubject { id, issuer, subject, name, seen_at } in subjects {
            let sql = "INSERT INTO oauth_subjects (id, issuer, subject, name, first_seen, last_seen) \
                       VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (id) DO UPDATE SET \
                       name = COALESCE(excluded.name, oauth_subjects.name), last_seen = excluded.last_seen \
                       WHERE oauth_subjects.last_seen <= excluded.last_seen";
            tx.execute(sql, params![id.0, issuer.as_str(), subject.as_str(), name.clone(), *seen_at]).await?;
        }
        tx.commit().await
    }

    async fn delete_subjects_before(&self, cutoff: Timestamp) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.execute("DELETE FROM oauth_subjects WHERE last_seen < $1", params![cutoff]).await?;
        tx.commit().await
    }

    async fn add_refusals(&self, hour: Timestamp, counts: &[RefusalCount]) -> Result<()> {
        let mut counts: Vec<(i64, &RefusalCount)> =
            counts.iter().map(|count| (count.server.map_or(UNKNOWN_SERVER, |id| id.0), count)).collect();
        // All nodes lock the rows in the same order.
        counts.sort_unstable_by_key(|(server, count)| (*server, count.reason.as_str()));
        let mut tx = self.db.begin().await?;
        for (server, count) in counts {
            let sql = "INSERT INTO refusals (server_id, hour, reason, requests) VALUES ($1, $2, $3, $4) \
                       ON CONFLICT (server_id, hour, reason) DO UPDATE SET requests = refusals.requests + excluded.requests";
            let requests = i64::try_from(count.requests).unwrap_or(i64::MAX);
            tx.execute(sql, params![server, hour, count.reason.as_str(), requests]).await?;
        }
        tx.commit().await
    }

    async fn refusals(&self, query: &RefusalQuery) -> Result<Listing<RefusalTotals>> {
        let mut conditions = refusal_conditions(query);
        let groups = format!("FROM refusals {} GROUP BY server_id, reason", conditions.to_where_clause());
        let sql = format!("SELECT COUNT(*) AS total FROM (SELECT server_id {groups}) g");
        let total = self.db.fetch_one(AssertSqlSafe(sql), conditions.params.clone()).await?.int("total")?;
        let [limit, offset] = limit_and_offset(query.page).map(|param| conditions.bind(param));
        let sql = format!(
            "SELECT g.server_id, g.reason, g.requests, g.last_hour, COALESCE(s.name, f.name) AS server_name FROM \
             (SELECT server_id, reason, CAST(SUM(requests) AS BIGINT) AS requests, MAX(hour) AS last_hour {groups}) g \
             LEFT JOIN servers s ON s.id = g.server_id \
             LEFT JOIN former_names f ON f.kind = 'server' AND f.id = g.server_id \
             ORDER BY g.requests DESC, g.server_id, g.reason LIMIT {limit} OFFSET {offset}"
        );
        let rows = self.db.fetch_all(AssertSqlSafe(sql), conditions.params).await?;
        Ok(Listing { items: rows.iter().map(totals_from_row).collect::<Result<_>>()?, total })
    }

    async fn delete_refusals_before(&self, cutoff: Timestamp) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.execute("DELETE FROM refusals WHERE hour < $1", params![cutoff]).await?;
        tx.commit().await
    }
}

fn refusal_conditions(query: &RefusalQuery) -> Conditions {
    let mut conditions = Conditions::default();
    conditions.add("hour >= $", query.from);
    conditions.add("hour < $", query.until);
    if let Some(server) = query.server {
        conditions.add("server_id = $", server.0);
    }
    if let Some(user) = caller_param(query.visibility) {
        conditions.add(&format!("server_id IN {VISIBLE_SERVERS}"), user);
    }
    conditions
}

fn totals_from_row(row: &SqlRow) -> Result<RefusalTotals> {
    Ok(RefusalTotals {
        server: Some(row.int("server_id")?).filter(|id| *id != UNKNOWN_SERVER).map(ServerId),
        server_name: row.opt_text("server_name")?,
        reason: row.parsed("reason", RefusalReason::parse)?,
        requests: row.count("requests")?,
        last_hour: row.time("last_hour")?,
    })
}

impl SqlStorage {
    /// Locks the keys without waiting: this transaction holds no lock on their servers, so waiting for a key could form
    /// a cycle with a transaction that deletes a server (see `locks.rs`).
    async fn record_key_use_chunk(&self, uses: &[KeyUse]) -> Result<Vec<KeyUse>> {
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
