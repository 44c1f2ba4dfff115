//! The state of the connection pools.

/// The connections of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolState {
    /// `main` for PostgreSQL; `reader` or `writer` for SQLite.
    pub name: &'static str,
    /// Connections in use.
    pub in_use: u32,
    /// Open connections that are not in use.
    pub idle: u32,
    /// The most connections.
    pub max: u32,
    /// Operations that wait for a connection.
    pub waiting: u32,
}
