//! Row locks: which transaction locks what on PostgreSQL, and in which order. SQLite needs none of this, because it
//! runs one write transaction at a time.
//!
//! # Lock order
//!
//! A transaction takes the locks it needs in this order, so that no two transactions wait for each other in a cycle:
//!
//! 1. The table `users`, by transactions that insert, update or delete a user or set the bootstrap key.
//! 2. One row of `servers`, `FOR NO KEY UPDATE` ([`Tx::lock_server`]): every change of a server and of its tools,
//!    prompts, resources, documents, credentials, endpoint keys, members and secrets.
//! 3. The owner's row of `users`, `FOR NO KEY UPDATE` ([`Tx::lock_owner`]): transactions that take a slug, which are
//!    `create_server`, `duplicate_server` and `update_server` with a slug. A new server's row needs no lock before it.
//!    A hand-over locks the rows of both owners, by id; `add_member` and `update_member` lock the row of the member
//!    `FOR SHARE`.
//!    `set_password` and `delete_identity` lock the person's row as for a slug.
//!    `create_grant`, `link_identity` and the creation of browser sessions and sign-in links lock the person's row
//!    `FOR SHARE`.
//! 4. What a sign-in and a grant refer to, in this order: rows of `api_keys` by id, rows of `browser_sessions` and then
//!    of `sign_in_links` by hash, rows of `user_identities` by id, one row of `oauth_clients`, rows of `oauth_grants`
//!    by id. The codes and refresh tokens of a grant change only under the lock of the grant. A deletion that cascades
//!    to these rows locks them before.
//! 5. The server's own children. They need no order among themselves: the lock on the server protects them all. A
//!    change of a credential also changes the tools that use it, which belong to the same server. The foreign keys of
//!    the children take `FOR KEY SHARE` on the server, and their triggers update the server's counters; the transaction
//!    already holds a stronger lock on that row.
//! 6. The owner's row of `owner_counts`, by the triggers on `servers`. A transaction changes the servers of one owner
//!    only, so it locks one such row, and afterwards no row of `users` or `servers` that it does not hold already. A
//!    hand-over locks two such rows; hand-overs between the same users exclude each other by the locks of 3.
//! 7. The row of `encryption_keys` of the key that seals, `FOR KEY SHARE`, or all of its rows by id if a rotation has
//!    deleted that key, and then rows of `secrets` and `document_versions`. A node that starts locks the table, which
//!    waits for no row lock, and nothing else.
//! 8. Rows that are only inserted: `audit`, `former_names` and `ended_grants`. They have no foreign keys and no
//!    transaction waits for them, so they may also be written earlier.
//!
//! # Exceptions
//!
//! `delete_user` locks rows of `users` (the user and all administrators, `FOR UPDATE`, by id) before rows of `servers`
//! (`FOR KEY SHARE`), which is 3 before 2. It cannot be part of a cycle: `FOR KEY SHARE` does not wait for the
//! `FOR NO KEY UPDATE` of 2, only for a transaction that has already deleted the server or changed its slug. The
//! former locks no row of `users`; the latter has taken its row of `users` before. Neither waits for `delete_user`. If
//! a server is left, `delete_user` fails without another lock. If none is left, no other transaction holds the user's
//! counters, and the lock on the user's row prevents new servers and API keys until the commit.
//!
//! `delete_user` and `update_user` take the table lock of their statement first, as in 1. The bootstrap key's
//! transaction holds `SHARE ROW EXCLUSIVE` on the table while the foreign key of the new API key waits for an
//! administrator's row; a `delete_user` that held that row and requested the table lock afterwards would close a cycle.
//!
//! Deletions of servers and users delete rows of `server_members`, whose locks they take before, in the order of server
//! and user. `update_user` locks only rows of `users`, in the order of their ids, as `delete_user` does.
//!
//! `reseal` locks one row of `secrets` or `document_versions` and then the new key `FOR KEY SHARE`, which is the
//! reverse of 7. It waits for the key only while another rotation deletes it, and rotations of one data folder exclude
//! each other.
//!
//! The last use of endpoint keys is written without a lock on their servers, so `record_key_uses` locks
//! only keys for which it need not wait (`SKIP LOCKED`).
//!
//! `update_server` ends grants of its server after it has locked counters, which is 4 after 6. Transactions that lock
//! counters after grants either hold the same server before, or delete a user who owns no server.
//!
//! Expired refresh tokens, sessions, links and unused clients are deleted without the locks of 4, so these deletions
//! skip rows that are locked (`SKIP LOCKED`).
//!
//! Rows of `ended_sessions` are inserted in the order of their ids, and deleted only after their sessions have expired.
//!
//! Recorded calls share no row with the transactions above. Transactions that ingest calls or create and drop
//! partitions take one advisory lock first ([`Tx::lock_ingest`](super::tx::Tx)), so they run one at a time. A hand-over
//! takes this lock last; transactions that ingest calls wait for no lock of the order above.
//!
//! `tests/conformance/deadlocks.rs` runs all kinds of writes against each other.

