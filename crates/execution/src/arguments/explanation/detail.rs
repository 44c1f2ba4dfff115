//! The level of detail of an explanation.

/// The level of detail of an explanation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detail {
    /// How many accepted values are listed.
    pub(super) values_max: usize,
    /// Whether the description of a missing argument is repeated.
    pub(super) has_description: bool,
}
