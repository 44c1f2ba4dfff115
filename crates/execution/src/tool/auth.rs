//! Authentication against the upstream. A request that lacks its credential is not sent.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use toolgate_domain::call::FailureReason;
use toolgate_domain::headers::MASK;
use toolgate_domain::upstream_auth::{AuthType, Credentials, KeyLocation};

use super::secret_header::{CredentialUnavailable, sensitive_value};
use super::url::{QueryCredential, push_pair};
use crate::egress::message::is_transport_header;
use crate::failure::Failure;
use crate::tokens::OAuth2Client;

/// The authentication of a tool's requests. Its `Debug` output shows no secret.
#[derive(Debug)]
pub(crate) enum Auth {
    /// No authentication.
    None,
    /// A stored credential that is sent in a header.
    Header {
        name: HeaderName,
        /// Marked sensitive.
        value: HeaderValue,
        /// The scheme, which is not secret.
        scheme: &'static str,
    },
    /// A stored credential that is sent in the query.
    Query {
        name: String,
        /// The encoded name and value.
        pair: SecretString,
        /// The encoded name with the mask as value.
        masked_pair: String,
    },
    /// A token that must be fetched first.
    OAuth2(OAuth2Client),
    /// A credential that is [`CredentialUnavailable`]: no request can be sent.
    Unavailable,
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
    /// Encodes the stored credentials. Credentials of another type than `auth_type` count as missing.
    pub(crate) fn compile(auth_type: AuthType, credentials: Option<&Credentials>) -> Self {
        if auth_type == AuthType::None {
            return Self::None;
        }
        let Some(credentials) = credentials.filter(|credentials| credentials.auth_type() == auth_type) else {
            return Self::Unavailable;
        };
        let auth = match credentials {
            Credentials::Bearer { token } => authorization_header("Bearer ", token.expose_secret()),
            Credentials::Basic { username, password } => {
                let pair = format!("{username}:{}", password.expose_secret());
                authorization_header("Basic ", &STANDARD.encode(pair))
            }
            Credentials::ApiKey { key_name, key_value, key_location: KeyLocation::Header } => {
                api_key_header(key_name, key_value)
            }
            Credentials::ApiKey { key_name, key_value, key_location: KeyLocation::Query } => {
                Ok(api_key_query(key_name, key_value))
            }
            Credentials::OAuth2 { token_url, client_id, client_secret, scope } => Ok(Self::OAuth2(OAuth2Client {
                token_url: token_url.clone(),
                client_id: client_id.clone(),
                client_secret: client_secret.clone(),
                scope: scope.clone(),
            })),
        };
        auth.unwrap_or(Self::Unavailable)
    }

    /// The query pair with the credential, if the credential is sent in the query.
    pub(crate) fn in_query(&self, credential: CredentialUse<'_>) -> Option<QueryCredential<'_>> {
        let Self::Query { name, pair, masked_pair } = self else { return None };
        let pair = if matches!(credential, CredentialUse::Masked) { masked_pair } else { pair.expose_secret() };
        Some(QueryCredential { name, pair })
    }

    /// Sets the header with the credential, if the credential is sent in a header. It replaces an existing value.
    pub(crate) fn set_header(&self, headers: &mut HeaderMap, credential: CredentialUse<'_>) -> Result<(), Failure> {
        let (name, value) = match (self, credential) {
            (Self::None | Self::Query { .. }, _) => return Ok(()),
            (Self::Header { name, scheme, .. }, CredentialUse::Masked) => (name, masked_value(scheme)),
            (Self::Header { name, value, .. }, _) => (name, Ok(value.clone())),
            (Self::OAuth2(_), CredentialUse::Masked) => (&AUTHORIZATION, masked_value("Bearer ")),
            (Self::OAuth2(_), CredentialUse::Token(token)) => {
                (&AUTHORIZATION, sensitive_value(&format!("Bearer {}", token.expose_secret())))
            }
            (Self::Unavailable, _) | (Self::OAuth2(_), CredentialUse::Stored) => return Err(credential_unavailable()),
        };
        headers.insert(name, value.map_err(|_| credential_unavailable())?);
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

fn authorization_header(scheme: &'static str, secret: &str) -> Result<Auth, CredentialUnavailable> {
    Ok(Auth::Header { name: AUTHORIZATION, value: sensitive_value(&format!("{scheme}{secret}"))?, scheme })
}

fn api_key_header(name: &str, value: &SecretString) -> Result<Auth, CredentialUnavailable> {
    let name = HeaderName::try_from(name).ok().filter(|name| !is_transport_header(name));
    let name = name.ok_or(CredentialUnavailable)?;
    Ok(Auth::Header { name, value: sensitive_value(value.expose_secret())?, scheme: "" })
}

fn api_key_query(name: &str, value: &SecretString) -> Auth {
    let (mut pair, mut masked_pair) = (String::new(), String::new());
    push_pair(&mut pair, name, value.expose_secret());
    push_pair(&mut masked_pair, name, "");
    masked_pair.push_str(MASK);
    Auth::Query { name: name.to_owned(), pair: pair.into(), masked_pair }
}

#[cfg(test)]
mod tests;
