//! Changes to nullable fields in update requests.

/// What an update does to a nullable field: an omitted field, `null` and a value mean different things.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// The request omits the field.
    #[default]
    Keep,
    /// The request contains `null`.
    Clear,
    /// The request contains a value.
    Set(T),
}

impl<T> Change<T> {
    /// Applies the change to `slot`.
    pub fn apply_to(self, slot: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Clear => *slot = None,
            Self::Set(value) => *slot = Some(value),
        }
    }

    /// Converts the value; a value that `convert` rejects leaves the field unchanged.
    pub fn and_then<U>(self, convert: impl FnOnce(T) -> Option<U>) -> Change<U> {
        match self {
            Self::Keep => Change::Keep,
            Self::Clear => Change::Clear,
            Self::Set(value) => convert(value).map_or(Change::Keep, Change::Set),
        }
    }

    /// Whether the request contains the field.
    pub fn is_sent(&self) -> bool {
        !matches!(self, Self::Keep)
    }
}

/// Sets `slot` if a value was sent.
pub fn set<T>(slot: &mut T, sent: Option<T>) {
    if let Some(value) = sent {
        *slot = value;
    }
}
