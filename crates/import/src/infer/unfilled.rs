//! Warns of parts of a tool that the owner has to replace: placeholders and shell variables in credentials, headers and
//! host, and cookies of browser sessions.

use indexmap::IndexMap;
use serde::Serialize;
use toolgate_domain::headers::is_secret;

use super::credentials::ExampleCredentials;
use crate::placeholder::{
    has_placeholder, has_shell_variable, is_credential_placeholder, is_substitution, shell_variables,
};
use crate::request::path::UrlPath;
use crate::request::{COOKIE_WARNING, ImportedRequest, credentials};
use crate::warnings::Warnings;

/// A shell variable or command substitution whose value is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct UnfilledVariable {
    /// The text as it occurs in the credentials, the headers or the URL.
    text: String,
    /// Whether its value is a credential or a part of one.
    secret: bool,
}

/// The variables in the credentials, the headers and the host of a request.
pub(super) fn variables(
    request: &ImportedRequest,
    credentials: &ExampleCredentials,
    path: &UrlPath,
) -> Vec<UnfilledVariable> {
    let secrets = credentials.secrets();
    let texts = secrets.iter().map(|secret| (secret.as_str(), true));
    let texts = texts.chain(request.headers.iter().map(|(name, value)| (value.as_str(), is_secret(name))));
    let mut variables: IndexMap<&str, bool> = IndexMap::new();
    for (text, secret) in texts.chain([(path.host(), false)]) {
        for variable in shell_variables(text) {
            variables.entry(variable).or_insert(secret);
        }
    }
    variables.into_iter().map(|(text, secret)| UnfilledVariable { text: text.to_owned(), secret }).collect()
}

/// Adds a warning for each value that the owner has to replace.
pub(super) fn warn(
    request: &ImportedRequest,
    credentials: &ExampleCredentials,
    path: &UrlPath,
    warnings: &mut Warnings,
) {
    let is_cookie = |name: &str| name.eq_ignore_ascii_case("cookie");
    let (secret_headers, public_headers): (Vec<_>, Vec<_>) =
        request.headers.iter().filter(|(name, _)| !is_cookie(name)).partition(|(name, _)| is_secret(name));
    let secrets = credentials.secrets();
    let secrets = secrets.iter().chain(secret_headers.iter().map(|(_, value)| *value)).map(String::as_str);
    for secret in secrets {
        if has_shell_variable(secret) {
            warn_of_variables(secret, warnings);
        } else if is_credential_placeholder(secret) {
            warnings.add(credentials::PLACEHOLDER_WARNING);
        }
    }
    for (name, value) in public_headers {
        let is_media_type = ["accept", "content-type"].iter().any(|other| name.eq_ignore_ascii_case(other));
        if has_shell_variable(value) {
            warn_of_variables(value, warnings);
        } else if has_placeholder(value) && !is_media_type {
            warnings.add(format!("The {name} header contains a placeholder. Replace it with the real value."));
        }
    }
    if request.headers.keys().any(|name| is_cookie(name)) {
        warnings.add(COOKIE_WARNING);
    }
    warn_of_host(path.host(), warnings);
}

/// Warns of a host that must be replaced. For a host with braces, the parsing of the URL adds a warning.
fn warn_of_host(host: &str, warnings: &mut Warnings) {
    warn_of_variables(host, warnings);
    let is_placeholder = |label: &str| {
        let lower = label.to_ascii_lowercase();
        lower.starts_with("your") || lower.starts_with("my-") || label.contains(['$', '<'])
    };
    if !host.contains('{') && host.split('.').any(is_placeholder) {
        warnings.add("The host of the URL looks like a placeholder. Replace it with the real host.");
    }
}

/// Warns of the variables in a text. A warning repeats a variable only if it looks like one, because a password may
/// contain a `$`.
fn warn_of_variables(text: &str, warnings: &mut Warnings) {
    for variable in shell_variables(text) {
        let is_name =
            variable.len() > 2 && !is_substitution(variable) && !variable.bytes().any(|b| b.is_ascii_lowercase());
        warnings.add(if is_name {
            format!("{variable} is a shell variable and is not expanded. Replace it with its value.")
        } else {
            "The command contains a shell variable or command substitution, which is not expanded. Replace it with its \
             value."
                .to_owned()
        });
    }
}
