//! The access that a route requires.

/// The access a route requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// No authentication.
    Public,
    /// Access to what is the caller's own, for reading; also for a user with the role `member`.
    ReadOwn,
    /// Access to what is the caller's own, for changing.
    ChangeOwn,
    /// Read access.
    Read,
    /// Write access.
    Write,
    /// Administration of users, keys and the service.
    Admin,
}
