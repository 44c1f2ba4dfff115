//! Reads the members of `auth_credentials`.

use secrecy::SecretString;
use serde_json::value::RawValue;

use super::Credentials;
use super::key::{KEYS_MAX, KeyLocation, UpstreamKey};
use crate::fault::{Fault, FaultKind, Faults};
use crate::json::{self, JsonObject, Members};

/// Maximum length of one credential value, in bytes.
const VALUE_MAX: usize = 16 * 1024;

/// Parses members of `auth_credentials`, or of one of its keys, and collects their faults.
pub(super) struct CredentialReader<'a> {
    /// The path of the object, for faults.
    path: String,
    members: &'a Members,
    pub(super) faults: Faults,
}

impl<'a> CredentialReader<'a> {
    pub(super) fn new(path: String, members: &'a Members) -> Self {
        Self { path, members, faults: Faults::default() }
    }

    /// The path of a member.
    fn field(&self, key: &str) -> String {
        format!("{}[{key}]", self.path)
    }

    fn optional_text(&mut self, key: &str) -> Option<String> {
        let value = self.members.get(key).filter(|value| !json::is_null(value))?;
        let field = self.field(key);
        match json::as_string(value) {
            None => self.faults.push(Fault::invalid_type(&field, "string")),
            Some(text) if text.len() > VALUE_MAX => self.faults.push(Fault::too_long(&field, VALUE_MAX, "bytes")),
            Some(text) if text.chars().any(char::is_control) => {
                self.faults.push(Fault::invalid_pattern(&field, format!("{field} must not hold control characters.")));
            }
            Some(text) => return Some(text),
        }
        None
    }

    fn required_text(&mut self, key: &str) -> String {
        let field = self.field(key);
        if self.members.get(key).is_none_or(|value| json::is_null(value) || value.get() == "\"\"") {
            self.faults.push(Fault::new(
                &field,
                FaultKind::TooShort,
                format!("{field} is required for this auth_type."),
            ));
            return String::new();
        }
        self.optional_text(key).unwrap_or_default()
    }

    pub(super) fn required_secret(&mut self, key: &str) -> SecretString {
        self.required_text(key).into()
    }

    pub(super) fn basic(&mut self) -> Credentials {
        let username = self.optional_text("username").unwrap_or_default();
        let password = self.optional_text("password").unwrap_or_default();
        if username.is_empty() && password.is_empty() && self.faults.is_empty() {
            self.faults.push(Fault::new(
                "auth_credentials[username]",
                FaultKind::TooShort,
                "auth_credentials[username] or auth_credentials[password] is required for this auth_type.",
            ));
        }
        Credentials::Basic { username, password: password.into() }
    }

    pub(super) fn api_keys(&mut self) -> Credentials {
        let Some(keys) = self.members.get("keys").filter(|value| !json::is_null(value)) else {
            let UpstreamKey { name, value, location } = self.api_key();
            return Credentials::ApiKey { key_name: name, key_value: value, key_location: location };
        };
        for key in ["key_name", "key_value", "key_location"].into_iter().filter(|key| self.members.contains_key(*key)) {
            let field = self.field(key);
            let message = format!("{field} cannot be combined with keys.");
            self.faults.push(Fault::invalid_value(field, message));
        }
        Credentials::ApiKeys(self.key_list(keys))
    }

    /// Adds the API keys that are sent with the credentials, if there are any.
    pub(super) fn with_keys(&mut self, main: Credentials) -> Credentials {
        let Some(keys) = self.members.get("keys").filter(|value| !json::is_null(value)) else { return main };
        let keys = self.key_list(keys);
        for (index, key) in keys.iter().enumerate() {
            if key.location == KeyLocation::Header && key.name.eq_ignore_ascii_case("Authorization") {
                let field = format!("{}[{index}][key_name]", self.field("keys"));
                let message =
                    format!("{field} must not be Authorization: the other credentials are sent in that header.");
                self.faults.push(Fault::invalid_value(field, message));
            }
        }
        Credentials::WithKeys { main: Box::new(main), keys }
    }

    fn key_list(&mut self, list: &RawValue) -> Vec<UpstreamKey> {
        let entries: Option<Vec<&RawValue>> = serde_json::from_str(list.get()).ok();
        let entries = self.faults.ok_or_record(check_key_list(&self.field("keys"), entries)).unwrap_or_default();
        let mut keys: Vec<UpstreamKey> = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let path = format!("{}[{index}]", self.field("keys"));
            if let Some(key) = self.faults.ok_or_record(listed_key(path, entry, &keys)) {
                keys.push(key);
            }
        }
        keys
    }

    fn api_key(&mut self) -> UpstreamKey {
        let location = match self.optional_text("key_location").as_deref().map(KeyLocation::parse) {
            None => KeyLocation::Header,
            Some(Some(location)) => location,
            Some(None) => {
                self.faults.push(Fault::not_in(&self.field("key_location"), KeyLocation::NAMES));
                KeyLocation::Header
            }
        };
        let name = match location {
            KeyLocation::Header => self.text_or("key_name", "X-API-Key"),
            KeyLocation::Query => self.text_or("key_name", "api_key"),
            KeyLocation::Path | KeyLocation::Cookie => self.required_text("key_name"),
        };
        let key = UpstreamKey { name, value: self.required_secret("key_value"), location };
        if !key.name.is_empty() {
            self.faults.ok_or_record(key.check(&self.path));
        }
        key
    }

    fn text_or(&mut self, key: &str, default: &str) -> String {
        self.optional_text(key).filter(|text| !text.is_empty()).unwrap_or_else(|| default.to_owned())
    }

    pub(super) fn oauth2(&mut self) -> Credentials {
        let token_url = self.required_text("token_url");
        if !token_url.is_empty() && !is_http_url(&token_url) {
            self.faults.push(Fault::invalid_pattern(
                "auth_credentials[token_url]",
                "auth_credentials[token_url] must be an absolute http or https URL without userinfo.",
            ));
        }
        Credentials::OAuth2 {
            token_url,
            client_id: self.required_text("client_id"),
            client_secret: self.required_secret("client_secret"),
            scope: self.optional_text("scope"),
        }
    }
}

fn check_key_list<'a>(field: &str, entries: Option<Vec<&'a RawValue>>) -> Result<Vec<&'a RawValue>, Fault> {
    let entries = entries.ok_or_else(|| Fault::invalid_type(field, "array"))?;
    match entries.len() {
        0 => Err(Fault::new(field, FaultKind::TooFewItems, format!("{field} must hold at least 1 key."))),
        1..=KEYS_MAX => Ok(entries),
        _ => Err(Fault::too_many(field, KEYS_MAX, "keys")),
    }
}

/// Parses one of several keys.
fn listed_key(path: String, entry: &RawValue, earlier: &[UpstreamKey]) -> Result<UpstreamKey, Faults> {
    let members = JsonObject::from_raw(entry).ok_or_else(|| Fault::invalid_type(&path, "object"))?.members();
    let mut reader = CredentialReader::new(path, &members);
    let key = reader.api_key();
    if earlier.iter().any(|earlier| earlier.has_same_name_and_location(&key)) {
        let field = reader.field("key_name");
        let message = format!("{field} is given twice for the same key_location.");
        reader.faults.push(Fault::new(field, FaultKind::DuplicateItems, message));
    }
    reader.faults.into_result(key)
}

fn is_http_url(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none()
    })
}
