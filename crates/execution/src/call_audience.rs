//! Who reads the result of a call: results for models and for programs differ.

/// Who reads the result of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallAudience {
    /// A program that expects the upstream's body and nothing else.
    #[default]
    Program,
    /// A model: results have notes, and errors contain only the parts that help a model.
    Model,
}
