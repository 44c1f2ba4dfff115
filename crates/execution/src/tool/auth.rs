//! Authentication against the upstream. A request that lacks its credential is not sent.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, HeaderValue};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use toolgate_domain::call::FailureReason;
use toolgate_domain::headers::MASK;
use toolgate_domain::upstream_auth::{AuthType, Credentials, KeyLocation, UpstreamKey};

use super::secret_header::{CredentialUnavailable, sensitive_value};
use super::url::{UrlKey, UrlKeys};
use crate::egress::message::is_transport_header;
use crate::failure::Failure;
use crate::tokens::OAuth2Client;

/// The authentication of a tool's requests. Its `Debug` output shows no secret.
#[derive(Debug)]
pub(crate) enum Auth {
    /// No authentication.
    None,
    /// Stored credentials.
    Stored(StoredCredentials),
    /// A token that must be fetched first, and the keys that are sent with it.
    OAuth2 { client: OAuth2Client, keys: StoredCredentials },
    /// A credential that is [`CredentialUnavailable`]: no request can be sent.
    Unavailable,
}

/// Stored credentials, encoded for the request. A request contains all of them.
#[derive(Debug, Default)]
pub(crate) struct StoredCredentials {
    headers: Vec<HeaderCredential>,
    url_keys: Vec<UrlKey>,
}

/// A credential that is sent in a header.
#[derive(Debug)]
struct HeaderCredential {
    name: HeaderName,
    /// Marked sensitive.
    value: HeaderValue,
    /// The scheme, which is not secret.
    scheme: &'static str,
}

/// The credential to put into a request.
#[derive(Clone, Copy, Debug)]
pub enum CredentialUse<'a> {
    /// The stored credential of the tool.
    Stored,
    /// A token that was fetched for a tool with OAuth 2. For any other tool it is ignored, and the stored credential is
    /// used.
    Token(&'a SecretString),
    /// No credential: every secret is replaced by the mask, to display the request instead of sending it.
    Masked,
}

impl Auth {
    /// Encodes the stored credentials. Credentials of another type than `auth_type` are treated as missing. Cookies are
    /// added to the constant header `Cookie`.
    pub(crate) fn compile(
        auth_type: AuthType,
        credentials: Option<&Credentials>,
        constant_headers: &HeaderMap,
    ) -> Self {
        if auth_type == AuthType::None {
            return Self::None;
        }
        let Some(credentials) = credentials.filter(|credentials| credentials.auth_type() == auth_type) else {
            return Self::Unavailable;
        };
        let keys = StoredCredentials::from_keys(&credentials.api_keys(), constant_headers);
        let main = if let Credentials::WithKeys { main, .. } = credentials { main } else { credentials };
        keys.and_then(|keys| Self::compile_main(main, keys)).unwrap_or(Self::Unavailable)
    }

    /// Encodes credentials that are sent with `keys`; API keys are part of `keys` already.
    fn compile_main(main: &Credentials, mut keys: StoredCredentials) -> Result<Self, CredentialUnavailable> {
        let header = match main {
            Credentials::Bearer { token } => authorization_header("Bearer ", token.expose_secret())?,
            Credentials::Basic { username, password } => {
                let pair = Zeroizing::new(format!("{username}:{}", password.expose_secret()));
                authorization_header("Basic ", &STANDARD.encode(pair.as_bytes()))?
            }
            Credentials::ApiKey { .. } | Credentials::ApiKeys(_) => return Ok(Self::Stored(keys)),
            Credentials::OAuth2 { token_url, client_id, client_secret, scope } => {
                let client = OAuth2Client {
                    token_url: token_url.clone(),
                    client_id: client_id.clone(),
                    client_secret: client_secret.clone(),
                    scope: scope.clone(),
                };
                return Ok(Self::OAuth2 { client, keys });
            }
            Credentials::WithKeys { .. } => return Err(CredentialUnavailable),
        };
        keys.headers.push(header);
        Ok(Self::Stored(keys))
    }

