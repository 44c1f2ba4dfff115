//! Limits of schemas.

/// The maximum nesting depth of schemas within a schema.
pub const SCHEMA_DEPTH_MAX: usize = 32;

/// The memory limit of one compiled pattern. It also bounds the time that a pattern takes per character.
pub(super) const PATTERN_BYTES_MAX: usize = 1 << 20;
