//! Members: users with whom the owner of a server shares it.

use crate::closed_set::closed_set;
use crate::ids::{ServerId, UserId};
use crate::time::Timestamp;

/// Maximum number of members of one server.
pub const MEMBERS_MAX: i64 = 1000;

closed_set! {
    /// What a member may do with a server.
    pub enum MemberRole {
        /// May read the server, its tools, prompts, resources, calls and reports.
        Viewer = "viewer",
        /// May also change them and test tools.
        Editor = "editor",
    }
}

closed_set! {
    /// What a caller may do with a server.
    #[derive(PartialOrd, Ord)]
    pub enum ServerRole {
        /// A member who may read.
        Viewer = "viewer",
        /// A member who may change the server and its objects.
        Editor = "editor",
        /// The owner, who may also delete the server and change its members.
        Owner = "owner",
        /// An administrator, who may also hand the server over to another user.
        Admin = "admin",
    }
}

impl From<MemberRole> for ServerRole {
    fn from(role: MemberRole) -> Self {
        match role {
            MemberRole::Viewer => Self::Viewer,
            MemberRole::Editor => Self::Editor,
        }
    }
}

/// A user with whom a server is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerMember {
    /// The server.
    pub server_id: ServerId,
    /// The user.
    pub user_id: UserId,
    /// Name of the user.
    pub user_name: String,
    /// What the user may do.
    pub role: MemberRole,
    /// When the server was shared.
    pub created_at: Timestamp,
    /// When the role last changed.
    pub updated_at: Timestamp,
}

/// A user to share a server with, by id or by unique name.
#[derive(Clone, Debug)]
pub enum MemberUser {
    /// The user with this id.
    Id(UserId),
    /// The user with this name.
    Name(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_includes_the_previous_one() {
        let roles = [ServerRole::Viewer, ServerRole::Editor, ServerRole::Owner, ServerRole::Admin];
        assert!(roles.is_sorted());
        assert_eq!([MemberRole::Viewer, MemberRole::Editor].map(ServerRole::from), roles[..2]);
    }
}
