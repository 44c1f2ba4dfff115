//! Change events: storage reports every committed change, so that caches can drop what is stale.

use toolgate_domain::ids::{PublicId, UserId};
use toolgate_domain::oauth::grant::EndedGrant;
use toolgate_domain::session::SessionIdentity;

/// What may have changed. A reported value may also be unchanged: an event says what to read again, not the new value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ChangeEvent {
    /// The result of [`published_server`](crate::PublishedServerReader::published_server) for this id.
    Server(PublicId),
    /// The result of [`owner_keys`](crate::PublishedServerReader::owner_keys) for this user.
    OwnerKeys(UserId),
    /// This MCP session has ended. Unlike those above, the event says everything, so listeners need not read anything.
    SessionEnded(SessionIdentity),
    /// This grant has ended. The event says everything, like [`Self::SessionEnded`].
    GrantEnded(EndedGrant),
    /// Grants may have ended: it is not known whether a transaction that ends some was committed. Listeners must read
    /// which grants have ended.
    EndedGrants,
    /// Anything: another process wrote to the database, or may have written undetected.
    Everything,
}

/// Receives every change, regardless of which process made it.
pub trait ChangeListener: Send + Sync {
    /// Called once for each change, after the commit and before the write returns, from the task that commits. It must
    /// therefore be fast and must not wait for storage. It is also called if the outcome of the commit is unknown.
    fn changed(&self, change: &ChangeEvent);
}

/// A second channel to the other nodes of a PostgreSQL database, in addition to the notifications of the database. It
/// may lose notifications.
pub trait ChangeRelay: Send + Sync {
    /// Sends a notification to the other nodes, which give it to
    /// [`Storage::receive_relayed`](crate::Storage::receive_relayed). Called after the commit and before the write
    /// returns, so it must not wait.
    fn send(&self, notification: String);
}

/// Notifications of other nodes since the start of the process, by the channel that delivered them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotificationCounts {
    /// Those that PostgreSQL delivered.
    pub database: DeliveryCounts,
    /// Those that the relay delivered.
    pub relay: DeliveryCounts,
}

/// The notifications of one channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeliveryCounts {
    /// Notifications of a change that was not known yet.
    pub applied: u64,
    /// Notifications that the other channel had delivered before.
    pub duplicates: u64,
}
