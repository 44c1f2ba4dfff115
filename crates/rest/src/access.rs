//! The levels of access to routes.

/// The access that a route requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// No authentication.
    Public,
    /// Read access to the caller's own user, key and grants; users with the role `member` have it, too.
    ReadOwn,
    /// Write access to the caller's own grants and sign-in links; users with the role `member` have it, too.
    ChangeOwn,
    /// Read access.
    Read,
    /// Write access.
    Write,
    /// Administration of users, keys and the service.
    Admin,
}
