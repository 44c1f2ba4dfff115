//! What an update says of a nullable field.

/// Keep it, clear it, or set it: "omitted", `null` and a value are three different wishes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// The request does not mention the field.
    #[default]
    Keep,
    /// The request says `null`.
    Clear,
    /// The request brings a value.
    Set(T),
}

impl<T> Change<T> {
    /// Carries the wish out on `slot`.
    pub fn apply_to(self, slot: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Clear => *slot = None,
            Self::Set(value) => *slot = Some(value),
        }
    }

    /// The same wish for another form of the value; a value without that form is no wish.
    pub fn try_map<U>(self, form: impl FnOnce(T) -> Option<U>) -> Change<U> {
        match self {
            Self::Keep => Change::Keep,
            Self::Clear => Change::Clear,
            Self::Set(value) => form(value).map_or(Change::Keep, Change::Set),
        }
    }

    /// Whether the request mentions the field.
    pub fn is_mentioned(&self) -> bool {
        !matches!(self, Self::Keep)
    }
}

/// Sets `slot` when a value was sent.
pub fn set<T>(slot: &mut T, sent: Option<T>) {
    if let Some(value) = sent {
        *slot = value;
    }
}
