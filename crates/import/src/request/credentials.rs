//! Credentials in the headers and the URL of a request.

use base64::Engine;
use serde_json::json;
use serde_json::value::RawValue;
use toolgate_domain::json::{self, JsonObject};
use toolgate_domain::upstream_auth::{AuthType, Credentials, KeyLocation};

use super::url::ImportedUrl;
use super::urlencoded_form;
use crate::warnings::Warnings;

/// The header whose value [`parse_authorization`] parses.
pub(crate) const AUTHORIZATION: &str = "Authorization";

/// Authorization schemes whose value is computed for each request and cannot be reused.
const COMPUTED_SCHEMES: [&str; 14] = [
    "digest",
    "oauth",
    "hawk",
    "signature",
    "ntlm",
    "negotiate",
    "kerberos",
    "mac",
    "mutual",
    "aws",
    "sharedkey",
    "sharedkeylite",
    "dpop",
    "hoba",
];

/// The `auth_type` of these credentials.
pub(crate) fn auth_type(credentials: Option<&Credentials>) -> AuthType {
    credentials.map_or(AuthType::None, Credentials::auth_type)
}

/// The credentials in plain text, for the user who imported them; `{}` without credentials.
pub(crate) fn to_json(credentials: Option<&Credentials>) -> Box<RawValue> {
    json::raw(credentials.map_or_else(|| "{}".to_owned(), |credentials| credentials.expose().to_string()))
}

/// Parses the value of an Authorization header. Returns `None` if it cannot be reused.
pub(crate) fn parse_authorization(value: &str, warnings: &mut Warnings) -> Option<Credentials> {
    let (scheme, rest) =
        value.split_once(char::is_whitespace).map_or(("", value), |(scheme, rest)| (scheme, rest.trim()));
    if ["bearer", "basic"].iter().any(|scheme| scheme.eq_ignore_ascii_case(value)) {
        warnings.add("The Authorization header has a scheme but no credentials. It was imported as a plain header.");
        return None;
    }
    match scheme.to_ascii_lowercase().as_str() {
        "bearer" => Some(Credentials::Bearer { token: rest.into() }),
        "basic" => {
            let credentials = decode_basic(rest).and_then(|(username, password)| basic(username, password));
            if credentials.is_none() {
                warnings.add(
                    "The Authorization header is not valid Basic authentication. It was imported as a plain header.",
                );
            }
            credentials
        }
        computed
            if COMPUTED_SCHEMES.contains(&computed) || computed.contains("hmac") || computed.starts_with("scram") =>
        {
            warnings.add("The Authorization header is computed for each request. The API may reject the pasted value.");
            None
        }
        _ => Some(Credentials::ApiKey {
            key_name: AUTHORIZATION.to_owned(),
            key_value: value.into(),
            key_location: KeyLocation::Header,
        }),
    }
}

/// The credentials of a user; `None` if both texts are empty.
pub(crate) fn basic(username: String, password: String) -> Option<Credentials> {
    let is_set = !username.is_empty() || !password.is_empty();
    is_set.then(|| Credentials::Basic { username, password: password.into() })
}

/// Whether a header of this name, in lower case, holds an API key.
pub(crate) fn is_key_header(name: &str) -> bool {
    let name = name.replace('_', "-");
    name.ends_with("api-key") || name.ends_with("apikey")
}

/// Removes the API key from the query, if it occurs once and is valid in a tool.
pub(crate) fn take_key_parameter(url: &mut ImportedUrl) -> Option<Credentials> {
    let is_key = |piece: &&str| {
        let name = piece.split('=').next().unwrap_or_default();
        matches!(name.to_ascii_lowercase().as_str(), "api_key" | "apikey" | "api-key")
    };
    let query = url.query.as_deref()?;
    let mut keys = query.split('&').filter(is_key);
    let (key_name, value) = keys.next().filter(|_| keys.next().is_none())?.split_once('=')?;
    let key = key_credentials(key_name, &urlencoded_form::decode(value).ok()?, KeyLocation::Query)?;
    let others: Vec<&str> = query.split('&').filter(|piece| !is_key(piece)).collect();
    url.query = (!others.is_empty()).then(|| others.join("&"));
    Some(key)
}

/// The credentials for an API key; `None` if they are not valid in a tool.
pub(crate) fn key_credentials(name: &str, value: &str, location: KeyLocation) -> Option<Credentials> {
    let key = json!({"key_name": name, "key_value": value, "key_location": location});
    Credentials::parse(AuthType::ApiKey, &JsonObject::from_stored(key.to_string())).ok()?
}

/// The warning about credentials that are placeholders.
pub(crate) const PLACEHOLDER_WARNING: &str =
    "The credentials look like a placeholder. Replace them with the real ones.";

/// Warns if the credentials look like a placeholder.
pub(crate) fn warn_of_placeholder(credentials: Option<&Credentials>, warnings: &mut Warnings) {
    if credentials.is_some_and(|credentials| is_placeholder(&credentials.expose())) {
        warnings.add(PLACEHOLDER_WARNING);
    }
}

/// Whether the credentials contain a placeholder such as `<token>`, `{{token}}` or `YOUR_TOKEN`.
fn is_placeholder(credentials_json: &str) -> bool {
    // The braces of the JSON object itself are not a placeholder.
    let inner = credentials_json.trim_start_matches('{').trim_end_matches('}');
    let is_marked = |open, close| inner.split_once(open).is_some_and(|(_, after)| after.contains(close));
    is_marked('<', '>') || is_marked('{', '}') || inner.to_ascii_uppercase().contains("YOUR_")
}

/// Decodes the user and password of `Basic …`; `None` if the text is invalid.
fn decode_basic(text: &str) -> Option<(String, String)> {
    use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let bytes = GeneralPurpose::new(&base64::alphabet::STANDARD, config).decode(text).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.split_once(':').map(|(user, password)| (user.to_owned(), password.to_owned()))
}
