//! Detects the credentials of a command. They move from headers and URL into the tool's credentials, because everyone
//! with read access to the tool can read its headers and URL.

use serde_json::json;
use toolgate_domain::json::JsonObject;
use toolgate_domain::upstream_auth::{AuthType, Credentials, KeyLocation};

use super::options::Options;
use super::options::table::Effect;
use super::request::{CurlHeaders, CurlUrl, decode_basic};
use crate::request::form_data;
use crate::warnings::Warnings;

const AUTHORIZATION: &str = "Authorization";

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

/// Detects the credentials of a command, in order of precedence. Only the first match becomes the tool's credentials;
/// further ones in the headers and the query stay there.
pub(super) fn detect(
    options: &Options,
    userinfo: Option<(String, String)>,
    headers: &mut CurlHeaders,
    url: &mut CurlUrl,
    warnings: &mut Warnings,
) -> Option<Credentials> {
    if options.last(Effect::AwsSignature).is_some() {
        warnings.add("--aws-sigv4 signs each request. Tools cannot do this, so the credentials were not imported.");
        return None;
    }
    if headers.get(AUTHORIZATION).is_some_and(|value| !value.is_empty()) {
        return take_authorization(headers, warnings);
    }
    if let Some(token) = options.last(Effect::Bearer).filter(|given| !given.value.is_empty()) {
        return Some(Credentials::Bearer { token: token.value.as_str().into() });
    }
    if let Some((username, password)) = user_and_password(options).or(userinfo).filter(has_user_or_password) {
        if options.is_on(Effect::OtherAuth) {
            warnings.add("Tools send user and password only with Basic authentication.");
        }
        return Some(Credentials::Basic { username, password: password.into() });
    }
    take_key_header(headers).or_else(|| take_key_parameter(url))
}

/// Moves the credentials out of the Authorization header. The header stays in place if its value cannot be reused.
fn take_authorization(headers: &mut CurlHeaders, warnings: &mut Warnings) -> Option<Credentials> {
    let value = headers.get(AUTHORIZATION)?;
    let (scheme, rest) =
        value.split_once(char::is_whitespace).map_or(("", value), |(scheme, rest)| (scheme, rest.trim()));
    if ["bearer", "basic"].iter().any(|scheme| scheme.eq_ignore_ascii_case(value)) {
        warnings.add("The Authorization header has a scheme but no credentials. It was imported as a plain header.");
        return None;
    }
    let scheme = scheme.to_ascii_lowercase();
    let credentials = match scheme.as_str() {
        "bearer" => Credentials::Bearer { token: rest.into() },
        "basic" => {
            let Some((username, password)) = decode_basic(rest).filter(has_user_or_password) else {
                warnings.add(
                    "The Authorization header is not valid Basic authentication. It was imported as a plain header.",
                );
                return None;
            };
            Credentials::Basic { username, password: password.into() }
        }
        computed
            if COMPUTED_SCHEMES.contains(&computed) || computed.contains("hmac") || computed.starts_with("scram") =>
        {
            warnings.add("The Authorization header is computed for each request. The API may reject the pasted value.");
            return None;
        }
        _ => Credentials::ApiKey {
            key_name: AUTHORIZATION.to_owned(),
            key_value: value.into(),
            key_location: KeyLocation::Header,
        },
    };
    headers.remove(AUTHORIZATION);
    Some(credentials)
}

/// User and password of `-u`; without a colon the password is empty.
fn user_and_password(options: &Options) -> Option<(String, String)> {
    let text = &options.last(Effect::User)?.value;
    let (user, password) = text.split_once(':').unwrap_or((text, ""));
    Some((user.to_owned(), password.to_owned()))
}

/// Whether the user or the password is not empty.
fn has_user_or_password((user, password): &(String, String)) -> bool {
    !user.is_empty() || !password.is_empty()
}

/// Removes the API key from the headers, if there is one.
fn take_key_header(headers: &mut CurlHeaders) -> Option<Credentials> {
    let is_key = |name: &str| {
        let name = name.replace('_', "-");
        name.ends_with("api-key") || name.ends_with("apikey")
    };
    let name = headers.find(is_key)?.to_owned();
    let (key_name, value) = headers.remove(&name)?;
    Some(Credentials::ApiKey { key_name, key_value: value.into(), key_location: KeyLocation::Header })
}

/// Removes the API key from the query, if it occurs once and is valid in a tool.
fn take_key_parameter(url: &mut CurlUrl) -> Option<Credentials> {
    let is_key = |piece: &&str| {
        let name = piece.split('=').next().unwrap_or_default();
        matches!(name.to_ascii_lowercase().as_str(), "api_key" | "apikey" | "api-key")
    };
    let query = url.query.as_deref()?;
    let mut keys = query.split('&').filter(is_key);
    let (key_name, value) = keys.next().filter(|_| keys.next().is_none())?.split_once('=')?;
    let key = query_key_credentials(key_name, &form_data::decode(value).ok()?)?;
    let others: Vec<&str> = query.split('&').filter(|piece| !is_key(piece)).collect();
    url.query = (!others.is_empty()).then(|| others.join("&"));
    Some(key)
}

/// The credentials for an API key in the query; `None` if they are not valid in a tool.
pub(super) fn query_key_credentials(name: &str, value: &str) -> Option<Credentials> {
    let key = json!({"key_name": name, "key_value": value, "key_location": "query"});
    Credentials::parse(AuthType::ApiKey, &JsonObject::from_stored(key.to_string())).ok()?
}

/// Warns if the credentials look like a placeholder.
pub(super) fn warn_of_placeholder(credentials: Option<&Credentials>, warnings: &mut Warnings) {
    if credentials.is_some_and(|credentials| is_placeholder(&credentials.expose())) {
        warnings.add("The credentials look like a placeholder. Replace them with the real ones.");
    }
}

/// Whether the credentials contain a placeholder such as `<token>`, `{{token}}` or `YOUR_TOKEN`.
fn is_placeholder(credentials_json: &str) -> bool {
    // The braces of the JSON object itself are not a placeholder.
    let inner = credentials_json.trim_start_matches('{').trim_end_matches('}');
    let is_marked = |open, close| inner.split_once(open).is_some_and(|(_, after)| after.contains(close));
    is_marked('<', '>') || is_marked('{', '}') || inner.to_ascii_uppercase().contains("YOUR_")
}
