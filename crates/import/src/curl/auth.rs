//! How a command authenticates. What is recognised becomes the credentials of the tool, and leaves headers and address:
//! these can be read by whoever may read the tool.

use serde_json::json;
use toolgate_domain::json::JsonObject;
use toolgate_domain::upstream_auth::{AuthType, Credentials, KeyLocation};

use super::form_data;
use super::options::Options;
use super::options::table::Effect;
use super::request::{Headers, Url, decode_basic};
use super::warnings::Warnings;

const AUTHORIZATION: &str = "Authorization";

/// Schemes whose value depends on the request: it cannot be sent again.
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

/// Finds the credentials of a command; the first that are found count.
pub(super) fn detect(
    options: &Options,
    userinfo: Option<(String, String)>,
    headers: &mut Headers,
    url: &mut Url,
    warnings: &mut Warnings,
) -> Option<Credentials> {
    if options.last(Effect::AwsSignature).is_some() {
        warnings.add("--aws-sigv4 signs each request, which tools cannot do; the credentials were left out.");
        return None;
    }
    if headers.get(AUTHORIZATION).is_some_and(|value| !value.is_empty()) {
        return authorization(headers, warnings);
    }
    if let Some(token) = options.last(Effect::Bearer).filter(|given| !given.value.is_empty()) {
        return Some(Credentials::Bearer { token: token.value.as_str().into() });
    }
    if let Some((username, password)) = user(options).or(userinfo).filter(is_anybody) {
        if options.is_on(Effect::OtherAuth) {
            warnings.add("Tools send user and password as Basic authentication, and in no other way.");
        }
        return Some(Credentials::Basic { username, password: password.into() });
    }
    key_header(headers).or_else(|| key_parameter(url))
}

/// What the header says; it stays where it is if it cannot be sent again.
fn authorization(headers: &mut Headers, warnings: &mut Warnings) -> Option<Credentials> {
    let value = headers.get(AUTHORIZATION)?;
    let (scheme, rest) =
        value.split_once(char::is_whitespace).map_or(("", value), |(scheme, rest)| (scheme, rest.trim()));
    if ["bearer", "basic"].iter().any(|scheme| scheme.eq_ignore_ascii_case(value)) {
        warnings.add("The header Authorization names a scheme and no credentials; it stays a header.");
        return None;
    }
    let scheme = scheme.to_ascii_lowercase();
    let credentials = match scheme.as_str() {
        "bearer" => Credentials::Bearer { token: rest.into() },
        "basic" => {
            let Some((username, password)) = decode_basic(rest).filter(is_anybody) else {
                warnings.add("The header Authorization is no valid Basic authentication; it stays a header.");
                return None;
            };
            Credentials::Basic { username, password: password.into() }
        }
        computed
            if COMPUTED_SCHEMES.contains(&computed) || computed.contains("hmac") || computed.starts_with("scram") =>
        {
            warnings.add("The header Authorization is computed for each request; the one that was pasted may not be accepted again.");
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

/// User and password of `-u`; the password may be missing.
fn user(options: &Options) -> Option<(String, String)> {
    let text = &options.last(Effect::User)?.value;
    let (user, password) = text.split_once(':').unwrap_or((text, ""));
    Some((user.to_owned(), password.to_owned()))
}

/// Credentials have a user or a password.
fn is_anybody((user, password): &(String, String)) -> bool {
    !user.is_empty() || !password.is_empty()
}

fn key_header(headers: &mut Headers) -> Option<Credentials> {
    let is_key = |name: &str| {
        let name = name.replace('_', "-");
        name.ends_with("api-key") || name.ends_with("apikey")
    };
    let name = headers.find(is_key)?.to_owned();
    let (key_name, value) = headers.remove(&name)?;
    Some(Credentials::ApiKey { key_name, key_value: value.into(), key_location: KeyLocation::Header })
}

/// A key in the query, if it is there once and a tool can have it.
fn key_parameter(url: &mut Url) -> Option<Credentials> {
    let is_key = |piece: &&str| {
        let name = piece.split('=').next().unwrap_or_default();
        matches!(name.to_ascii_lowercase().as_str(), "api_key" | "apikey" | "api-key")
    };
    let query = url.query.as_deref()?;
    let mut keys = query.split('&').filter(is_key);
    let (key_name, value) = keys.next().filter(|_| keys.next().is_none())?.split_once('=')?;
    let key = query_key(key_name, &form_data::decode(value).ok()?)?;
    let others: Vec<&str> = query.split('&').filter(|piece| !is_key(piece)).collect();
    url.query = (!others.is_empty()).then(|| others.join("&"));
    Some(key)
}

/// A key in the query, if a tool can have it.
pub(super) fn query_key(name: &str, value: &str) -> Option<Credentials> {
    let key = json!({"key_name": name, "key_value": value, "key_location": "query"});
    Credentials::parse(AuthType::ApiKey, &JsonObject::from_stored(key.to_string())).ok()?
}

/// Warns of credentials that are still to be filled in.
pub(super) fn warn_of_gap(credentials: Option<&Credentials>, warnings: &mut Warnings) {
    if credentials.is_some_and(|credentials| is_gap(&credentials.expose())) {
        warnings.add("The credentials look like a gap to be filled; write the real ones in their place.");
    }
}

/// Whether something like `<token>`, `{{token}}` or `YOUR_TOKEN` stands in the place of a secret.
fn is_gap(credentials: &str) -> bool {
    let inner = credentials.trim_start_matches('{').trim_end_matches('}');
    let is_marked = |open, close| inner.split_once(open).is_some_and(|(_, after)| after.contains(close));
    is_marked('<', '>') || is_marked('{', '}') || inner.to_ascii_uppercase().contains("YOUR_")
}
