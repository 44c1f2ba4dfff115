//! The variables of a template. RFC 6570 has three types of value and no numbers: callers convert numbers and booleans
//! to text.

use indexmap::IndexMap;

/// The value of one variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariableValue {
    /// A text, possibly empty.
    Text(String),
    /// A list of texts; an empty list is undefined.
    List(Vec<String>),
    /// Key-value pairs in order; an empty map is undefined.
    Map(Vec<(String, String)>),
}

impl VariableValue {
    /// Whether the RFC treats this value as undefined.
    pub(super) fn is_undefined(&self) -> bool {
        match self {
            Self::Text(_) => false,
            Self::List(items) => items.is_empty(),
            Self::Map(entries) => entries.is_empty(),
        }
    }
}

impl From<&str> for VariableValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for VariableValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Values by variable name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variables(IndexMap<String, VariableValue>);

impl Variables {
    /// No variables: every expression expands to nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a variable; a later value replaces an earlier one.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<VariableValue>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// The value of a variable, if it is defined in the sense of the RFC.
    pub fn get(&self, name: &str) -> Option<&VariableValue> {
        self.0.get(name).filter(|value| !value.is_undefined())
    }
}

impl<N: Into<String>, V: Into<VariableValue>> FromIterator<(N, V)> for Variables {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}
