//! Pages of the log: a short walk backwards along the index of the narrowest scope. What no index covers is looked for
//! among a bounded number of calls; the sums tell in which hour to begin, and a page says where the next one goes on.

mod walk;

use std::borrow::Cow;

use domain::call::{CallId, CallRecord, Captured, FailureReason};
use domain::ids::{ServerId, ToolId, UserId};
use domain::user::Visibility;
use sqlx::AssertSqlSafe;

use super::NOT_FOUND;
use crate::sql::SqlStorage;
use crate::sql::row::{Row, params};
use crate::sql::server_lock::owner;
use crate::{CallPage, CallQuery, LoggedCall, Result};
use walk::{Walk, passes_over_calls};

/// What is read of a call. Names by subqueries, not by joins: those would leave it to the planner where to begin.
const COLUMNS: &str = "c.id, c.user_id, c.server_id, c.tool_id, c.client_type, c.client_name, c.protocol_version, \
     c.reason, c.upstream_status, c.duration_us, c.upstream_us, c.request_bytes, c.response_bytes, c.cache_hit, \
     c.request_id, CAST(CASE WHEN c.arguments IS NULL THEN 0 ELSE 1 END AS BIGINT) AS is_captured, \
     COALESCE((SELECT s.name FROM servers s WHERE s.id = c.server_id), \
     (SELECT f.name FROM former_names f WHERE f.kind = 'server' AND f.id = c.server_id)) AS server_name, \
     COALESCE((SELECT t.name FROM tools t WHERE t.id = c.tool_id), \
     (SELECT f.name FROM former_names f WHERE f.kind = 'tool' AND f.id = c.tool_id)) AS tool_name";

impl SqlStorage {
    pub(super) async fn page_of_calls(&self, query: &CallQuery) -> Result<CallPage> {
        let mut walk = Walk::of(query);
        if !self.is_ground_of(&walk, query).await? {
            return Ok(CallPage::default());
        }
        let mut end = None;
        if passes_over_calls(query) {
            let Some(hour) = self.newest_hour_with(&walk, query).await? else { return Ok(CallPage::default()) };
            walk.begin_with(hour);
            end = self.end_of(&walk).await?;
        }
        let limit = usize::try_from(query.limit.max(1)).unwrap_or(usize::MAX);
        let (sql, params) = walk.page(COLUMNS, query, end, limit.saturating_add(1));
        let rows = self.db.fetch_all_anew(AssertSqlSafe(sql), params).await?;
        let calls: Vec<LoggedCall> = rows.iter().take(limit).map(from_row).collect::<Result<_>>()?;
        let next = if rows.len() > limit { calls.last().map(|call| call.id) } else { end };
        Ok(CallPage { calls, next })
    }

    pub(super) async fn one_call(&self, visibility: Visibility, id: CallId) -> Result<LoggedCall> {
        let sql = format!(
            "SELECT {COLUMNS}, c.arguments, c.response FROM calls c WHERE c.id = $1 AND ($2 IS NULL OR c.user_id = $2)"
        );
        let row = self.db.fetch_optional(AssertSqlSafe(sql), params![id.0, owner(visibility)]).await?;
        let row = row.ok_or(NOT_FOUND)?;
        let mut call = from_row(&row)?;
        if let Some(arguments) = row.opt_text("arguments")? {
            let response = row.opt_text("response")?.unwrap_or_default();
            call.record.captured = Some(Captured { arguments, response });
        }
        Ok(call)
    }
}

fn from_row(row: &Row) -> Result<LoggedCall> {
    let id = CallId(row.int("id")?);
    let status = row.opt_int("upstream_status")?;
    let record = CallRecord {
        at: id.time(),
        user_id: UserId(row.int("user_id")?),
        server_id: ServerId(row.int("server_id")?),
        tool_id: ToolId(row.int("tool_id")?),
        client_type: row.text("client_type")?,
        client_name: row.opt_text("client_name")?,
        protocol_version: row.opt_text("protocol_version")?.map(Cow::Owned),
        // A reason that a newer version gave is no success.
        failure: row.opt_text("reason")?.map(|text| FailureReason::parse(&text).unwrap_or(FailureReason::Internal)),
        upstream_status: status.and_then(|status| u16::try_from(status).ok()),
        duration_us: row.count("duration_us")?,
        upstream_us: row.count("upstream_us")?,
        request_bytes: row.count("request_bytes")?,
        response_bytes: row.count("response_bytes")?,
        cache_hit: row.int("cache_hit")? != 0,
        request_id: row.text("request_id")?,
        captured: None,
    };
    Ok(LoggedCall {
        id,
        record,
        server_name: row.opt_text("server_name")?,
        tool_name: row.opt_text("tool_name")?,
        is_captured: row.int("is_captured")? != 0,
    })
}
