//! Authentication at an upstream: its types, and the credentials of each.

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use zeroize::Zeroizing;

use crate::closed_set::closed_set;
use crate::fault::{Fault, FaultKind, Faults};
use crate::json::{self, JsonObject, Members};

/// Maximum length of one credential value, in bytes.
const VALUE_MAX: usize = 16 * 1024;

closed_set! {
    /// The type of authentication.
    pub enum AuthType {
        /// No authentication.
        None = "none",
        /// `Authorization: Bearer <token>`.
        Bearer = "bearer",
        /// `Authorization: Basic <base64>`.
        Basic = "basic",
        /// A key in a header or in the query.
        ApiKey = "api-key" | "api_key",
        /// OAuth 2 client credentials: a token is fetched, cached and refreshed.
        OAuth2 = "oauth2",
    }
}

/// The location of an API key in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyLocation {
    /// A request header.
    Header,
    /// A query parameter.
    Query,
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
        /// Name of the header or query parameter.
        key_name: String,
        /// The key.
        key_value: SecretString,
        /// Its location in the request.
        key_location: KeyLocation,
    },
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
}

impl Credentials {
    /// Parses credentials of the given type. Faults name the key inside `auth_credentials`, and never contain a value.
    pub fn parse(auth_type: AuthType, object: &JsonObject) -> Result<Option<Self>, Faults> {
        let members = object.members();
        let mut reader = CredentialReader { members: &members, faults: Faults::default() };
        let credentials = match auth_type {
            AuthType::None => {
                let message = "auth_credentials needs an auth_type other than none; set auth_type as well.";
                let unexpected = || Err(Fault::invalid_value("auth_credentials", message).into());
                return if members.is_empty() { Ok(None) } else { unexpected() };
            }
            AuthType::Bearer => Self::Bearer { token: reader.required_secret("token") },
            AuthType::Basic => reader.basic(),
            AuthType::ApiKey => reader.api_key(),
            AuthType::OAuth2 => reader.oauth2(),
        };
        reader.faults.into_result(Some(credentials))
    }

    /// The type of these credentials.
    pub fn auth_type(&self) -> AuthType {
        match self {
            Self::Bearer { .. } => AuthType::Bearer,
            Self::Basic { .. } => AuthType::Basic,
            Self::ApiKey { .. } => AuthType::ApiKey,
            Self::OAuth2 { .. } => AuthType::OAuth2,
        }
    }

    /// The object that [`Credentials::parse`] reads, in plain text: for sealing only.
    pub fn expose(&self) -> Zeroizing<String> {
        let value = match self {
            Self::Bearer { token } => json!({"token": token.expose_secret()}),
            Self::Basic { username, password } => json!({"username": username, "password": password.expose_secret()}),
            Self::ApiKey { key_name, key_value, key_location } => json!({
                "key_name": key_name,
                "key_value": key_value.expose_secret(),
                "key_location": match key_location { KeyLocation::Header => "header", KeyLocation::Query => "query" },
            }),
            Self::OAuth2 { token_url, client_id, client_secret, scope } => json!({
                "token_url": token_url,
                "client_id": client_id,
                "client_secret": client_secret.expose_secret(),
                "scope": scope,
            }),
        };
        Zeroizing::new(value.to_string())
    }
}

/// Parses members of `auth_credentials` and collects their faults.
struct CredentialReader<'a> {
    members: &'a Members,
    faults: Faults,
}

