//! The access that a route requires.

/// The access a route requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// No authentication.
    Public,
    /// Read access.
    Read,
    /// Write access.
    Write,
    /// Administration of users, keys and the service.
    Admin,
}
