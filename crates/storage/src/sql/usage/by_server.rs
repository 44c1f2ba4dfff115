//! Usage by server.

use std::collections::HashMap;

use sqlx::AssertSqlSafe;
use toolgate_domain::ids::ServerId;
use toolgate_domain::usage::Totals;

use crate::error::Result;
use crate::sql::SqlStorage;
use crate::sql::conditions::Conditions;
use crate::sql::locks::owner_filter;
use crate::sql::usage_columns::totals_from_row;
use crate::usage::ServerUsageQuery;

impl SqlStorage {
    pub(super) async fn usage_of_servers(&self, query: &ServerUsageQuery) -> Result<HashMap<ServerId, Totals>> {
        let mut totals: HashMap<ServerId, Totals> = HashMap::new();
        if query.servers.is_empty() {
            return Ok(totals);
        }
        let mut conditions = Conditions::default();
        let ids: Vec<String> = query.servers.iter().map(|id| conditions.bind(id.0)).collect();
        conditions.add("start >= $", query.from);
        conditions.add("start < $", query.until);
        if let Some(user) = owner_filter(query.visibility) {
            conditions.add("user_id = $", user);
        }
        // Scope 2 is a server, grain 1 a day. The days of a server are adjacent in the primary key, so only rows that
        // are added up are read.
        let sql = format!(
            "SELECT scope_id, calls, failures, total_us, request_bytes, response_bytes, last_at, latencies FROM usage {} \
             AND scope = 2 AND scope_id IN ({}) AND grain = 1 AND client_type = ''",
            conditions.to_where_clause(),
            ids.join(", ")
        );
        for row in self.db.fetch_all(AssertSqlSafe(sql), conditions.params).await? {
            totals.entry(ServerId(row.int("scope_id")?)).or_default().merge(&totals_from_row(&row)?);
        }
        Ok(totals)
    }
}
