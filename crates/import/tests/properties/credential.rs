//! Credentials of a generated request: how a command sends them, and the expected configuration of the tool.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::text;

/// A credential. If a command has several, the importer uses the first in the order of [`Self::rank`].
#[derive(Clone, Debug)]
pub(crate) enum GeneratedCredential {
    /// `Authorization: Bearer token`, with the scheme in upper or lower case.
    Bearer { scheme: &'static str, token: String },
    /// `Authorization: Basic base64`.
    Basic { scheme: &'static str, username: String, password: String },
    /// An `Authorization` header with another scheme, such as `ApiKey key`, or without a scheme.
    OtherAuthorization { value: String },
    /// `--oauth2-bearer`.
    OauthBearer { token: String },
    /// `-u`.
    User { username: String, password: Option<String> },
    /// `https://user:password@`, percent-encoded.
    UserInfo { username: String, password: String },
    /// A header with the name of an API key.
    HeaderKey { name: &'static str, value: String },
    /// A query parameter, percent-encoded.
    QueryKey { name: &'static str, value: String },
}

impl GeneratedCredential {
    /// Up to two credentials, of which the first takes precedence.
    pub(crate) fn up_to_two() -> impl Strategy<Value = Vec<Self>> {
        prop_oneof![
            3 => Just(Vec::new()),
            6 => Self::any().prop_map(|one| vec![one]),
            1 => (Self::any(), Self::any()).prop_map(|(one, other)| match one.rank().cmp(&other.rank()) {
                std::cmp::Ordering::Less => vec![one, other],
                std::cmp::Ordering::Equal => vec![one],
                std::cmp::Ordering::Greater => vec![other, one],
            }),
        ]
    }

    fn any() -> impl Strategy<Value = Self> {
        let user = || {
            // A colon ends the user name.
            let name = text::trimmed_line().prop_map(|name| name.replace(':', ""));
            name.prop_map(|name| if name.trim().is_empty() { "u".to_owned() } else { name })
        };
        let bearer = prop::sample::select(vec!["Bearer", "bearer", "BEARER"]);
        let basic = prop::sample::select(vec!["Basic", "basic"]);
        let scheme = prop::sample::select(vec!["ApiKey ", "apikey ", "Token ", ""]);
        let key = "[A-Za-z0-9_.$!%^&|<>'`~+/-]{1,12}";
        let header = prop::sample::select(vec!["X-API-Key", "x-api-key", "Api-Key", "X-Acme-Apikey"]);
        let query = prop::sample::select(vec!["api_key", "apikey", "api-key"]);
        prop_oneof![
            (bearer, text::without_spaces()).prop_map(|(scheme, token)| Self::Bearer { scheme, token }),
            (basic, user(), text::line()).prop_map(|(scheme, username, password)| Self::Basic {
                scheme,
                username,
                password
            }),
            (scheme, key).prop_map(|(scheme, key)| Self::OtherAuthorization { value: format!("{scheme}{key}") }),
            text::without_spaces().prop_map(|token| Self::OauthBearer { token }),
            (user(), prop::option::of(text::line())).prop_map(|(username, password)| Self::User { username, password }),
            (user(), text::line()).prop_map(|(username, password)| Self::UserInfo { username, password }),
            (header, text::trimmed_line()).prop_map(|(name, value)| Self::HeaderKey { name, value }),
            (query, text::trimmed_line()).prop_map(|(name, value)| Self::QueryKey { name, value }),
        ]
    }

    /// The position in the order of precedence.
    fn rank(&self) -> usize {
        match self {
            Self::Bearer { .. } | Self::Basic { .. } | Self::OtherAuthorization { .. } => 1,
            Self::OauthBearer { .. } => 2,
            Self::User { .. } => 3,
            Self::UserInfo { .. } => 4,
            Self::HeaderKey { .. } => 5,
            Self::QueryKey { .. } => 6,
        }
    }

    /// The header that contains the credential, if it is sent in one.
    pub(crate) fn header(&self) -> Option<(&str, String)> {
        match self {
            Self::Bearer { scheme, token } => Some(("Authorization", format!("{scheme} {token}"))),
            Self::Basic { scheme, username, password } => {
                Some(("Authorization", format!("{scheme} {}", STANDARD.encode(format!("{username}:{password}")))))
            }
            Self::OtherAuthorization { value } => Some(("Authorization", value.clone())),
            Self::HeaderKey { name, value } => Some((name, value.clone())),
            _ => None,
        }
    }

    /// `auth_type` and `auth_credentials`.
    pub(crate) fn configuration(&self) -> (&'static str, Value) {
        match self {
            Self::Bearer { token, .. } | Self::OauthBearer { token } => ("bearer", json!({"token": token})),
            Self::Basic { username, password, .. } | Self::UserInfo { username, password } => {
                ("basic", json!({"username": username, "password": password}))
            }
            Self::User { username, password } => {
                ("basic", json!({"username": username, "password": password.as_deref().unwrap_or_default()}))
            }
            Self::OtherAuthorization { value } => ("api-key", api_key("Authorization", value, "header")),
            Self::HeaderKey { name, value } => ("api-key", api_key(name, value, "header")),
            Self::QueryKey { name, value } => ("api-key", api_key(name, value, "query")),
        }
    }
}

fn api_key(name: &str, value: &str, location: &str) -> Value {
    json!({"key_name": name, "key_value": value, "key_location": location})
}
