//! Authentication at an upstream: its types, and the credentials of each.

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use serde_json::value::RawValue;
use zeroize::Zeroizing;

use crate::closed_set::closed_set;
use crate::endpoint_url::is_placeholder_name;
use crate::fault::{Fault, FaultKind, Faults};
use crate::headers::is_token;
use crate::json::{self, JsonObject, Members};

/// Maximum length of one credential value, in bytes.
const VALUE_MAX: usize = 16 * 1024;
/// Maximum number of API keys in one set of credentials.
pub const KEYS_MAX: usize = 8;

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
    /// Parses credentials of the given type; an empty object has none. Faults name the key inside `auth_credentials`, and
    /// never contain a value.
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
            Self::ApiKey { key_name, key_value, key_location } => expose_key(key_name, key_value, *key_location),
            Self::ApiKeys(keys) => json!({"keys": expose_keys(keys)}),
            Self::WithKeys { main, keys } => {
                let mut value = main.to_exposed_json();
                value["keys"] = expose_keys(keys);
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

fn expose_keys(keys: &[UpstreamKey]) -> serde_json::Value {
    keys.iter().map(|key| expose_key(&key.name, &key.value, key.location)).collect()
}

fn expose_key(name: &str, value: &SecretString, location: KeyLocation) -> serde_json::Value {
    json!({"key_name": name, "key_value": value.expose_secret(), "key_location": location.as_str()})
}

/// Parses members of `auth_credentials`, or of one of its keys, and collects their faults.
struct CredentialReader<'a> {
    /// The path of the object, for faults.
    path: String,
    members: &'a Members,
    faults: Faults,
}

