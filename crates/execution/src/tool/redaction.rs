//! Redaction of captured calls: masks the secrets of the tool and the arguments that its schema declares secret, in
//! every common encoding in which an upstream may repeat them.

mod decoded_view;
mod excerpt;
mod needles;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use toolgate_domain::call::CapturedPayload;
use toolgate_domain::headers::MASK;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::upstream_auth::Credentials;

use super::CompiledTool;
use super::body::summarise_files;
use needles::Needles;

/// Shorter parts of a secret header are not treated as secrets.
const HEADER_PART_BYTES_MIN: usize = 8;

/// The secrets of a tool. Its `Debug` output shows none.
#[derive(Debug, Default)]
pub(super) struct Redactor {
    secrets: Vec<SecretString>,
    /// Built on first use, because most servers capture nothing. `None` if the secrets exceed the limits.
    needles: OnceLock<Option<Needles>>,
}

/// The texts of one call.
#[derive(Clone, Copy, Debug)]
pub struct CallText<'a> {
    /// The arguments as JSON, if any.
    pub arguments: Option<&'a str>,
    /// The response to the client.
    pub response: &'a str,
    /// The tokens that were sent to the upstream.
    pub tokens: &'a [SecretString],
}

impl Redactor {
    pub(super) fn from_secrets(secrets: &Secrets) -> Self {
        let mut all = secrets.credentials.as_ref().map(credential_secrets).unwrap_or_default();
        for value in secrets.headers.values().map(ExposeSecret::expose_secret) {
            all.push(value.into());
            let parts = value.split([' ', ';', ',', '=']).filter(|part| part.len() >= HEADER_PART_BYTES_MIN);
            all.extend(parts.map(SecretString::from));
            if let Some((username, password)) =
                decode_basic_header(value).as_ref().and_then(|pair| pair.split_once(':'))
            {
                all.extend(basic_secrets(username, password));
            }
        }
        Self { secrets: all, needles: OnceLock::new() }
    }

    fn needles(&self) -> Option<&Needles> {
        self.needles.get_or_init(|| Needles::from_secrets(&self.secrets)).as_ref()
    }
}

/// Every secret in credentials, plain and encoded. A user name counts too, because it may be a token.
fn credential_secrets(credentials: &Credentials) -> Vec<SecretString> {
    match credentials {
        Credentials::Bearer { token } => vec![token.clone()],
        Credentials::ApiKey { .. } | Credentials::ApiKeys(_) => {
            credentials.api_keys().into_iter().map(|key| key.value).collect()
        }
        Credentials::OAuth2 { client_secret, .. } => vec![client_secret.clone()],
        Credentials::Basic { username, password } => basic_secrets(username, password.expose_secret()),
        Credentials::WithKeys { main, keys } => {
            let mut secrets = credential_secrets(main);
            secrets.extend(keys.iter().map(|key| key.value.clone()));
            secrets
        }
    }
}

fn basic_secrets(username: &str, password: &str) -> Vec<SecretString> {
    let pair = format!("{username}:{password}");
    [username, password, &STANDARD.encode(&pair), &pair].map(SecretString::from).into()
}

/// Decodes user name and password from a header such as `Basic dXNlcjpwYXNz`.
fn decode_basic_header(header: &str) -> Option<Zeroizing<String>> {
    let (_, encoded) = header.trim().split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"))?;
    let pair = STANDARD_NO_PAD.decode(encoded.trim().trim_end_matches('=')).ok()?;
    String::from_utf8(pair).ok().map(Zeroizing::new)
}

impl CompiledTool {
    /// A text of the upstream with the stored secrets of the tool masked, such as a URL in a header of a response.
    pub fn mask_stored_secrets(&self, text: &str) -> String {
        let Some(needles) = self.redactor.needles() else { return MASK.to_owned() };
        // No text becomes longer than this, so nothing is truncated.
        let max_bytes = MASK.len() * (text.len() + 1);
        excerpt::redact(text, [needles, &Needles::default()], max_bytes)
    }

    /// The stored copy of a call: at most `max_bytes` of arguments and response each, with every secret masked.
    pub fn capture(&self, call_text: CallText<'_>, max_bytes: usize) -> CapturedPayload {
        self.redact(call_text, max_bytes).unwrap_or_else(|| CapturedPayload {
            arguments: call_text.arguments.map_or("{}".to_owned(), |_| format!("\"{MASK}\"")),
            response: if call_text.response.is_empty() { String::new() } else { MASK.to_owned() },
        })
    }

    /// `None` if the secrets cannot be determined within the limits: then they cannot be found in the response either.
    fn redact(&self, call_text: CallText<'_>, max_bytes: usize) -> Option<CapturedPayload> {
        let masked = call_text.arguments.map(|arguments| self.input_schema.mask_secrets(arguments));
        let (arguments, secrets) =
            masked.map_or(("{}".into(), Some(Vec::new())), |masked| (masked.json, masked.secrets));
        let mut call_secrets = secrets?;
        call_secrets.extend_from_slice(call_text.tokens);
        let call_needles = Needles::from_secrets(&call_secrets)?;
        let needles = [self.redactor.needles()?, &call_needles];
        let arguments = summarise_files(&arguments, &self.file_arguments);
        Some(CapturedPayload {
            arguments: excerpt::redact(&arguments, needles, max_bytes),
            response: excerpt::redact(call_text.response, needles, max_bytes),
        })
    }
}
