//! Authentication at an upstream: its types, and the credentials of each.

mod key;
mod reader;
#[cfg(test)]
mod tests;

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use zeroize::Zeroizing;

use crate::closed_set::closed_set;
use crate::fault::{Fault, Faults};
use crate::json::JsonObject;
pub use key::{KEYS_MAX, KeyLocation, UpstreamKey};
use reader::CredentialReader;

closed_set! {
    /// The type of authentication.
    pub enum AuthType {
        /// No authentication.
        None = "none",
        /// `Authorization: Bearer <token>`.
        Bearer = "bearer",
        /// `Authorization: Basic <base64>`.
        Basic = "basic",
        /// One or more keys in headers, the query, the path or cookies.
        ApiKey = "api-key" | "api_key",
        /// OAuth 2 client credentials: a token is fetched, cached and refreshed.
        OAuth2 = "oauth2",
    }
}

/// Complete credentials of one type. Their `Debug` output shows no secret.
#[derive(Clone, Debug)]
pub enum Credentials {
    /// A bearer token.
    Bearer {
        /// The token.
        token: SecretString,
    },
    /// A user and a password. One of them may be empty: some upstreams expect a token in place of either.
    Basic {
        /// The user.
        username: String,
        /// The password.
        password: SecretString,
    },
    /// An API key.
    ApiKey {
        /// Name of the header, query parameter, placeholder or cookie.
        key_name: String,
        /// The key.
        key_value: SecretString,
        /// Its location in the request.
        key_location: KeyLocation,
    },
    /// API keys that are all sent with each request.
    ApiKeys(Vec<UpstreamKey>),
    /// OAuth 2 client credentials.
    OAuth2 {
        /// URL of the token endpoint.
        token_url: String,
        /// The client id.
        client_id: String,
        /// The client secret.
        client_secret: SecretString,
        /// Scopes to request.
        scope: Option<String>,
    },
    /// Credentials of another type, and API keys that are sent with them.
    WithKeys {
        /// Bearer, Basic or OAuth 2 credentials.
        main: Box<Credentials>,
        /// The keys; at least one.
        keys: Vec<UpstreamKey>,
    },
}

impl Credentials {
    /// Parses credentials of the given type; an empty object has none. Faults name the key inside `auth_credentials`,
    /// and never contain a value.
    pub fn parse(auth_type: AuthType, object: &JsonObject) -> Result<Option<Self>, Faults> {
        let members = object.members();
        if members.is_empty() {
            return Ok(None);
        }
        let mut reader = CredentialReader::new("auth_credentials".to_owned(), &members);
        let credentials = match auth_type {
            AuthType::None => {
                let message = "auth_credentials needs an auth_type other than none; set auth_type as well.";
                return Err(Fault::invalid_value("auth_credentials", message).into());
            }
            AuthType::Bearer => Self::Bearer { token: reader.required_secret("token") },
            AuthType::Basic => reader.basic(),
            AuthType::ApiKey => reader.api_keys(),
            AuthType::OAuth2 => reader.oauth2(),
        };
        let credentials = if auth_type == AuthType::ApiKey { credentials } else { reader.with_keys(credentials) };
        reader.faults.into_result(Some(credentials))
    }

    /// The type of these credentials.
    pub fn auth_type(&self) -> AuthType {
        match self {
            Self::Bearer { .. } => AuthType::Bearer,
            Self::Basic { .. } => AuthType::Basic,
            Self::ApiKey { .. } | Self::ApiKeys(_) => AuthType::ApiKey,
            Self::OAuth2 { .. } => AuthType::OAuth2,
            Self::WithKeys { main, .. } => main.auth_type(),
        }
    }

    /// The API keys, including those that are sent with credentials of another type.
    pub fn api_keys(&self) -> Vec<UpstreamKey> {
        match self {
            Self::ApiKey { key_name, key_value, key_location } => {
                vec![UpstreamKey { name: key_name.clone(), value: key_value.clone(), location: *key_location }]
            }
            Self::ApiKeys(keys) | Self::WithKeys { keys, .. } => keys.clone(),
            Self::Bearer { .. } | Self::Basic { .. } | Self::OAuth2 { .. } => Vec::new(),
        }
    }

    /// The names of the placeholders that API keys fill.
    pub fn path_key_names(&self) -> Vec<String> {
        let in_path = self.api_keys().into_iter().filter(|key| key.location == KeyLocation::Path);
        in_path.map(|key| key.name).collect()
    }

    /// The object that [`Credentials::parse`] reads, in plain text: for sealing only.
    pub fn expose(&self) -> Zeroizing<String> {
        Zeroizing::new(self.to_exposed_json().to_string())
    }

    fn to_exposed_json(&self) -> serde_json::Value {
        match self {
            Self::Bearer { token } => json!({"token": token.expose_secret()}),
            Self::Basic { username, password } => json!({"username": username, "password": password.expose_secret()}),
            Self::ApiKey { key_name, key_value, key_location } => key::expose(key_name, key_value, *key_location),
            Self::ApiKeys(keys) => json!({"keys": key::expose_all(keys)}),
            Self::WithKeys { main, keys } => {
                let mut value = main.to_exposed_json();
                value["keys"] = key::expose_all(keys);
                value
            }
            Self::OAuth2 { token_url, client_id, client_secret, scope } => json!({
                "token_url": token_url,
                "client_id": client_id,
                "client_secret": client_secret.expose_secret(),
                "scope": scope,
            }),
        }
    }
}
