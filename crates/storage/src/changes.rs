//! Who wants to know that something changed. What is kept in memory of a server is stale from the commit on, so
//! storage itself says so: after the commit, and before whoever asked for the write hears that it is done.

use toolgate_domain::ids::{PublicId, UserId};

/// What may be different from before. It may also be the same: a change says where to look again, not what is there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ChangeEvent {
    /// What [`published_server`](crate::PublishedServers::published_server) returns for this id.
    Server(PublicId),
    /// What [`owner_keys`](crate::PublishedServers::owner_keys) returns for this user.
    OwnerKeys(UserId),
    /// Anything at all: others wrote to the database, or may have done so unnoticed.
    Everything,
}

/// Hears of every change, whichever process made it.
pub trait ChangeListener: Send + Sync {
    /// Called once for each change, from the task that commits it: a write returns only after this has, so it must be
    /// quick and must not wait for storage. A change is told too when it is unknown whether the commit succeeded.
    fn changed(&self, change: &ChangeEvent);
}
