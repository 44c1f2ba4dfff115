//! Where a page is looked for: which index, from where to where.

use domain::call::CallId;
use domain::ids::UserId;
use domain::time::Timestamp;
use domain::usage::{Grain, Scope};
use sqlx::AssertSqlSafe;

use crate::sql::SqlStorage;
use crate::sql::calls::stored_type;
use crate::sql::conditions::Conditions;
use crate::sql::row::{Param, params};
use crate::sql::server_lock::owner;
use crate::sql::usage::{grain_number, scope_numbers};
use crate::{CallOutcome, CallQuery, Result};

/// How many calls are looked at for one page where no index covers what is asked for.
const LOOKED_AT: i64 = 20_000;

const HOUR: i64 = 3_600_000;

/// SQL, and its values.
type Statement = (String, Vec<Param>);

/// A walk from the newest call before `before` to the oldest that is not before `from`.
pub(super) struct Walk {
    scope: Scope,
    only_failures: bool,
    before: i64,
    from: i64,
}

impl Walk {
    pub(super) fn of(query: &CallQuery) -> Self {
        let ends = [query.before, query.until.map(CallId::first_at)];
        let scope = match (query.tool, query.server, owner(query.visibility)) {
            (Some(tool), _, _) => Scope::Tool(tool),
            (None, Some(server), _) => Scope::Server(server),
            (None, None, Some(user)) => Scope::Owner(UserId(user)),
            (None, None, None) => Scope::All,
        };
        Self {
            scope,
            only_failures: matches!(query.outcome, Some(CallOutcome::Failure | CallOutcome::Because(_))),
            before: ends.into_iter().flatten().map(|id| id.0).min().unwrap_or(i64::MAX),
            from: query.from.map_or(0, |from| CallId::first_at(from).0),
        }
    }

    /// Begins with the last call of an hour, or with an older one.
    pub(super) fn begin_with(&mut self, hour: Timestamp) {
        let end = Timestamp::from_millis(hour.as_millis().saturating_add(HOUR));
        self.before = self.before.min(CallId::first_at(end).0);
    }

    /// The calls along the way. Of the columns that have an index only the scope's is named.
    fn conditions(&self, from: i64) -> Conditions {
        let mut conditions = Conditions::default();
        conditions.add("c.id < $", self.before);
        conditions.add("c.id >= $", from);
        if let Some(column) = column(self.scope) {
            conditions.add(&format!("c.{column} = $"), scope_numbers(self.scope).1);
        }
        if self.only_failures {
            conditions.sql.push("c.reason IS NOT NULL".to_owned());
        }
        conditions
    }

    /// The statement for a page that ends with the call `end` at the latest.
    pub(super) fn page(&self, columns: &str, query: &CallQuery, end: Option<CallId>, limit: usize) -> Statement {
        let mut conditions = self.conditions(end.map_or(self.from, |end| end.0));
        // A sign before a column keeps its index out of the choice.
        if let Some(user) = owner(query.visibility) {
            conditions.add("+c.user_id = $", user);
        }
        if let Some(server) = query.server {
            conditions.add("+c.server_id = $", server.0);
        }
        if let Some(client_type) = &query.client_type {
            conditions.add("c.client_type = $", &*stored_type(client_type));
        }
        match query.outcome {
            Some(CallOutcome::Because(reason)) => conditions.add("c.reason = $", reason.as_str()),
            Some(CallOutcome::Success) => conditions.sql.push("c.reason IS NULL".to_owned()),
            Some(CallOutcome::Failure) | None => {}
        }
        let limit = conditions.bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let sql = format!("SELECT {columns} FROM calls c {} ORDER BY c.id DESC LIMIT {limit}", conditions.to_where());
        (sql, conditions.params)
    }

    /// The statement for the last call that is looked at, if there are so many.
    fn end(&self) -> Statement {
        let mut conditions = self.conditions(self.from);
        let passed = conditions.bind(LOOKED_AT - 1);
        let sql =
            format!("SELECT c.id FROM calls c {} ORDER BY c.id DESC LIMIT 1 OFFSET {passed}", conditions.to_where());
        (sql, conditions.params)
    }
}

/// Whether there may be calls on the way that were not asked for.
pub(super) fn passes_over_calls(query: &CallQuery) -> bool {
    query.client_type.is_some() || !matches!(query.outcome, None | Some(CallOutcome::Failure))
}

fn column(scope: Scope) -> Option<&'static str> {
    match scope {
        Scope::All => None,
        Scope::Owner(_) => Some("user_id"),
        Scope::Server(_) => Some("server_id"),
        Scope::Tool(_) => Some("tool_id"),
    }
}

impl SqlStorage {
    /// Whether the calls of a walk can be among those that were asked for: a tool stays with its server, and a server with
    /// its owner, so one call speaks for all.
    pub(super) async fn is_ground_of(&self, walk: &Walk, query: &CallQuery) -> Result<bool> {
        let (Some(column), Scope::Server(_) | Scope::Tool(_)) = (column(walk.scope), walk.scope) else {
            return Ok(true);
        };
        let sql = format!("SELECT user_id, server_id FROM calls WHERE {column} = $1 ORDER BY id DESC LIMIT 1");
        let rows = self.db.fetch_all_anew(AssertSqlSafe(sql), params![scope_numbers(walk.scope).1]).await?;
        let Some(row) = rows.first() else { return Ok(false) };
        let (user, server) = (row.int("user_id")?, row.int("server_id")?);
        Ok(owner(query.visibility).is_none_or(|owner| owner == user) && query.server.is_none_or(|id| id.0 == server))
    }

    /// The newest hour on the way that has what is asked for, by the sums.
    pub(super) async fn newest_hour_with(&self, walk: &Walk, query: &CallQuery) -> Result<Option<Timestamp>> {
        let has_some = match query.outcome {
            None => "calls > 0",
            Some(CallOutcome::Success) => "calls > failures",
            Some(CallOutcome::Failure | CallOutcome::Because(_)) => "failures > 0",
        };
        let sql = format!(
            "SELECT start FROM usage WHERE scope = $1 AND scope_id = $2 AND grain = $3 AND client_type = $4 \
             AND start <= $5 AND start >= $6 AND {has_some} ORDER BY start DESC LIMIT 1"
        );
        let (scope, scope_id) = scope_numbers(walk.scope);
        let client_type = query.client_type.as_deref().map(stored_type).unwrap_or_default();
        let newest = CallId(walk.before.saturating_sub(1)).time();
        let oldest = Grain::Hour.start_of(CallId(walk.from).time());
        let params = params![scope, scope_id, grain_number(Grain::Hour), &*client_type, newest, oldest];
        self.db.fetch_optional(AssertSqlSafe(sql), params).await?.map(|row| row.time("start")).transpose()
    }

    /// The last call that is looked at, if there are more.
    pub(super) async fn end_of(&self, walk: &Walk) -> Result<Option<CallId>> {
        let (sql, params) = walk.end();
        let rows = self.db.fetch_all_anew(AssertSqlSafe(sql), params).await?;
        rows.first().map(|row| row.int("id").map(CallId)).transpose()
    }
}

#[cfg(test)]
mod tests;
