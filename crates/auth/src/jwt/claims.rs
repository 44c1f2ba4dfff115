//! The claims of a token whose signature is valid.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};
use toolgate_domain::time::Timestamp;

use super::{CLOCK_SKEW_MS, JwtError};

/// The latest time that is accepted, in seconds (the year 9999): later ones would overflow milliseconds.
const SECONDS_MAX: i64 = 253_402_300_799;

/// The claims. They are personal data, so the `Debug` output shows only their number.
pub struct Claims(Map<String, Value>);

impl fmt::Debug for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Claims({})", self.0.len())
    }
}

impl Claims {
    pub(super) fn new(members: Map<String, Value>) -> Self {
        Self(members)
    }

    /// Whether there is a claim with this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A claim that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// The texts of a claim that is a text or a list; empty if it is absent.
    pub fn texts(&self, name: &str) -> Vec<&str> {
        match self.0.get(name) {
            Some(Value::String(text)) => vec![text],
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    /// A claim that is a number; fractions are cut off.
    pub fn number(&self, name: &str) -> Option<i64> {
        whole_number(self.0.get(name)?)
    }

    /// A claim that is true or false.
    pub fn boolean(&self, name: &str) -> Option<bool> {
        self.0.get(name)?.as_bool()
    }

    /// `iss`.
    pub fn issuer(&self) -> Option<&str> {
        self.text("iss")
    }

    /// `sub`.
    pub fn subject(&self) -> Option<&str> {
        self.text("sub")
    }

    /// `aud`, a text or a list.
    pub fn audience(&self) -> Vec<&str> {
        self.texts("aud")
    }

    /// Checks `exp`, which is required, and `nbf` and `iat`, with a tolerance of [`CLOCK_SKEW_MS`]. Returns `exp`.
    pub fn check_times(&self, now: Timestamp) -> Result<Timestamp, JwtError> {
        let expires_at = self.time("exp")?.ok_or(JwtError::MissingClaim)?;
        if expires_at.plus_millis(CLOCK_SKEW_MS) <= now {
            return Err(JwtError::Expired);
        }
        for name in ["nbf", "iat"] {
            if self.time(name)?.is_some_and(|time| time > now.plus_millis(CLOCK_SKEW_MS)) {
                return Err(JwtError::NotYetValid);
            }
        }
        Ok(expires_at)
    }

    /// The values of a claim as texts; the claim is a text, a number, a boolean or a list of these. A name with dots
    /// that is not a claim itself is a path into objects, such as `realm_access.roles`.
    pub fn values(&self, name: &str) -> Vec<Cow<'_, str>> {
        let nested = || {
            let mut parts = name.split('.');
            let first = self.0.get(parts.next()?)?;
            parts.try_fold(first, |value, part| value.as_object()?.get(part))
        };
        match self.0.get(name).or_else(nested) {
            Some(Value::Array(items)) => items.iter().filter_map(scalar).collect(),
            Some(value) => scalar(value).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// A claim that is a time in seconds since 1970; `None` if it is absent.
    fn time(&self, name: &str) -> Result<Option<Timestamp>, JwtError> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let seconds = whole_number(value).filter(|seconds| (0..=SECONDS_MAX).contains(seconds));
        let seconds = seconds.ok_or(JwtError::MissingClaim)?;
        Ok(Some(Timestamp::from_millis(seconds * 1000)))
    }
}

fn scalar(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        Value::Bool(is_true) => Some(Cow::Borrowed(if *is_true { "true" } else { "false" })),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The integer part of a number: the standard allows fractions of seconds. Numbers beyond 2^53 are not exact as floats,
/// but no time is that late.
fn whole_number(value: &Value) -> Option<i64> {
    let whole = || {
        let text = format!("{:.0}", value.as_f64()?.trunc());
        text.parse().ok()
    };
    value.as_i64().or_else(whole)
}
