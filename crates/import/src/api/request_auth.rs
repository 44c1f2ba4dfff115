//! Authentication of requests in a document, with the values that the document has.

mod credentials;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use toolgate_domain::upstream_auth::{AuthType, KEYS_MAX, KeyLocation};

use crate::request::credentials::{AUTHORIZATION, key_credentials};

pub(crate) use credentials::CredentialList;
pub use credentials::DocumentCredential;

/// How a request authenticates. A value is `None` if the document does not have it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum RequestAuth {
    None,
    Bearer {
        token: Option<String>,
    },
    Basic {
        username: Option<String>,
        password: Option<String>,
    },
    Keys(Vec<RequestKey>),
    OAuth2 {
        token_url: Option<String>,
        client_id: Option<String>,
        client_secret: Option<String>,
        scope: Option<String>,
    },
}

/// An API key of a request.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct RequestKey {
    pub(crate) name: String,
    pub(crate) location: KeyLocation,
    pub(crate) value: Option<String>,
}

impl RequestKey {
    /// Whether a tool can send this key.
    pub(crate) fn is_valid(&self) -> bool {
        key_credentials(&self.name, self.value.as_deref().unwrap_or("x"), self.location).is_some()
    }

    fn is_at(&self, name: &str, location: KeyLocation) -> bool {
        self.location == location && self.name.eq_ignore_ascii_case(name)
    }

    /// The members of `auth_credentials`.
    fn members(&self) -> Map<String, Value> {
        let mut members = Map::new();
        members.insert("key_name".to_owned(), self.name.as_str().into());
        members.insert("key_location".to_owned(), self.location.as_str().into());
        members.extend(self.value.as_ref().map(|value| ("key_value".to_owned(), value.as_str().into())));
        members
    }
}

impl RequestAuth {
    pub(crate) fn auth_type(&self) -> AuthType {
        match self {
            Self::None => AuthType::None,
            Self::Bearer { .. } => AuthType::Bearer,
            Self::Basic { .. } => AuthType::Basic,
            Self::Keys(_) => AuthType::ApiKey,
            Self::OAuth2 { .. } => AuthType::OAuth2,
        }
    }

    /// Whether the authentication sets this header.
    pub(crate) fn sets_header(&self, name: &str) -> bool {
        match self {
            Self::None => false,
            Self::Bearer { .. } | Self::Basic { .. } | Self::OAuth2 { .. } => name.eq_ignore_ascii_case(AUTHORIZATION),
            Self::Keys(keys) => keys.iter().any(|key| key.is_at(name, KeyLocation::Header)),
        }
    }

    /// Whether the authentication sets this query parameter.
    pub(crate) fn sets_query(&self, name: &str) -> bool {
        let is_same = |key: &RequestKey| key.location == KeyLocation::Query && key.name == name;
        matches!(self, Self::Keys(keys) if keys.iter().any(is_same))
    }

    /// Adds keys, and returns those that cannot be sent together with the others.
    pub(crate) fn add_keys(&mut self, keys: Vec<RequestKey>) -> Vec<RequestKey> {
        if keys.is_empty() {
            return Vec::new();
        }
        if matches!(self, Self::OAuth2 { .. }) {
            return keys;
        }
        let mut all = std::mem::replace(self, Self::None).into_keys();
        let mut refused = Vec::new();
        for key in keys {
            let is_taken = all.iter().any(|other| other.is_at(&key.name, key.location));
            if is_taken || all.len() >= KEYS_MAX || !key.is_valid() {
                refused.push(key);
            } else {
                all.push(key);
            }
        }
        *self = if all.is_empty() { Self::None } else { Self::from_keys(all) };
        refused
    }

    /// Authentication with these keys. A single `Authorization` header with a bearer token becomes `Bearer`.
    fn from_keys(keys: Vec<RequestKey>) -> Self {
        if let [RequestKey { value: Some(value), .. }] = keys.as_slice()
            && keys.iter().any(|key| key.is_at(AUTHORIZATION, KeyLocation::Header))
            && let Some((scheme, token)) = value.split_once(' ')
            && scheme.eq_ignore_ascii_case("bearer")
        {
            return Self::Bearer { token: Some(token.trim().to_owned()).filter(|token| !token.is_empty()) };
        }
        Self::Keys(keys)
    }

    fn into_keys(self) -> Vec<RequestKey> {
        let authorization =
            |value| vec![RequestKey { name: AUTHORIZATION.to_owned(), location: KeyLocation::Header, value }];
        match self {
            Self::None | Self::OAuth2 { .. } => Vec::new(),
            Self::Bearer { token } => authorization(token.map(|token| format!("Bearer {token}"))),
            Self::Basic { username: Some(username), password: Some(password) } => {
                authorization(Some(format!("Basic {}", STANDARD.encode(format!("{username}:{password}")))))
            }
            Self::Basic { .. } => authorization(None),
            Self::Keys(keys) => keys,
        }
    }

    /// The members of `auth_credentials` that the document has, secrets included.
    fn members(&self) -> Map<String, Value> {
        let with_values = |members: &[(&str, &Option<String>)]| {
            let known =
                members.iter().filter_map(|(key, value)| Some(((*key).to_owned(), value.as_ref()?.as_str().into())));
            known.collect::<Map<String, Value>>()
        };
        match self {
            Self::None => Map::new(),
            Self::Bearer { token } => with_values(&[("token", token)]),
            Self::Basic { username, password } => with_values(&[("username", username), ("password", password)]),
            Self::Keys(keys) => match keys.as_slice() {
                [key] => key.members(),
                keys => {
                    let keys: Vec<Value> = keys.iter().map(|key| Value::Object(key.members())).collect();
                    Map::from_iter([("keys".to_owned(), json!(keys))])
                }
            },
            Self::OAuth2 { token_url, client_id, client_secret, scope } => with_values(&[
                ("token_url", token_url),
                ("client_id", client_id),
                ("client_secret", client_secret),
                ("scope", scope),
            ]),
        }
    }

    /// The members of `auth_credentials` that the owner has to provide if the values of the document cannot be used.
    fn all_members(&self) -> Vec<&'static str> {
        match self {
            Self::None => Vec::new(),
            Self::Bearer { .. } => vec!["token"],
            Self::Basic { .. } => vec!["username", "password"],
            Self::Keys(keys) if keys.len() == 1 => vec!["key_value"],
            Self::Keys(_) => vec!["keys"],
            Self::OAuth2 { .. } => vec!["token_url", "client_id", "client_secret"],
        }
    }

    /// The members of `auth_credentials` that the owner has to provide, because the document does not have them.
    fn needs(&self) -> Vec<&'static str> {
        let missing = |members: &[(&'static str, bool)]| {
            members.iter().filter(|(_, is_known)| !is_known).map(|(key, _)| *key).collect::<Vec<_>>()
        };
        match self {
            Self::None => Vec::new(),
            Self::Bearer { token } => missing(&[("token", token.is_some())]),
            Self::Basic { username, password } => {
                missing(&[("username", username.is_some()), ("password", password.is_some())])
            }
            Self::Keys(keys) => match keys.as_slice() {
                [key] => missing(&[("key_value", key.value.is_some())]),
                keys => missing(&[("keys", keys.iter().all(|key| key.value.is_some()))]),
            },
            Self::OAuth2 { token_url, client_id, client_secret, .. } => missing(&[
                ("token_url", token_url.is_some()),
                ("client_id", client_id.is_some()),
                ("client_secret", client_secret.is_some()),
            ]),
        }
    }
}

#[cfg(test)]
mod tests;
