//! The credentials of an inferred tool: those of the request, or else the keys in its URL.

use serde_json::Value;
use toolgate_domain::upstream_auth::{AuthType, Credentials, KEYS_MAX, KeyLocation};

use super::query::ExampleQuery;
use super::url_key::{self, ImportedKey, KeyedPath, UrlKeyFault};
use crate::request::credentials;
use crate::request::path::UrlPath;
use crate::warnings::Warnings;

/// The credentials of a request.
#[derive(Debug, Default)]
pub(super) struct ExampleCredentials {
    /// The keys in the URL; empty if the tool has other credentials.
    keys: Vec<ImportedKey>,
    /// Credentials outside the URL.
    other: Option<Credentials>,
}

impl ExampleCredentials {
    /// Moves the keys out of a URL, unless the request has other credentials. Also returns the name of the tool if the
    /// path belongs to a known service.
    pub(super) fn take(
        credentials: Option<Credentials>,
        path: &mut UrlPath,
        query: &mut ExampleQuery,
        take_webhook: impl FnOnce(&mut UrlPath) -> Option<KeyedPath>,
        warnings: &mut Warnings,
    ) -> (Self, Option<String>) {
        let (mut keys, other): (Vec<ImportedKey>, _) = match credentials {
            Some(key @ Credentials::ApiKey { key_location: KeyLocation::Query, .. }) => {
                (ImportedKey::from_credentials(&key).into_iter().collect(), None)
            }
            other => (Vec::new(), other),
        };
        let typed_path = path.clone();
        let keyed_path =
            url_key::take_from_path(path).or_else(|| if other.is_none() { take_webhook(path) } else { None });
        let tool_name = keyed_path.as_ref().map(|keyed| keyed.tool_name.clone());
        if other.is_some() && keyed_path.is_some() {
            warn_of_key_in_url("A part of the path", UrlKeyFault::TooMany, warnings);
            *path = typed_path;
        } else {
            keys.extend(keyed_path.map(|keyed| keyed.key));
        }
        let keys_max = if other.is_some() { 0 } else { KEYS_MAX - keys.len() };
        keys.extend(query.take_keys(keys_max, |name, reason| {
            warn_of_key_in_url(&format!("The query parameter {name}"), reason, warnings);
        }));
        (Self { keys, other }, tool_name)
    }

    pub(super) fn auth_type(&self) -> AuthType {
        if self.keys.is_empty() { credentials::auth_type(self.other.as_ref()) } else { AuthType::ApiKey }
    }

    /// The `auth_credentials` in plain text, for the user who imported them.
    pub(super) fn to_json(&self) -> String {
        match &self.other {
            Some(_) => credentials::to_json(self.other.as_ref()).get().to_owned(),
            None if self.keys.is_empty() => "{}".to_owned(),
            None => url_key::to_json(&self.keys).to_string(),
        }
    }

    /// The placeholders that keys fill. No argument may have their names.
    pub(super) fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().filter_map(ImportedKey::placeholder)
    }

    /// The secret values of the credentials.
    pub(super) fn secrets(&self) -> Vec<String> {
        let mut secrets = Vec::new();
        collect_secrets(&serde_json::from_str(&self.to_json()).unwrap_or_default(), &mut secrets);
        secrets
    }
}

fn collect_secrets(credentials: &Value, secrets: &mut Vec<String>) {
    for (name, value) in credentials.as_object().into_iter().flatten() {
        match value {
            Value::String(text) if !matches!(name.as_str(), "key_name" | "key_location") => secrets.push(text.clone()),
            Value::Array(keys) => keys.iter().for_each(|key| collect_secrets(key, secrets)),
            _ => {}
        }
    }
}

fn warn_of_key_in_url(part: &str, reason: UrlKeyFault, warnings: &mut Warnings) {
    let reason = match reason {
        UrlKeyFault::TooMany => "a tool can have only one",
        UrlKeyFault::Repeated => "it occurs several times, and a tool sends a key once",
        UrlKeyFault::InvalidValue => "its value has characters that a key cannot have",
    };
    warnings.add(format!(
        "{part} looks like a credential, but {reason}. It stays in endpoint_url, where everyone with read access to the \
         tool can see it."
    ));
}
