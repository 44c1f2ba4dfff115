//! Which calls a caller may see. A recorded call names the owner of its server at the time of the call, which is not
//! the current owner after a hand-over, and it names no members.

use std::collections::HashSet;

use toolgate_domain::ids::ServerId;
use toolgate_domain::user::Visibility;

use crate::error::Result;
use crate::sql::calls::block::CallTarget;
use crate::sql::row::params;
use crate::sql::tx::Tx;

/// The calls that a caller may see.
#[derive(Clone, Debug, Default)]
pub(super) struct CallAccess {
    /// Calls to the servers of this user; `None` for all calls.
    pub(super) user: Option<i64>,
    /// Servers that are shared with the user.
    pub(super) shared: HashSet<i64>,
    /// Servers that were handed over to the user; most of their calls name another owner.
    received: HashSet<i64>,
    /// Servers that the user has handed over to another user.
    given_away: HashSet<i64>,
}

impl CallAccess {
    /// Whether the caller may see the calls of a target. The result is the same for all calls of a server: without a
    /// hand-over they all name the same owner, and after a hand-over the recorded owner is ignored.
    pub(super) fn allows(&self, target: CallTarget) -> bool {
        let Some(user) = self.user else { return true };
        if self.shared.contains(&target.server) || self.received.contains(&target.server) {
            return true;
        }
        user == target.user && !self.given_away.contains(&target.server)
    }

    /// The shared servers, for a scan.
    pub(super) fn shared_servers(&self) -> impl Iterator<Item = ServerId> {
        self.shared.iter().copied().map(ServerId)
    }
}

impl Tx {
    pub(super) async fn call_access(&mut self, visibility: Visibility) -> Result<CallAccess> {
        let Visibility::User(user) = visibility else { return Ok(CallAccess::default()) };
        let mut access = CallAccess { user: Some(user.0), ..CallAccess::default() };
        let sql = "SELECT server_id FROM server_members WHERE user_id = $1";
        for row in self.fetch_all(sql, params![user.0]).await? {
            access.shared.insert(row.int("server_id")?);
        }
        let sql = "SELECT server_id, is_current FROM server_owners WHERE user_id = $1";
        for row in self.fetch_all(sql, params![user.0]).await? {
            let servers = if row.int("is_current")? == 1 { &mut access.received } else { &mut access.given_away };
            servers.insert(row.int("server_id")?);
        }
        Ok(access)
    }
}
