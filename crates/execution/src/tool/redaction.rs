//! Redaction of captured calls and of responses: masks the secrets of the tool and the arguments that its schema
//! declares secret, in every common encoding in which an upstream may repeat them.

mod decoded_view;
mod excerpt;
mod json_mask;
mod needles;
mod response;
mod searched_secrets;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use toolgate_domain::call::CapturedPayload;
use toolgate_domain::headers::MASK;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::upstream_auth::Credentials;

use super::CompiledTool;
use super::arguments::ValidArguments;
use super::body::summarise_files;
use crate::egress::message::UpstreamResponse;
pub use excerpt::without_truncation_note;
use needles::{Needles, ShortSecrets};
use searched_secrets::SearchedSecrets;

/// Shorter parts of a secret header are not treated as secrets.
const HEADER_PART_BYTES_MIN: usize = 8;

/// A shorter user name or password is not taken for a token.
const TOKEN_BYTES_MIN: usize = 16;

/// The secrets of a tool. Its `Debug` output shows none.
#[derive(Debug, Default)]
pub(crate) struct Redactor {
    secrets: Vec<SecretString>,
    /// Texts that are probably not secret, such as a user name. They are masked in stored copies only.
    possible_secrets: Vec<SecretString>,
    /// Built on first use, because most servers capture nothing. `None` if the secrets exceed the limits.
    needles: OnceLock<Option<Needles>>,
    /// The secrets that are masked in responses, built at the first one. `None` if they exceed the limits.
    response_secrets: OnceLock<Option<SearchedSecrets>>,
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
    pub(crate) fn from_secrets(secrets: &Secrets) -> Self {
        let mut redactor = Self::default();
        if let Some(credentials) = &secrets.credentials {
            redactor.add_credentials(credentials);
        }
        for value in secrets.headers.values().map(ExposeSecret::expose_secret) {
            redactor.add_header(value);
        }
        redactor
    }

    fn add_header(&mut self, value: &str) {
        self.secrets.push(value.into());
        for part in value.split([' ', ';', ',', '=']).filter(|part| part.len() >= HEADER_PART_BYTES_MIN) {
            // A part without a digit is probably a word, such as the name of a scheme.
            let has_digit = part.bytes().any(|byte| byte.is_ascii_digit());
            if has_digit { &mut self.secrets } else { &mut self.possible_secrets }.push(part.into());
        }
        if let Some((username, password)) = decode_basic_header(value).as_ref().and_then(|pair| pair.split_once(':')) {
            self.add_basic(username, password);
        }
    }

    /// Adds every secret in credentials, plain and encoded.
    fn add_credentials(&mut self, credentials: &Credentials) {
        match credentials {
            Credentials::Bearer { token } => self.secrets.push(token.clone()),
            Credentials::ApiKey { .. } | Credentials::ApiKeys(_) => {
                self.secrets.extend(credentials.api_keys().into_iter().map(|key| key.value));
            }
            Credentials::OAuth2 { client_secret, .. } => self.secrets.push(client_secret.clone()),
            Credentials::Basic { username, password } => self.add_basic(username, password.expose_secret()),
            Credentials::WithKeys { main, keys } => {
                self.add_credentials(main);
                self.secrets.extend(keys.iter().map(|key| key.value.clone()));
            }
        }
    }

    /// Some APIs expect a token as the user name, and any text as the password.
    fn add_basic(&mut self, username: &str, password: &str) {
        let pair = format!("{username}:{password}");
        self.secrets.extend([&STANDARD.encode(&pair), &pair].map(|text| SecretString::from(text.as_str())));
        let username_is_token = password.is_empty() || looks_like_token(username);
        // Next to a token, the password may be a word such as `api_token` or `x`.
        let password_is_secret = !username_is_token || looks_like_token(password);
        for (text, is_secret) in [(username, username_is_token), (password, password_is_secret)] {
            if is_secret { &mut self.secrets } else { &mut self.possible_secrets }.push(text.into());
        }
    }

    fn needles(&self) -> Option<&Needles> {
        let build = || {
            let all: Vec<SecretString> = self.secrets.iter().chain(&self.possible_secrets).cloned().collect();
            Needles::from_secrets(&all, ShortSecrets::Everywhere)
        };
        self.needles.get_or_init(build).as_ref()
    }

    fn response_secrets(&self) -> Option<&SearchedSecrets> {
        self.response_secrets.get_or_init(|| SearchedSecrets::new(&self.secrets)).as_ref()
    }
}

fn looks_like_token(text: &str) -> bool {
    text.len() >= TOKEN_BYTES_MIN && text.bytes().any(|byte| byte.is_ascii_digit()) && !text.contains('@')
}

/// Decodes user name and password from a header such as `Basic dXNlcjpwYXNz`.
fn decode_basic_header(header: &str) -> Option<Zeroizing<String>> {
    let (_, encoded) = header.trim().split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"))?;
    let pair = STANDARD_NO_PAD.decode(encoded.trim().trim_end_matches('=')).ok()?;
    String::from_utf8(pair).ok().map(Zeroizing::new)
}

impl CompiledTool {
    /// A text of the upstream with the stored secrets of the tool and the sent tokens masked, such as a URL in a header
    /// of a response.
    pub fn mask_stored_secrets(&self, text: &str, tokens: &[SecretString]) -> String {
        self.mask_text(text, tokens)
    }

    /// The response with every secret that the call sent masked; not copied if it contains none.
    pub fn mask_response(&self, arguments: &ValidArguments, response: Arc<UpstreamResponse>) -> Arc<UpstreamResponse> {
        self.redactor.mask_response(self.secret_arguments(arguments), response)
    }

    /// A text about a call with the secret arguments and the secrets of the tool masked, for display.
    pub fn mask_sent_secrets(&self, arguments: &ValidArguments, text: &str) -> String {
        self.mask_text(text, &self.secret_arguments(arguments))
    }

    fn mask_text(&self, text: &str, call_secrets: &[SecretString]) -> String {
        let call_needles = Needles::from_secrets(call_secrets, ShortSecrets::Everywhere);
        match (self.redactor.needles(), call_needles) {
            (Some(needles), Some(call_needles)) => {
                json_mask::mask_ranges(text, &excerpt::find_in_parts(text, [needles, &call_needles]))
            }
            _ => MASK.to_owned(),
        }
    }

    /// The arguments that the schema declares secret; none if there are too many. The caller knows them in any case.
    fn secret_arguments(&self, arguments: &ValidArguments) -> Vec<SecretString> {
        if !self.input_schema.has_secrets() {
            return Vec::new();
        }
        self.input_schema.mask_secrets(&arguments.as_json()).secrets.unwrap_or_default()
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
        let call_needles = Needles::from_secrets(&call_secrets, ShortSecrets::Everywhere)?;
        let needles = [self.redactor.needles()?, &call_needles];
        let arguments = summarise_files(&arguments, &self.file_arguments);
        Some(CapturedPayload {
            arguments: excerpt::redact(&arguments, needles, max_bytes),
            response: excerpt::redact(call_text.response, needles, max_bytes),
        })
    }
}