use sqlx::AssertSqlSafe;
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::{PublicId, ServerId, UserId};
use toolgate_domain::member::ServerRole;
use toolgate_domain::page::Page;
use toolgate_domain::user::Visibility;

use super::database::SqlDatabase;
use super::row::{Param, SqlRow, params};
use super::tx::Tx;
use crate::error::{Result, StorageError};

const COUNT_COLUMNS: &str = "public_id, tool_count, active_tool_count, prompt_count, resource_count";

/// The numbers of a server's tools, prompts and resources.
pub(super) struct ServerCounts {
    pub(super) tools: i64,
    pub(super) active_tools: i64,
    pub(super) prompts: i64,
    pub(super) resources: i64,
}

impl ServerCounts {
    fn from_row(row: &SqlRow) -> Result<Self> {
        Ok(Self {
            tools: row.int("tool_count")?,
            active_tools: row.int("active_tool_count")?,
            prompts: row.int("prompt_count")?,
            resources: row.int("resource_count")?,
        })
    }
}

impl SqlDatabase {
    /// Reads a visible server's counts without a lock.
    pub(super) async fn server_counts(&self, visibility: Visibility, id: ServerId) -> Result<ServerCounts> {
        ServerCounts::from_row(&self.visible_server(COUNT_COLUMNS, visibility, id).await?)
    }
}

impl Tx {
    /// Locks a server that the caller may change: until the commit no other transaction changes it or its children.
    /// The commit publishes a change of the server, because every caller of this function changes something.
    pub(super) async fn lock_server(&mut self, visibility: Visibility, id: ServerId) -> Result<ServerCounts> {
        let row = self.lock_visible_server(COUNT_COLUMNS, visibility, id, ServerRole::Editor).await?;
        self.record_server_change(PublicId::from_stored(row.text("public_id")?));
        ServerCounts::from_row(&row)
    }

    /// Locks the owner of a slug that is about to be taken. Writers of one owner wait here and not in the unique index,
    /// where a slug that was free a moment ago would be a conflict, and two waits could form a cycle.
    pub(super) async fn lock_owner(&mut self, user_id: UserId) -> Result<()> {
        let sql = format!("SELECT id FROM users WHERE id = $1{}", self.row_lock());
        let row = self.fetch_optional(AssertSqlSafe(sql), params![user_id.0]).await?;
        row.map(drop).ok_or(StorageError::NotFound(ObjectKind::User))
    }

    /// Prevents other transactions from creating or deleting users until this one ends.
    pub(super) async fn lock_users_exclusively(&mut self) -> Result<()> {
        self.lock_users_table("SHARE ROW EXCLUSIVE").await
    }

    /// Takes the table lock that an `UPDATE` or `DELETE` of users needs, before any row lock: see the module
    /// documentation.
    pub(super) async fn lock_users_for_change(&mut self) -> Result<()> {
        self.lock_users_table("ROW EXCLUSIVE").await
    }

    async fn lock_users_table(&mut self, mode: &'static str) -> Result<()> {
        if !self.is_postgres() {
            return Ok(()); // SQLite runs one write transaction at a time
        }
        self.execute(AssertSqlSafe(format!("LOCK TABLE users IN {mode} MODE")), vec![]).await
    }
}

/// `LIMIT` and `OFFSET` of a page; without a page, all rows.
pub(super) fn limit_and_offset(page: Option<Page>) -> [Param; 2] {
    let (limit, offset) = page.map_or((i64::MAX, 0), |page| (i64::from(page.size), page.offset()));
    [limit.into(), offset.into()]
}

/// Fails if the server already has the maximum number of objects of a kind.
pub(super) fn check_capacity(count: i64, max: i64, objects: &str) -> Result<()> {
    if count < max {
        return Ok(());
    }
    let message = format!(
        "server_id: the server already has {max} {objects}, which is the maximum; delete some or use another server."
    );
    Err(Fault::new("server_id", FaultKind::TooManyItems, message).into())
}
