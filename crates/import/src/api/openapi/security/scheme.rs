//! Maps security schemes to the authentication types of tools.

use serde_json::{Map, Value, json};
use toolgate_domain::upstream_auth::{AuthType, KeyLocation};

use crate::api::openapi::servers::ServerChoice;
use crate::api::reference::Located;

/// The kind of a security scheme, by the credential that it sends.
#[derive(Debug)]
pub(super) enum SchemeKind {
    Bearer,
    Basic,
    Key {
        name: String,
        location: KeyLocation,
    },
    /// OAuth 2 client credentials. Without a `token_url` in the document, the owner has to provide it.
    ClientCredentials {
        token_url: Option<String>,
    },
    /// A bearer token that cannot be fetched: another flow of OAuth 2, or `OpenID` Connect.
    Token,
    /// A scheme that tools do not support.
    Unknown,
}

/// One credential for schemes that are used together.
pub(super) struct SchemeUse {
    pub(super) auth_type: AuthType,
    /// The members of `auth_credentials` that the owner has to provide.
    pub(super) needs: Vec<&'static str>,
    /// The members that the document determines.
    pub(super) auth_credentials: Map<String, Value>,
}

impl SchemeKind {
    pub(super) fn read<'a>(scheme: &Located<'a>, servers: &ServerChoice<'a>) -> Self {
        match scheme.text("type").unwrap_or_default() {
            // Swagger 2.0.
            "basic" => Self::Basic,
            "http" => match scheme.text("scheme").unwrap_or_default().to_ascii_lowercase().as_str() {
                "bearer" => Self::Bearer,
                "basic" => Self::Basic,
                _ => Self::Unknown,
            },
            "apiKey" => Self::key_scheme(scheme),
            "oauth2" => Self::oauth2(scheme, servers),
            "openIdConnect" => Self::Token,
            _ => Self::Unknown,
        }
    }

    fn key_scheme(scheme: &Located<'_>) -> Self {
        let location = match scheme.text("in") {
            Some("header") => KeyLocation::Header,
            Some("query") => KeyLocation::Query,
            Some("cookie") => KeyLocation::Cookie,
            _ => return Self::Unknown,
        };
        match scheme.text("name").filter(|name| !name.is_empty()) {
            Some(name) => Self::Key { name: name.to_owned(), location },
            None => Self::Unknown,
        }
    }

    fn oauth2<'a>(scheme: &Located<'a>, servers: &ServerChoice<'a>) -> Self {
        let flow = scheme.member("flows").and_then(|flows| flows.member("clientCredentials"));
        let swagger_flow = Some(scheme.clone()).filter(|scheme| scheme.text("flow") == Some("application"));
        match flow.or(swagger_flow) {
            Some(flow) => {
                let token_url = flow.text("tokenUrl").and_then(|url| servers.absolute_url(url));
                Self::ClientCredentials { token_url }
            }
            None => Self::Token,
        }
    }

    /// The header, query parameter or cookie that the credential sets.
    pub(super) fn target(&self) -> Option<(KeyLocation, String)> {
        match self {
            Self::Key { name, location: KeyLocation::Header } => Some((KeyLocation::Header, name.to_ascii_lowercase())),
            Self::Key { name, location } => Some((*location, name.clone())),
            Self::Bearer | Self::Basic | Self::ClientCredentials { .. } | Self::Token => {
                Some((KeyLocation::Header, "authorization".to_owned()))
            }
            Self::Unknown => None,
        }
    }

    /// Location and name of the API key, for schemes of this kind.
    pub(super) fn key(&self) -> Option<(KeyLocation, String)> {
        match self {
            Self::Key { name, location } => Some((*location, name.clone())),
            _ => None,
        }
    }

    /// Whether the scheme sends a bearer token.
    pub(super) fn is_bearer(&self) -> bool {
        matches!(self, Self::Bearer | Self::ClientCredentials { .. } | Self::Token)
    }

    /// Whether the owner has to provide a token because tools cannot fetch one. Tools fetch no tokens for a combination
    /// of schemes.
    pub(super) fn needs_token(&self, scheme_count: usize) -> bool {
        match self {
            Self::Token => true,
            Self::ClientCredentials { .. } => scheme_count > 1,
            _ => false,
        }
    }
}

impl SchemeUse {
    /// The credential for schemes that are used together.
    pub(super) fn new(used: &[(&str, &SchemeKind)]) -> Self {
        match used {
            [(_, scheme)] => Self::single(scheme),
            several => {
                let keys: Vec<Value> = several.iter().filter_map(|(_, scheme)| key_entry(scheme)).collect();
                let auth_credentials = Map::from_iter([("keys".to_owned(), keys.into())]);
                Self { auth_type: AuthType::ApiKey, needs: vec!["keys"], auth_credentials }
            }
        }
    }

    fn single(scheme: &SchemeKind) -> Self {
        let mut auth_credentials = Map::new();
        let (auth_type, needs) = match scheme {
            SchemeKind::Bearer | SchemeKind::Token => (AuthType::Bearer, vec!["token"]),
            SchemeKind::Basic => (AuthType::Basic, vec!["username", "password"]),
            SchemeKind::Key { name, location } => {
                auth_credentials.insert("key_name".to_owned(), name.as_str().into());
                auth_credentials.insert("key_location".to_owned(), location.as_str().into());
                (AuthType::ApiKey, vec!["key_value"])
            }
            SchemeKind::ClientCredentials { token_url: Some(url) } => {
                auth_credentials.insert("token_url".to_owned(), url.as_str().into());
                (AuthType::OAuth2, vec!["client_id", "client_secret"])
            }
            SchemeKind::ClientCredentials { token_url: None } => {
                (AuthType::OAuth2, vec!["token_url", "client_id", "client_secret"])
            }
            SchemeKind::Unknown => (AuthType::None, Vec::new()),
        };
        Self { auth_type, needs, auth_credentials }
    }
}

/// An entry of `keys`, without its value. A token is a key in the header `Authorization`, whose value begins with its
/// prefix.
fn key_entry(scheme: &SchemeKind) -> Option<Value> {
    Some(match scheme {
        SchemeKind::Key { name, location } => json!({"key_name": name, "key_location": location.as_str()}),
        SchemeKind::Basic => json!({"key_name": "Authorization", "key_location": "header", "prefix": "Basic "}),
        SchemeKind::Bearer | SchemeKind::Token | SchemeKind::ClientCredentials { .. } => {
            json!({"key_name": "Authorization", "key_location": "header", "prefix": "Bearer "})
        }
        SchemeKind::Unknown => return None,
    })
}
