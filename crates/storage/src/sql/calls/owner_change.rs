//! Recorded calls and a hand-over of their server. Rollups of owners are moved, because reports read only them. Blocks
//! are not rewritten: the log decides by the table `server_owners` who may see their calls. The index gets entries for
//! the new owner, so that a scan of the owner's calls finds them.

use ahash::HashMap;
use sqlx::AssertSqlSafe;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::usage::{Grain, UsageScope};

use super::batch_rollups::{Rollup, RollupKey, RollupTally};
use crate::error::Result;
use crate::sql::row::{SqlRow, params};
use crate::sql::tx::Tx;
use crate::sql::usage_columns::totals_from_row;

/// Maximum number of rollups in memory at a time.
const ROLLUPS_PER_READ_MAX: i64 = 2000;

/// The rollups of a server (scope 2) after a key, in the order of the primary key.
const READ_SQL: &str = "SELECT grain, client_type, start, calls, failures, total_us, request_bytes, response_bytes, \
     tokens_out, tokens_saved, last_at, outcomes, latencies FROM usage WHERE scope = 2 AND scope_id = $1 AND (grain, client_type, start) > ($2, $3, $4) \
     ORDER BY grain, client_type, start LIMIT $5";

/// The tools of a server; the audit log has the deleted ones.
const TOOLS_SQL: &str = "SELECT id FROM tools WHERE server_id = $1 \
     UNION SELECT object_id FROM audit WHERE server_id = $1 AND object_kind = 'tool'";

/// Copies the index entries of a server (scope 2) to its owner (scope 1).
const INDEX_SQL: &str = "INSERT INTO call_index (scope, scope_id, block, oldest, outcomes, client_types, credentials, \
     addresses) SELECT 1, $2, block, oldest, outcomes, client_types, credentials, addresses FROM call_index \
     WHERE scope = 2 AND scope_id = $1 \
     ON CONFLICT (scope, scope_id, block) DO UPDATE SET outcomes = call_index.outcomes | excluded.outcomes, \
     client_types = call_index.client_types | excluded.client_types, \
     credentials = call_index.credentials | excluded.credentials, addresses = call_index.addresses | excluded.addresses";

impl Tx {
    /// The current owners of all servers that were ever handed over. A journal may still have calls that name an
    /// earlier owner.
    pub(super) async fn current_owners(&mut self) -> Result<HashMap<ServerId, UserId>> {
        let sql = "SELECT server_id, user_id FROM server_owners WHERE is_current = 1";
        let owner = |row: &SqlRow| Ok((ServerId(row.int("server_id")?), UserId(row.int("user_id")?)));
        self.fetch_all(sql, vec![]).await?.iter().map(owner).collect()
    }

    /// Moves the recorded calls of a server from one owner to another.
    pub(in crate::sql) async fn move_recorded_calls(
        &mut self,
        server: ServerId,
        from: UserId,
        to: UserId,
    ) -> Result<()> {
        self.lock_ingest().await?;
        self.record_owners(server, from, to).await?;
        self.move_rollups(server, from, to).await?;
        let sql = "UPDATE usage SET user_id = $2 WHERE scope = 2 AND scope_id = $1";
        self.execute(sql, params![server.0, to.0]).await?;
        let sql = format!("UPDATE usage SET user_id = $2 WHERE scope = 3 AND scope_id IN ({TOOLS_SQL})");
        self.execute(AssertSqlSafe(sql), params![server.0, to.0]).await?;
        self.execute(INDEX_SQL, params![server.0, to.0]).await
    }

    async fn record_owners(&mut self, server: ServerId, from: UserId, to: UserId) -> Result<()> {
        let sql = "INSERT INTO server_owners (server_id, user_id, is_current) VALUES ($1, $2, 0), ($1, $3, 1) \
                   ON CONFLICT (server_id, user_id) DO UPDATE SET is_current = excluded.is_current";
        self.execute(sql, params![server.0, from.0, to.0]).await
    }

    async fn move_rollups(&mut self, server: ServerId, from: UserId, to: UserId) -> Result<()> {
        let (mut grain, mut client_type, mut start) = (-1, String::new(), i64::MIN);
        loop {
            let params = params![server.0, grain, client_type, start, ROLLUPS_PER_READ_MAX];
            let rows = self.fetch_all(READ_SQL, params).await?;
            let Some(last) = rows.last() else { break };
            (grain, client_type, start) = (last.int("grain")?, last.text("client_type")?, last.int("start")?);
            self.add_rollup_rows(rollups_of_owner(to, &rows)?).await?;
            self.subtract_rollups(from, &rows).await?;
        }
        let sql = "DELETE FROM usage WHERE scope = 1 AND scope_id = $1 AND calls = 0";
        self.execute(sql, params![from.0]).await
    }

    async fn subtract_rollups(&mut self, owner: UserId, rows: &[SqlRow]) -> Result<()> {
        let mut stored = rollups_of_owner(owner, rows)?;
        for (_, rollup) in &mut stored {
            rollup.tally = RollupTally::default();
        }
        self.merge_stored_rollups(&mut stored).await?;
        for ((_, rollup), row) in stored.iter_mut().zip(rows) {
            rollup.tally.totals.subtract(&totals_from_row(row)?);
        }
        self.write_rollups(&stored).await
    }
}

/// The rollups of a server as rollups of its owner.
fn rollups_of_owner(owner: UserId, rows: &[SqlRow]) -> Result<Vec<(RollupKey, Rollup)>> {
    let rollup = |row: &SqlRow| {
        let grain = if row.int("grain")? == 0 { Grain::Hour } else { Grain::Day };
        let (client_type, start) = (row.text("client_type")?.into(), row.time("start")?);
        let key = RollupKey { scope: UsageScope::Owner(owner), grain, client_type, start };
        let tally = RollupTally { totals: totals_from_row(row)?, outcomes: row.int("outcomes")? };
        Ok((key, Rollup { user_id: owner.0, tally }))
    };
    rows.iter().map(rollup).collect()
}
