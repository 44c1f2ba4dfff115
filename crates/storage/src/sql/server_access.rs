//! Access to servers: the one place that says which servers a caller may see, and what the caller may do with them.
//! Every statement that is limited to a caller takes the caller as a parameter, which is `NULL` for no limit, and uses
//! a condition of this module.

use sqlx::AssertSqlSafe;
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::ids::ServerId;
use toolgate_domain::member::ServerRole;
use toolgate_domain::user::Visibility;

use super::database::SqlDatabase;
use super::row::{SqlRow, params};
use super::tx::Tx;
use crate::error::{Result, StorageError};

/// The user that an operation is limited to, as a parameter; `NULL` means no limit.
pub(super) fn caller_param(visibility: Visibility) -> Option<i64> {
    match visibility {
        Visibility::All => None,
        Visibility::User(user) => Some(user.0),
    }
}

/// The ids of the servers that are shared with the user of placeholder `$`, as a subquery.
pub(super) const SHARED_SERVERS: &str = "(SELECT m.server_id FROM server_members m WHERE m.user_id = $)";

/// The ids of the servers that the user of placeholder `$` owns or is a member of, as a subquery for statements that
/// read many servers.
pub(super) const VISIBLE_SERVERS: &str = "(SELECT o.id FROM servers o WHERE o.user_id = $ UNION ALL \
     SELECT m.server_id FROM server_members m WHERE m.user_id = $)";

/// The condition that the caller of placeholder `caller` may see a row of the table or alias `servers`.
pub(super) fn is_visible(servers: &str, caller: &str) -> String {
    let shared = SHARED_SERVERS.replace('$', caller);
    format!("({caller} IS NULL OR {servers}.user_id = {caller} OR {servers}.id IN {shared})")
}

/// The role of the caller in a row of `servers`, as the column `caller_role`.
fn caller_role(caller: &str) -> String {
    format!(
        "CASE WHEN {caller} IS NULL THEN 'admin' WHEN servers.user_id = {caller} THEN 'owner' ELSE (SELECT m.role \
         FROM server_members m WHERE m.server_id = servers.id AND m.user_id = {caller}) END AS caller_role"
    )
}

/// Selects `columns` and `caller_role` of the server `$1`, if the caller `$2` may see it.
fn select_visible_server(columns: &str, lock: &str) -> AssertSqlSafe<String> {
    let (role, condition) = (caller_role("$2"), is_visible("servers", "$2"));
    AssertSqlSafe(format!("SELECT {columns}, {role} FROM servers WHERE servers.id = $1 AND {condition}{lock}"))
}

fn found_server(row: Option<SqlRow>, required: ServerRole) -> Result<SqlRow> {
    let row = row.ok_or(StorageError::NotFound(ObjectKind::Server))?;
    let role = row.parsed("caller_role", ServerRole::parse)?;
    if role < required { Err(StorageError::Forbidden { role, required }) } else { Ok(row) }
}

impl SqlDatabase {
    /// Reads columns of a server that the caller may see, without a lock.
    pub(super) async fn visible_server(&self, columns: &str, visibility: Visibility, id: ServerId) -> Result<SqlRow> {
        let params = params![id.0, caller_param(visibility)];
        found_server(self.fetch_optional(select_visible_server(columns, ""), params).await?, ServerRole::Viewer)
    }
}

impl Tx {
    /// Locks a server in which the caller has at least the role `required`, and reads columns of it.
    pub(super) async fn lock_visible_server(
        &mut self,
        columns: &str,
        visibility: Visibility,
        id: ServerId,
        required: ServerRole,
    ) -> Result<SqlRow> {
        let sql = select_visible_server(columns, self.row_lock());
        found_server(self.fetch_optional(sql, params![id.0, caller_param(visibility)]).await?, required)
    }
}
