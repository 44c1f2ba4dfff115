//! Users and their roles.

use crate::closed_set::closed_set;
use crate::ids::UserId;
use crate::time::Timestamp;

closed_set! {
    /// The permissions of a user.
    pub enum Role {
        /// May read and change everything.
        Admin = "admin",
        /// May read and change the user's own servers.
        Owner = "owner",
        /// May read the user's own servers.
        Viewer = "viewer",
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

/// The objects that an operation may access. Storage applies it in its queries, so that an object of another user is
/// "not found", not "forbidden".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// All objects.
    All,
    /// The objects of one user.
    OwnedBy(UserId),
}
