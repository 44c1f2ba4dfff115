//! Detects the credentials of a command. They move from headers and URL into the tool's credentials, because everyone
//! with read access to the tool can read its headers and URL.

use toolgate_domain::upstream_auth::{Credentials, KeyLocation};

use super::headers::CurlHeaders;
use super::url::UserInfo;
use crate::curl::options::Options;
use crate::curl::options::table::Effect;
use crate::request::credentials::{self, AUTHORIZATION};
use crate::request::url::ImportedUrl;
use crate::warnings::Warnings;

/// Detects the credentials of a command, in order of precedence. Only the first match becomes the tool's credentials;
/// further ones in the headers and the query stay there.
pub(super) fn detect(
    options: &Options,
    userinfo: Option<UserInfo>,
    headers: &mut CurlHeaders,
    url: &mut ImportedUrl,
    warnings: &mut Warnings,
) -> Option<Credentials> {
    if options.last(Effect::AwsSignature).is_some() {
        warnings.add("--aws-sigv4 signs each request. Tools cannot do this, so the credentials were not imported.");
        return None;
    }
    if let Some(value) = headers.get(AUTHORIZATION).filter(|value| !value.is_empty()) {
        // The header stays in place if its value cannot be reused.
        let credentials = credentials::parse_authorization(value, warnings)?;
        headers.remove(AUTHORIZATION);
        return Some(credentials);
    }
    if let Some(token) = options.last(Effect::Bearer).filter(|given| !given.value.is_empty()) {
        return Some(Credentials::Bearer { token: token.value.as_str().into() });
    }
    let user = user_and_password(options).or(userinfo);
    if let Some(credentials) = user.and_then(|(user, password)| credentials::basic(user, password)) {
        if options.is_on(Effect::OtherAuth) {
            warnings.add("Tools send user and password only with Basic authentication.");
        }
        return Some(credentials);
    }
    take_key_header(headers).or_else(|| credentials::take_key_parameter(url))
}

/// User and password of `-u`; without a colon the password is empty.
fn user_and_password(options: &Options) -> Option<UserInfo> {
    let text = &options.last(Effect::User)?.value;
    let (user, password) = text.split_once(':').unwrap_or((text, ""));
    Some((user.to_owned(), password.to_owned()))
}

/// Removes the API key from the headers, if there is one.
fn take_key_header(headers: &mut CurlHeaders) -> Option<Credentials> {
    let name = headers.find(credentials::is_key_header)?.to_owned();
    let (key_name, value) = headers.remove(&name)?;
    Some(Credentials::ApiKey { key_name, key_value: value.into(), key_location: KeyLocation::Header })
}