impl CredentialReader<'_> {
    fn optional_text(&mut self, key: &str) -> Option<String> {
        let value = self.members.get(key).filter(|value| !json::is_null(value))?;
        let field = format!("auth_credentials[{key}]");
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
        let field = format!("auth_credentials[{key}]");
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

    fn required_secret(&mut self, key: &str) -> SecretString {
        self.required_text(key).into()
    }

    fn basic(&mut self) -> Credentials {
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

    fn api_key(&mut self) -> Credentials {
        let key_location = match self.optional_text("key_location").as_deref() {
            None | Some("header") => KeyLocation::Header,
            Some("query") => KeyLocation::Query,
            Some(_) => {
                self.faults.push(Fault::not_in("auth_credentials[key_location]", &["header", "query"]));
                KeyLocation::Header
            }
        };
        let default = match key_location {
            KeyLocation::Header => "X-API-Key",
            KeyLocation::Query => "api_key",
        };
        let key_name =
            self.optional_text("key_name").filter(|name| !name.is_empty()).unwrap_or_else(|| default.to_owned());
        if key_location == KeyLocation::Header && !crate::headers::is_token(&key_name) {
            self.faults.push(Fault::invalid_pattern(
                "auth_credentials[key_name]",
                "auth_credentials[key_name] is not a valid header name.",
            ));
        }
        Credentials::ApiKey { key_name, key_value: self.required_secret("key_value"), key_location }
    }

    fn oauth2(&mut self) -> Credentials {
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

fn is_http_url(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> JsonObject {
        JsonObject::from_raw(json::check(text.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn exposed_credentials_of_each_type_can_be_parsed() {
        for (auth_type, text) in [
            (AuthType::Bearer, r#"{"token":"t"}"#),
            (AuthType::Basic, r#"{"username":"u","password":"p"}"#),
            (AuthType::Basic, r#"{"username":"u","password":""}"#),
            (AuthType::Basic, r#"{"username":"","password":"p"}"#),
            (AuthType::ApiKey, r#"{"key_name":"X-Key","key_value":"v","key_location":"query"}"#),
            (
                AuthType::OAuth2,
                r#"{"token_url":"https://a.example/t","client_id":"c","client_secret":"s","scope":null}"#,
            ),
        ] {
            let credentials = Credentials::parse(auth_type, &object(text)).unwrap().unwrap();
            assert_eq!(credentials.expose().as_str(), text);
            assert_eq!(credentials.auth_type(), auth_type);
        }
    }

    #[test]
    fn faults_name_the_invalid_and_the_missing_keys() {
        let broken = r#"{"token_url":7,"client_id":"c"}"#;
        let faults = Credentials::parse(AuthType::OAuth2, &object(broken)).unwrap_err();
        let fields: Vec<_> = faults.iter().map(|f| f.field.as_str()).collect();
        assert_eq!(fields, ["auth_credentials[token_url]", "auth_credentials[client_secret]"]);
        assert!(Credentials::parse(AuthType::None, &object("{}")).unwrap().is_none());
        assert!(Credentials::parse(AuthType::None, &object(r#"{"token":"x"}"#)).is_err());
    }

    #[test]
    fn a_user_or_a_password_may_be_empty_but_not_both() {
        for (text, field) in [
            ("{}", "auth_credentials[username]"),
            (r#"{"username":""}"#, "auth_credentials[username]"),
            (r#"{"username":"","password":""}"#, "auth_credentials[username]"),
            (r#"{"username":null,"password":null}"#, "auth_credentials[username]"),
            (r#"{"password":7}"#, "auth_credentials[password]"),
        ] {
            let faults = Credentials::parse(AuthType::Basic, &object(text)).unwrap_err();
            let fields: Vec<_> = faults.iter().map(|f| f.field.as_str()).collect();
            assert_eq!(fields, [field], "{text}");
        }
        let password_only = Credentials::parse(AuthType::Basic, &object(r#"{"password":"p"}"#)).unwrap().unwrap();
        assert_eq!(password_only.expose().as_str(), r#"{"username":"","password":"p"}"#);
    }

    #[test]
    fn the_default_name_of_an_api_key_is_x_api_key() {
        let credentials = Credentials::parse(AuthType::ApiKey, &object(r#"{"key_value":"v"}"#)).unwrap().unwrap();
        assert!(credentials.expose().contains(r#""key_name":"X-API-Key""#));
    }
}
