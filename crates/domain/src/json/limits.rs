//! Limits on the nesting and the number of values of a document.

/// Maximum depth of nesting.
pub const DEPTH_MAX: usize = 64;

/// Maximum number of values; a list or an object counts as five. The two bytes `0,` take 150 bytes of memory as a
/// parsed value, so that without this limit a document within its size limit could take gigabytes.
pub const VALUES_MAX: usize = 150_000;

/// A list or an object counts as this many values in addition to one, because it needs memory for its members.
pub(super) const CONTAINER_COST: usize = 4;