    /// The API keys that are sent in the URL.
    pub(crate) fn in_url(&self, credential: CredentialUse<'_>) -> UrlKeys<'_> {
        match self {
            Self::Stored(StoredCredentials { url_keys, .. })
            | Self::OAuth2 { keys: StoredCredentials { url_keys, .. }, .. } => {
                UrlKeys { keys: url_keys, is_masked: matches!(credential, CredentialUse::Masked) }
            }
            Self::None | Self::Unavailable => UrlKeys::default(),
        }
    }

    /// Sets the headers with the credentials that are sent in headers. They replace existing values.
    pub(crate) fn set_headers(&self, headers: &mut HeaderMap, credential: CredentialUse<'_>) -> Result<(), Failure> {
        let (value, keys) = match (self, credential) {
            (Self::None, _) => return Ok(()),
            (Self::Stored(credentials), _) => return credentials.set_headers(headers, credential),
            (Self::OAuth2 { keys, .. }, CredentialUse::Masked) => (masked_value("Bearer "), keys),
            (Self::OAuth2 { keys, .. }, CredentialUse::Token(token)) => {
                (sensitive_value(&format!("Bearer {}", token.expose_secret())), keys)
            }
            (Self::Unavailable, _) | (Self::OAuth2 { .. }, CredentialUse::Stored) => {
                return Err(credential_unavailable());
            }
        };
        headers.insert(AUTHORIZATION, value.map_err(|_| credential_unavailable())?);
        keys.set_headers(headers, credential)
    }
}

impl StoredCredentials {
    /// An error if a key cannot be sent in its location.
    fn from_keys(keys: &[UpstreamKey], constant_headers: &HeaderMap) -> Result<Self, CredentialUnavailable> {
        let mut credentials = Self::default();
        for UpstreamKey { name, value, location } in keys {
            match location {
                KeyLocation::Header => credentials.headers.push(key_header(name, value)?),
                KeyLocation::Query => credentials.url_keys.push(UrlKey::in_query(name, value)),
                KeyLocation::Path => {
                    credentials.url_keys.push(UrlKey::in_path(name, value).ok_or(CredentialUnavailable)?);
                }
                KeyLocation::Cookie => {}
            }
        }
        credentials.headers.extend(cookie_header(keys, constant_headers)?);
        Ok(credentials)
    }

    fn set_headers(&self, headers: &mut HeaderMap, credential: CredentialUse<'_>) -> Result<(), Failure> {
        for HeaderCredential { name, value, scheme } in &self.headers {
            let value = match credential {
                CredentialUse::Masked => masked_value(scheme).map_err(|_| credential_unavailable())?,
                CredentialUse::Stored | CredentialUse::Token(_) => value.clone(),
            };
            headers.insert(name, value);
        }
        Ok(())
    }
}

/// The failure of a call whose credential is not available.
pub(super) fn credential_unavailable() -> Failure {
    Failure::new(
        FailureReason::BadCredential,
        "Credential unavailable: the credential of this tool is missing or cannot be decrypted, so no request was sent.",
    )
}

fn masked_value(scheme: &str) -> Result<HeaderValue, CredentialUnavailable> {
    HeaderValue::try_from(format!("{scheme}{MASK}")).map_err(|_| CredentialUnavailable)
}

fn authorization_header(scheme: &'static str, secret: &str) -> Result<HeaderCredential, CredentialUnavailable> {
    Ok(HeaderCredential { name: AUTHORIZATION, value: sensitive_value(&format!("{scheme}{secret}"))?, scheme })
}

fn key_header(name: &str, value: &SecretString) -> Result<HeaderCredential, CredentialUnavailable> {
    let name = HeaderName::try_from(name).ok().filter(|name| !is_transport_header(name));
    let name = name.ok_or(CredentialUnavailable)?;
    Ok(HeaderCredential { name, value: sensitive_value(value.expose_secret())?, scheme: "" })
}

/// The header with all keys in cookies, after the constant cookies of other names.
fn cookie_header(
    keys: &[UpstreamKey],
    constant_headers: &HeaderMap,
) -> Result<Option<HeaderCredential>, CredentialUnavailable> {
    let keys: Vec<&UpstreamKey> = keys.iter().filter(|key| key.location == KeyLocation::Cookie).collect();
    if keys.is_empty() {
        return Ok(None);
    }
    let constant = constant_headers.get(COOKIE).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let constant = Zeroizing::new(constant.unwrap_or_default().into_owned());
    let is_key = |pair: &str| keys.iter().any(|key| pair.split('=').next() == Some(key.name.as_str()));
    let mut text = Zeroizing::new(String::new());
    for pair in constant.split(';').map(str::trim).filter(|pair| !pair.is_empty() && !is_key(pair)) {
        text.extend([pair, "; "]);
    }
    for key in &keys {
        text.extend([key.name.as_str(), "=", key.value.expose_secret(), "; "]);
    }
    let value = sensitive_value(text.trim_end_matches("; "))?;
    Ok(Some(HeaderCredential { name: COOKIE, value, scheme: "" }))
}

#[cfg(test)]
mod tests;
