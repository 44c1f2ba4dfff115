//! Users and their roles.

use crate::closed_set::closed_set;
use crate::ids::UserId;
use crate::time::Timestamp;

closed_set! {
    /// The permissions of a user.
    pub enum Role {
        /// May read and change everything.
        Admin = "admin",
        /// May read and change the user's own servers, and those shared with the user as editor.
        Owner = "owner",
        /// May read the user's own servers and those shared with the user.
        Viewer = "viewer",
        /// May use servers that the user was given access to, and manage nothing.
        Member = "member",
    }
}

impl Role {
    /// Whether a user with this role may change servers.
    pub fn may_manage_servers(self) -> bool {
        matches!(self, Self::Admin | Self::Owner)
    }
}

/// A user.
#[derive(Clone, Debug)]
pub struct User {
    /// Id; the first administrator is 1.
    pub id: UserId,
    /// Unique name.
    pub name: String,
    /// Role.
    pub role: Role,
    /// Whether the user's keys are refused. The user's servers go on working.
    pub is_disabled: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A user to create.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// Unique name.
    pub name: String,
    /// Role.
    pub role: Role,
}

/// The fields of a request that changes a user.
#[derive(Clone, Debug, Default)]
pub struct UserPatch {
    /// Unique name.
    pub name: Option<String>,
    /// Role.
    pub role: Option<Role>,
    /// Whether the user's keys are refused.
    pub is_disabled: Option<bool>,
}

/// The objects that an operation may access. Storage applies it in its queries, so that an object which the caller may
/// not see is "not found", not "forbidden".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// All objects.
    All,
    /// The servers that one user owns or is a member of, with their objects.
    User(UserId),
}
