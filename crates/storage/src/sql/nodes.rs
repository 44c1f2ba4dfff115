//! The list of nodes.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::node::{ListedNode, NodeIdentity, NodeStatus};
use toolgate_domain::time::{DAY_MS, Timestamp};

use super::SqlStorage;
use super::database::SqlDatabase;
use super::row::{SqlRow, params};
use super::schema_version::NEWEST;
use crate::error::Result;
use crate::nodes::{NodeHeartbeat, NodeStore};

/// A node that was not seen for this long is lost: three heartbeats.
pub(super) const LOST_AFTER_MS: i64 = 30_000;
/// Earlier starts of a node are removed after this time. A second running node with the same name is not, because it is
/// seen more often.
const SUPERSEDED_AFTER_MS: i64 = 60_000;

#[async_trait]
impl NodeStore for SqlStorage {
    async fn record_heartbeat(&self, heartbeat: &NodeHeartbeat) -> Result<()> {
        let NodeHeartbeat { identity: NodeIdentity { id, name, version, address }, uptime, status } = heartbeat;
        let uptime_ms = i64::try_from(uptime.as_millis()).unwrap_or(i64::MAX);
        let now = self.db.now_sql();
        let upsert = format!(
            "INSERT INTO nodes (id, name, version, address, started_at, last_seen_at, status, schema_version) \
             VALUES ($1, $2, $3, $4, {now} - $5, {now}, $6, $7) \
             ON CONFLICT (id) DO UPDATE SET last_seen_at = excluded.last_seen_at, status = excluded.status"
        );
        let remove_old = format!(
            "DELETE FROM nodes WHERE last_seen_at < {now} - {DAY_MS} \
             OR (name = $1 AND id <> $2 AND last_seen_at < {now} - {SUPERSEDED_AFTER_MS})"
        );
        let mut tx = self.db.begin().await?;
        let values =
            params![id.as_str(), name.as_str(), version.as_str(), address.clone(), uptime_ms, status.as_str(), NEWEST];
        tx.execute(AssertSqlSafe(upsert), values).await?;
        tx.execute(AssertSqlSafe(remove_old), params![name.as_str(), id.as_str()]).await?;
        tx.commit().await
    }

    async fn nodes(&self) -> Result<Vec<ListedNode>> {
        let sql = format!("SELECT nodes.*, {} AS read_at FROM nodes ORDER BY name, started_at, id", self.db.now_sql());
        self.db.fetch_all(AssertSqlSafe(sql), vec![]).await?.iter().map(node_from_row).collect()
    }

    async fn remove_node(&self, id: &str) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.execute("DELETE FROM nodes WHERE id = $1", params![id]).await?;
        tx.commit().await
    }
}

impl SqlDatabase {
    /// The clock of the database, in milliseconds since 1970.
    pub(super) fn now_sql(&self) -> &'static str {
        if self.is_sqlite() {
            "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
        } else {
            "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
        }
    }
}

fn node_from_row(row: &SqlRow) -> Result<ListedNode> {
    let (last_seen_at, read_at) = (row.time("last_seen_at")?, row.time("read_at")?);
    let status = NodeStatus::parse(&row.text("status")?).unwrap_or(NodeStatus::Unknown);
    Ok(ListedNode {
        identity: NodeIdentity {
            id: row.text("id")?,
            name: row.text("name")?,
            version: row.text("version")?,
            address: row.opt_text("address")?,
        },
        started_at: row.time("started_at")?,
        last_seen_at,
        status: if is_lost(last_seen_at, read_at) { NodeStatus::Lost } else { status },
    })
}

fn is_lost(last_seen_at: Timestamp, read_at: Timestamp) -> bool {
    read_at.as_millis().saturating_sub(last_seen_at.as_millis()) > LOST_AFTER_MS
}
