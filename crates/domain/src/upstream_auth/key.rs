//! API keys of an upstream.

use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use crate::closed_set::closed_set;
use crate::endpoint_url::is_placeholder_name;
use crate::fault::Fault;
use crate::headers::is_token;

/// Maximum number of API keys in one set of credentials.
pub const KEYS_MAX: usize = 8;

closed_set! {
    /// The location of an API key in the request.
    pub enum KeyLocation {
        /// A request header.
        Header = "header",
        /// A query parameter.
        Query = "query",
        /// A placeholder in the path of the URL.
        Path = "path",
        /// A cookie.
        Cookie = "cookie",
    }
}

/// An API key for an upstream.
#[derive(Clone, Debug)]
pub struct UpstreamKey {
    /// Name of the header, query parameter, placeholder or cookie.
    pub name: String,
    /// The key.
    pub value: SecretString,
    /// Its location in the request.
    pub location: KeyLocation,
}

impl UpstreamKey {
    /// Whether both keys are sent under the same name in the same location.
    pub(super) fn has_same_name_and_location(&self, other: &Self) -> bool {
        let is_same_name = match self.location {
            KeyLocation::Header => self.name.eq_ignore_ascii_case(&other.name),
            KeyLocation::Query | KeyLocation::Path | KeyLocation::Cookie => self.name == other.name,
        };
        self.location == other.location && is_same_name
    }

    /// Checks name and value against the syntax of the location.
    pub(super) fn check(&self, path: &str) -> Result<(), Fault> {
        let (name, value) = (format!("{path}[key_name]"), format!("{path}[key_value]"));
        let secret = self.value.expose_secret();
        match self.location {
            KeyLocation::Header if !is_token(&self.name) => {
                Err(Fault::invalid_pattern(&name, format!("{name} is not a valid header name.")))
            }
            KeyLocation::Cookie if !is_token(&self.name) => {
                Err(Fault::invalid_pattern(&name, format!("{name} is not a valid cookie name.")))
            }
            KeyLocation::Cookie if secret.contains([';', ',', '"', '\\', ' ']) => Err(Fault::invalid_pattern(
                &value,
                format!("{value} must not hold spaces, quotes, commas, semicolons or backslashes in a cookie."),
            )),
            KeyLocation::Path if !is_placeholder_name(&self.name) => Err(Fault::invalid_pattern(
                &name,
                format!(
                    "{name} must be the name of a placeholder: a letter or '_', then letters, digits, '_' and '-'."
                ),
            )),
            KeyLocation::Path if matches!(secret, "." | "..") => {
                Err(Fault::invalid_value(&value, format!("{value} must not be '.' or '..' in a path.")))
            }
            KeyLocation::Header | KeyLocation::Query | KeyLocation::Path | KeyLocation::Cookie => Ok(()),
        }
    }
}

/// The keys in plain text, as [`super::Credentials::parse`] reads them.
pub(super) fn expose_all(keys: &[UpstreamKey]) -> Value {
    keys.iter().map(|key| expose(&key.name, &key.value, key.location)).collect()
}

/// A key in plain text, as [`super::Credentials::parse`] reads it.
pub(super) fn expose(name: &str, value: &SecretString, location: KeyLocation) -> Value {
    json!({"key_name": name, "key_value": value.expose_secret(), "key_location": location.as_str()})
}
