//! The lock under which everything that belongs to a server changes, and the question whether the caller may see it.

use sqlx::AssertSqlSafe;
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::{PublicId, ServerId};
use toolgate_domain::page::Page;
use toolgate_domain::user::Visibility;

use super::database::Database;
use super::row::{Param, Row, params};
use super::tx::Tx;
use crate::{Result, StorageError};

const SERVER: &str = "SELECT public_id, tool_count, active_tool_count, prompt_count, resource_count FROM servers \
     WHERE id = $1 AND ($2 IS NULL OR user_id = $2)";

/// How many children a server has.
pub(super) struct ServerHead {
    pub(super) tools: i64,
    pub(super) active_tools: i64,
    pub(super) prompts: i64,
    pub(super) resources: i64,
}

impl ServerHead {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            tools: row.int("tool_count")?,
            active_tools: row.int("active_tool_count")?,
            prompts: row.int("prompt_count")?,
            resources: row.int("resource_count")?,
        })
    }
}

impl Database {
    /// A server as far as its children need it, without a lock.
    pub(super) async fn server_head(&self, visibility: Visibility, id: ServerId) -> Result<ServerHead> {
        let row = self.fetch_optional(SERVER, params![id.0, owner(visibility)]).await?;
        ServerHead::from_row(&row.ok_or(StorageError::NotFound(ObjectKind::Server))?)
    }
}

impl Tx {
    /// Locks a server that the caller may see: from here to the commit nobody else changes it or its children. Whoever
    /// asks for the lock means to change something, so the commit will tell that the server changed.
    pub(super) async fn lock_server(&mut self, visibility: Visibility, id: ServerId) -> Result<ServerHead> {
        let sql = AssertSqlSafe(format!("{SERVER}{}", self.row_lock()));
        let row = self.fetch_optional(sql, params![id.0, owner(visibility)]).await?;
        let row = row.ok_or(StorageError::NotFound(ObjectKind::Server))?;
        self.changes_server(PublicId::from_stored(row.text("public_id")?));
        ServerHead::from_row(&row)
    }
}

/// The owner an operation is limited to, as a parameter: `NULL` is no limit.
pub(super) fn owner(visibility: Visibility) -> Option<i64> {
    match visibility {
        Visibility::All => None,
        Visibility::OwnedBy(user) => Some(user.0),
    }
}

/// `LIMIT` and `OFFSET` of a page; without a page, everything.
pub(super) fn limits(page: Option<Page>) -> [Param; 2] {
    let (limit, offset) = page.map_or((i64::MAX, 0), |page| (i64::from(page.size), page.offset()));
    [limit.into(), offset.into()]
}

/// Refuses one more child where the server has as many as it may.
pub(super) fn check_room(count: i64, max: i64, what: &str) -> Result<()> {
    if count < max {
        return Ok(());
    }
    let message = format!(
        "server_id: the server holds {max} {what} already, the most it can; delete some or use another server."
    );
    Err(Fault::new("server_id", FaultKind::TooManyItems, message).into())
}
