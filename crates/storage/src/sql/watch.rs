//! Watchers for changes that other processes make: other nodes on the same PostgreSQL database, or commands such as
//! `toolgate key revoke` on the same SQLite file. A watcher that starts or reconnects publishes
//! [`ChangeEvent::Everything`](crate::ChangeEvent::Everything), because it cannot see earlier changes.

pub(super) mod postgres;
pub(super) mod sqlite;
