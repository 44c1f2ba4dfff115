//! Watching for what other processes write: other nodes on the same PostgreSQL, commands such as `toolgate key revoke`
//! on the same file. Both watchers tell of everything whenever they begin to see, for what happened before is unknown.

pub(super) mod postgres;
pub(super) mod sqlite;
