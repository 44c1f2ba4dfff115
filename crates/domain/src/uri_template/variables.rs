//! What a template is expanded with. RFC 6570 knows three shapes of value and no numbers: callers decide how
//! a number or a boolean is written.

use indexmap::IndexMap;

/// The value of one variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// One text, possibly empty.
    Text(String),
    /// Several texts; an empty list counts as no value at all.
    List(Vec<String>),
    /// Named texts in their order; an empty map counts as no value at all.
    Map(Vec<(String, String)>),
}

impl Value {
    /// Whether the RFC treats this value as if the variable had none.
    pub(super) fn is_undefined(&self) -> bool {
        match self {
            Self::Text(_) => false,
            Self::List(items) => items.is_empty(),
            Self::Map(entries) => entries.is_empty(),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Values by variable name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variables(IndexMap<String, Value>);

impl Variables {
    /// No variables: every expression expands to nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same variables and one more; a later value replaces an earlier one.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// The value of a variable, where it has one in the sense of the RFC.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_undefined())
    }
}

impl<N: Into<String>, V: Into<Value>> FromIterator<(N, V)> for Variables {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}
