//! The callers of tools, by what they expect in a result.

/// Who reads the result of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallAudience {
    /// A program that expects the upstream's body and nothing else.
    #[default]
    Program,
    /// A model: its results have notes, and errors are reduced to what helps it.
    Model,
}
