//! Validation faults of request fields. All rules report them in one form, so that a response can list all faults of a
//! request by field.

use std::ops::RangeInclusive;

/// The kinds of fault that clients can distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Another JSON type was expected.
    InvalidType,
    /// The value is not in the allowed set.
    NotInEnum,
    /// A number is outside its range.
    OutOfBounds,
    /// A text is too short, usually empty.
    TooShort,
    /// A text or document is too long.
    TooLong,
    /// A text does not match the required pattern.
    InvalidPattern,
    /// A list holds the same item twice.
    DuplicateItems,
    /// A list holds too few items.
    TooFewItems,
    /// A list holds too many items.
    TooManyItems,
    /// Requests of this kind have no field of this name.
    UnknownField,
    /// The value breaks a rule that no other kind covers.
    InvalidValue,
}

/// One fault: the path of the field in the request (`headers[Cookie]`), and a message that says what value it needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct Fault {
    /// Path of the field: `name`, `arguments[0][name]`.
    pub field: String,
    /// The kind.
    pub kind: FaultKind,
    /// A sentence that names the field and says what value it needs.
    pub message: String,
}

impl Fault {
    /// A fault of `kind` at `field`.
    pub fn new(field: impl Into<String>, kind: FaultKind, message: impl Into<String>) -> Self {
        Self { field: field.into(), kind, message: message.into() }
    }

    /// A value that breaks a rule of its field.
    pub fn invalid_value(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(field, FaultKind::InvalidValue, message)
    }

    /// A text that does not match the pattern of its field.
    pub fn invalid_pattern(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(field, FaultKind::InvalidPattern, message)
    }

    /// `field` holds more than `limit` items, which are called `items`.
    pub fn too_many(field: &str, limit: usize, items: &str) -> Self {
        Self::new(field, FaultKind::TooManyItems, format!("{field} must hold at most {limit} {items}."))
    }

    /// The number in `field` is not in `range`.
    pub fn out_of_bounds(field: &str, range: RangeInclusive<i64>) -> Self {
        let (start, end) = range.into_inner();
        let message = format!("{field} must be between {start} (inclusive) and {end} (inclusive)");
        Self::new(field, FaultKind::OutOfBounds, message)
    }

    /// `field` is not of the JSON type `expected`.
    pub fn invalid_type(field: &str, expected: &str) -> Self {
        Self::new(field, FaultKind::InvalidType, format!("{field} is not of type {expected}."))
    }

    /// `field` is longer than `limit` (in `unit`, e.g. "characters").
    pub fn too_long(field: &str, limit: usize, unit: &str) -> Self {
        Self::new(field, FaultKind::TooLong, format!("{field} must be at most {limit} {unit} long."))
    }

    /// `field` must not be empty, but is.
    pub fn empty(field: &str) -> Self {
        Self::new(field, FaultKind::TooShort, format!("{field} must not be empty."))
    }

    /// `field` is not one of `allowed`.
    pub fn not_in(field: &str, allowed: &[&str]) -> Self {
        Self::new(field, FaultKind::NotInEnum, format!("{field} is not one of {}.", english_list(allowed)))
    }

    /// The same fault with the path of `field` nested in `parent`: `name` inside `arguments[0]` is
    /// `arguments[0][name]`.
    #[must_use]
    pub fn inside(mut self, parent: &str) -> Self {
        let (head, rest) = match self.field.find('[') {
            Some(at) => self.field.split_at_checked(at).unwrap_or((&self.field, "")),
            None => (self.field.as_str(), ""),
        };
        let field = format!("{parent}[{head}]{rest}");
        self.message = self.message.replacen(&self.field, &field, 1);
        self.field = field;
        self
    }
}

/// Joins items as "a, b, and c". The management API follows the conventions of the WordPress REST API
/// (docs/rest-api.md), including this form.
fn english_list(items: &[&str]) -> String {
    match items {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [a, b] => format!("{a} and {b}"),
        [head @ .., last] => format!("{}, and {last}", head.join(", ")),
    }
}

/// Maximum number of faults in one response.
const FAULTS_MAX: usize = 100;

/// The faults of one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Returns the parsed value, or records the faults and returns `None`, so that validation continues with other
    /// fields.
    pub fn ok_or_record<T>(&mut self, parsed: Result<T, impl Into<Faults>>) -> Option<T> {
        parsed.map_err(|faults| self.extend(faults.into())).ok()
    }

    /// Adds one fault.
    pub fn push(&mut self, fault: Fault) {
        if self.0.len() < FAULTS_MAX {
            self.0.push(fault);
        }
    }

    /// Adds the faults of another validation.
    pub fn extend(&mut self, others: Faults) {
        let capacity = FAULTS_MAX - self.0.len();
        self.0.extend(others.0.into_iter().take(capacity));
    }

    /// `value` if there are no faults, else the faults.
    pub fn into_result<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// The faults, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.0.iter()
    }

    /// Whether there are no faults.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// See [`Fault::inside`].
    #[must_use]
    pub fn inside(self, parent: &str) -> Self {
        Self(self.0.into_iter().map(|fault| fault.inside(parent)).collect())
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Self(vec![fault])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_the_whole_path_of_its_field() {
        let fault = Fault::empty("name").inside("items").inside("arguments");
        assert_eq!(fault.field, "arguments[items][name]");
        assert_eq!(fault.message, "arguments[items][name] must not be empty.");
    }

    #[test]
    fn the_number_of_reported_faults_is_limited() {
        let mut faults = Faults::default();
        for n in 0..1000 {
            faults.push(Fault::empty(&format!("f{n}")));
        }
        faults.extend(faults.clone());
        assert_eq!(faults.iter().count(), FAULTS_MAX);
    }

    #[test]
    fn allowed_values_are_joined_as_an_english_list() {
        assert_eq!(Fault::not_in("x", &["a", "b", "c"]).message, "x is not one of a, b, and c.");
        assert_eq!(Fault::not_in("x", &["a", "b"]).message, "x is not one of a and b.");
    }
}
