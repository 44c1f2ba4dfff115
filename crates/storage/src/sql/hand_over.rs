//! Hand-over: an administrator gives a server another owner. Its endpoint, keys and secrets stay as they are; the calls
//! go with the server.

use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Actor, ObjectKind};
use toolgate_domain::fault::Fault;
use toolgate_domain::ids::UserId;
use toolgate_domain::member::ServerRole;
use toolgate_domain::server::Server;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::{User, Visibility};

use super::columns::Columns as _;
use super::row::params;
use super::tx::Tx;
use crate::error::{Result, StorageError};

/// The actor of a hand-over: its audit row names the new owner.
pub(super) fn with_new_owner(actor: &Actor, new_owner: UserId) -> Actor {
    let name = |field: &str| if field == "user_id" { format!("user_id={new_owner}") } else { field.to_owned() };
    actor.with_fields(actor.fields.split(',').map(name).collect::<Vec<_>>().join(","))
}

impl Tx {
    /// Locks both owners of a hand-over, if the caller may hand over and the new owner may own servers.
    pub(super) async fn lock_owners_for_hand_over(
        &mut self,
        visibility: Visibility,
        from: UserId,
        to: UserId,
    ) -> Result<()> {
        if visibility != Visibility::All {
            return Err(StorageError::Forbidden { role: ServerRole::Owner, required: ServerRole::Admin });
        }
        let lock = self.row_lock();
        let sql = format!("SELECT {} FROM users WHERE id = $1 OR id = $2 ORDER BY id{lock}", User::list());
        let users = User::from_rows(&self.fetch_all(AssertSqlSafe(sql), params![from.0, to.0]).await?)?;
        let problem = match users.iter().find(|user| user.id == to) {
            None => "user_id must be the id of an existing user.",
            Some(user) if user.is_disabled => "user_id: this user is disabled. Enable the user first.",
            Some(user) if !user.role.may_manage_servers() => {
                "user_id: this user has the role viewer or member and cannot manage a server. Change the role first."
            }
            Some(_) => return Ok(()),
        };
        Err(Fault::invalid_value("user_id", problem).into())
    }

    /// Gives a locked server another owner. A separate statement from other changes of the server, because its trigger
    /// moves the counters of the owners.
    pub(super) async fn change_owner(&mut self, server: &mut Server, to: UserId, at: Timestamp) -> Result<()> {
        let from = std::mem::replace(&mut server.user_id, to);
        let sql = "UPDATE servers SET user_id = $2, slug = $3, updated_at = $4 WHERE id = $1";
        let moved = self.execute(sql, params![server.id.0, to.0, server.slug.as_str(), at]).await;
        moved.map_err(|error| error.or_exists(ObjectKind::Server, "slug"))?;
        self.delete_member(server.id, to).await?;
        self.record_keys_change(from);
        self.record_keys_change(to);
        self.move_recorded_calls(server.id, from, to).await
    }

    /// Locks the member rows of a server or a user, given by `column`, before their deletion: in the order of server
    /// and user, so that concurrent deletions of servers and users do not wait for each other.
    pub(super) async fn lock_member_rows(&mut self, column: &'static str, id: i64) -> Result<()> {
        let lock = self.row_lock_with(" FOR UPDATE");
        let sql = format!("SELECT server_id FROM server_members WHERE {column} = $1 ORDER BY server_id, user_id{lock}");
        self.execute(AssertSqlSafe(sql), params![id]).await
    }
}
