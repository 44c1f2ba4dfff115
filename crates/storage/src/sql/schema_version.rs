//! The numbers of schema versions that decide which programs can use a database.

/// The newest version, which this program creates.
pub(super) const NEWEST: i64 = 17;

/// The oldest version whose programs can use the newest schema; `schema_compatibility` has the same number.
pub(super) const OLDEST_PROGRAM: i64 = 11;

/// The first version with grants and browser sessions.
pub(super) const FIRST_WITH_GRANTS: i64 = 15;

/// The first version with a table of nodes.
pub(super) const FIRST_WITH_NODES: i64 = 12;
