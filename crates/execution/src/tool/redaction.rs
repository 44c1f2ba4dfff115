//! What may be kept of a call's words: no secret of the tool, and none that its schema declares, in whatever spelling
//! an upstream repeats it.

mod cut;
mod needles;
mod spelling;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use toolgate_domain::call::Captured;
use toolgate_domain::headers::MASK;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::upstream_auth::Credentials;

use super::CompiledTool;
use needles::Needles;

/// Parts of a secret header that are shorter than this are words, not secrets.
const SHORTEST_PART: usize = 8;

/// The secrets of a tool. `Debug` of it shows none.
#[derive(Debug, Default)]
pub(super) struct Redaction {
    secrets: Vec<SecretString>,
    /// Made when first needed: most servers keep nothing. None where there are too many.
    needles: OnceLock<Option<Needles>>,
}

/// What was said in one call.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// The arguments as JSON, where there were any.
    pub arguments: Option<&'a str>,
    /// What the client was answered.
    pub answer: &'a str,
    /// The tokens that were fetched for it.
    pub tokens: &'a [SecretString],
}

impl Redaction {
    pub(super) fn of(secrets: &Secrets) -> Self {
        let mut all = secrets.credentials.as_ref().map(of_credentials).unwrap_or_default();
        for value in secrets.headers.values().map(ExposeSecret::expose_secret) {
            all.push(value.into());
            let parts = value.split([' ', ';', ',', '=']).filter(|part| part.len() >= SHORTEST_PART);
            all.extend(parts.map(SecretString::from));
            if let Some((username, password)) = basic_pair(value).as_ref().and_then(|pair| pair.split_once(':')) {
                all.extend(of_basic(username, password));
            }
        }
        Self { secrets: all, needles: OnceLock::new() }
    }

    fn needles(&self) -> Option<&Needles> {
        self.needles.get_or_init(|| Needles::of(&self.secrets)).as_ref()
    }
}

/// Everything in credentials, and what they are sent as. A user name is a secret too: it may be a token.
fn of_credentials(credentials: &Credentials) -> Vec<SecretString> {
    match credentials {
        Credentials::Bearer { token } => vec![token.clone()],
        Credentials::ApiKey { key_value, .. } => vec![key_value.clone()],
        Credentials::OAuth2 { client_secret, .. } => vec![client_secret.clone()],
        Credentials::Basic { username, password } => of_basic(username, password.expose_secret()),
    }
}

fn of_basic(username: &str, password: &str) -> Vec<SecretString> {
    let pair = format!("{username}:{password}");
    [username, password, &STANDARD.encode(&pair), &pair].map(SecretString::from).into()
}

/// What a header that somebody wrote out says, `Basic dXNlcjpwYXNz`: the name and the password.
fn basic_pair(header: &str) -> Option<Zeroizing<String>> {
    let (_, encoded) = header.trim().split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"))?;
    let pair = STANDARD_NO_PAD.decode(encoded.trim().trim_end_matches('=')).ok()?;
    String::from_utf8(pair).ok().map(Zeroizing::new)
}

impl CompiledTool {
    /// What may be kept of a call: at most so many bytes of arguments and answer each, every secret masked.
    pub fn captured(&self, said: Said<'_>, max_bytes: usize) -> Captured {
        self.redacted(said, max_bytes).unwrap_or_else(|| Captured {
            arguments: said.arguments.map_or("{}".to_owned(), |_| format!("\"{MASK}\"")),
            response: if said.answer.is_empty() { String::new() } else { MASK.to_owned() },
        })
    }

    /// None where the secrets cannot be told from the rest within reason, for then they cannot be found elsewhere either.
    fn redacted(&self, said: Said<'_>, max_bytes: usize) -> Option<Captured> {
        let masked = said.arguments.map(|arguments| self.input_schema.mask_secrets(arguments));
        let (arguments, secrets) = masked.map_or(("{}".into(), Some(Vec::new())), |all| (all.json, all.secrets));
        let mut of_call = secrets?;
        of_call.extend_from_slice(said.tokens);
        let of_call = Needles::of(&of_call)?;
        let needles = [self.redaction.needles()?, &of_call];
        Some(Captured {
            arguments: cut::redacted(&arguments, needles, max_bytes),
            response: cut::redacted(said.answer, needles, max_bytes),
        })
    }
}
