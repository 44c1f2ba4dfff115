//! Usage by server and credential.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use sqlx::AssertSqlSafe;
use toolgate_domain::call::CallCredential;
use toolgate_domain::ids::ServerId;

use crate::error::Result;
use crate::sql::SqlStorage;
use crate::sql::conditions::Conditions;
use crate::sql::row::SqlRow;
use crate::sql::server_access::{VISIBLE_SERVERS, caller_param};
use crate::sql::tx::Tx;
use crate::sql::usage_columns::totals_from_row;
use crate::usage::{KeyUsage, KeyUsageQuery, UsageByKey};

impl SqlStorage {
    pub(super) async fn usage_of_keys(&self, query: &KeyUsageQuery) -> Result<UsageByKey> {
        let mut tx = self.db.begin_snapshot().await?;
        let rollups = tx.daily_key_rollups(query).await?;
        if rollups.len() > usize::try_from(query.rollups_max).unwrap_or(usize::MAX) {
            return Ok(UsageByKey::TooManyRollups);
        }
        let mut keys: HashMap<(ServerId, CallCredential), KeyUsage> = HashMap::new();
        for row in &rollups {
            let server_id = ServerId(row.int("server_id")?);
            let credential = CallCredential::from_numbers(row.int("credential_kind")?, row.int("credential_id")?);
            let usage = match keys.entry((server_id, credential)) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(KeyUsage::new(server_id, row.text("server_name")?, credential)),
            };
            usage.totals.merge(&totals_from_row(row)?);
        }
        let mut keys: Vec<KeyUsage> = keys.into_values().collect();
        let names = tx.credential_names(keys.iter().map(|key| key.credential)).await?;
        for key in &mut keys {
            key.credential_name = names.name(key.credential);
        }
        Ok(UsageByKey::Keys(keys))
    }
}

impl Tx {
    /// The daily rollups of existing servers, at most one more than [`KeyUsageQuery::rollups_max`].
    async fn daily_key_rollups(&mut self, query: &KeyUsageQuery) -> Result<Vec<SqlRow>> {
        let mut conditions = Conditions::default();
        conditions.add("k.start >= $", query.from);
        conditions.add("k.start < $", query.until);
        if let Some(user) = caller_param(query.visibility) {
            conditions.add(&format!("k.server_id IN {VISIBLE_SERVERS}"), user);
        }
        if let Some(server) = query.server {
            conditions.add("k.server_id = $", server.0);
        }
        let limit = conditions.bind(i64::from(query.rollups_max) + 1);
        let sql = format!(
            "SELECT k.server_id, s.name AS server_name, k.credential_kind, k.credential_id, k.calls, k.failures, \
             k.total_us, k.request_bytes, k.response_bytes, k.tokens_out, k.tokens_saved, k.last_at, k.latencies \
             FROM key_usage k JOIN servers s ON s.id = k.server_id {} LIMIT {limit}",
            conditions.to_where_clause()
        );
        self.fetch_all(AssertSqlSafe(sql), conditions.params).await
    }
}
