//! Faults around the service: a full disk, a database that is down or does not respond, a node that misses a
//! notification, and clients that never finish their requests.

mod database_down;
mod disk_full;
pub(crate) mod proxy;
mod revoked;
mod slow_clients;