impl<'a> CredentialReader<'a> {
    fn new(path: String, members: &'a Members) -> Self {
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

    fn api_keys(&mut self) -> Credentials {
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
    fn with_keys(&mut self, main: Credentials) -> Credentials {
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
    if earlier.iter().any(|earlier| earlier.has_same_place(&key)) {
        let field = reader.field("key_name");
        let message = format!("{field} is given twice for the same key_location.");
        reader.faults.push(Fault::new(field, FaultKind::DuplicateItems, message));
    }
    reader.faults.into_result(key)
}

impl UpstreamKey {
    /// Whether both keys are sent under the same name in the same location.
    fn has_same_place(&self, other: &Self) -> bool {
        let is_same_name = match self.location {
            KeyLocation::Header => self.name.eq_ignore_ascii_case(&other.name),
            KeyLocation::Query | KeyLocation::Path | KeyLocation::Cookie => self.name == other.name,
        };
        self.location == other.location && is_same_name
    }

    /// Checks name and value against the syntax of the location.
    fn check(&self, path: &str) -> Result<(), Fault> {
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
            (AuthType::ApiKey, r#"{"key_name":"token","key_value":"a/b","key_location":"path"}"#),
            (AuthType::ApiKey, r#"{"key_name":"sid","key_value":"v","key_location":"cookie"}"#),
            (
                AuthType::ApiKey,
                r#"{"keys":[{"key_name":"X-A","key_value":"1","key_location":"header"},{"key_name":"b","key_value":"2","key_location":"query"}]}"#,
            ),
            (
                AuthType::OAuth2,
                r#"{"token_url":"https://a.example/t","client_id":"c","client_secret":"s","scope":null}"#,
            ),
            (
                AuthType::Bearer,
                r#"{"token":"t","keys":[{"key_name":"X-A","key_value":"1","key_location":"header"},{"key_name":"b","key_value":"2","key_location":"query"}]}"#,
            ),
            (
                AuthType::OAuth2,
                r#"{"token_url":"https://a.example/t","client_id":"c","client_secret":"s","scope":"x","keys":[{"key_name":"sid","key_value":"v","key_location":"cookie"}]}"#,
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
        for auth_type in [AuthType::None, AuthType::Bearer, AuthType::Basic, AuthType::ApiKey, AuthType::OAuth2] {
            assert!(Credentials::parse(auth_type, &object("{}")).unwrap().is_none());
        }
        assert!(Credentials::parse(AuthType::None, &object(r#"{"token":"x"}"#)).is_err());
    }

    #[test]
    fn a_user_or_a_password_may_be_empty_but_not_both() {
        for (text, field) in [
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
    fn keys_that_are_sent_with_a_token_follow_the_rules_of_keys() {
        for (text, field) in [
            (r#"{"token":"t","keys":[]}"#, "[keys]"),
            (r#"{"token":"t","keys":[{"key_name":"X"}]}"#, "[keys][0][key_value]"),
            (r#"{"token":"t","keys":[{"key_name":"authorization","key_value":"v"}]}"#, "[keys][0][key_name]"),
            (r#"{"keys":[{"key_value":"v"}]}"#, "[token]"),
        ] {
            let faults = Credentials::parse(AuthType::Bearer, &object(text)).unwrap_err();
            let fields: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
            assert_eq!(fields, [format!("auth_credentials{field}")], "{text}");
        }
        let basic =
            r#"{"username":"u","password":"p","keys":[{"key_name":"k","key_value":"v","key_location":"path"}]}"#;
        let credentials = Credentials::parse(AuthType::Basic, &object(basic)).unwrap().unwrap();
        assert_eq!((credentials.auth_type(), credentials.path_key_names()), (AuthType::Basic, vec!["k".to_owned()]));
        assert!(!format!("{credentials:?}").contains("\"v\""));
    }

    #[test]
    fn the_default_name_of_an_api_key_is_x_api_key() {
        let credentials = Credentials::parse(AuthType::ApiKey, &object(r#"{"key_value":"v"}"#)).unwrap().unwrap();
        assert!(credentials.expose().contains(r#""key_name":"X-API-Key""#));
    }

    #[test]
    fn each_key_is_checked_by_the_rules_of_its_location() {
        let key = |index: usize| json!({"key_name": format!("k{index}"), "key_value": "v", "key_location": "query"});
        let list = |count: usize| json!({"keys": (0..count).map(key).collect::<Vec<_>>()}).to_string();
        for (text, field) in [
            (r#"{"key_value":"v","key_location":"body"}"#, "[key_location]"),
            (r#"{"key_value":"v","key_location":"path"}"#, "[key_name]"),
            (r#"{"key_name":"a b","key_value":"v","key_location":"path"}"#, "[key_name]"),
            (r#"{"key_name":"a","key_value":"..","key_location":"path"}"#, "[key_value]"),
            (r#"{"key_name":"a=","key_value":"v","key_location":"cookie"}"#, "[key_name]"),
            (r#"{"key_name":"a","key_value":"v; b=1","key_location":"cookie"}"#, "[key_value]"),
            (r#"{"keys":[]}"#, "[keys]"),
            (r#"{"keys":{}}"#, "[keys]"),
            (r#"{"keys":["v"]}"#, "[keys][0]"),
            (r#"{"keys":[{"key_value":"v"},{"key_name":"X"}]}"#, "[keys][1][key_value]"),
            (r#"{"keys":[{"key_value":"v"},{"key_name":"x-api-key","key_value":"w"}]}"#, "[keys][1][key_name]"),
            (r#"{"keys":[{"key_value":"v"}],"key_value":"v"}"#, "[key_value]"),
            (list(KEYS_MAX + 1).as_str(), "[keys]"),
        ] {
            let faults = Credentials::parse(AuthType::ApiKey, &object(text)).unwrap_err();
            let fields: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
            assert_eq!(fields, [format!("auth_credentials{field}")], "{text}");
            assert!(faults.iter().all(|fault| fault.message.contains(&fault.field)), "{faults:?}");
        }
        assert!(Credentials::parse(AuthType::ApiKey, &object(&list(KEYS_MAX))).is_ok());
    }
}
