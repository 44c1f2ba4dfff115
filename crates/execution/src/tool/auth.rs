//! What authenticates a request against its upstream. A request either carries its credential or is not made.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use toolgate_domain::call::FailureReason;
use toolgate_domain::headers::MASK;
use toolgate_domain::upstream_auth::{AuthType, Credentials, KeyLocation};

use super::headers;
use super::url::{QueryKey, push_pair};
use crate::Failure;
use crate::egress::belongs_to_transport;
use crate::tokens::OAuth2Client;

/// What is stored cannot be opened, or is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the credential is unavailable")]
pub struct CredentialUnavailable;

/// What must be injected into a tool's requests. No `Debug` of it shows a secret.
#[derive(Debug)]
pub enum Auth {
    /// Nothing.
    None,
    /// A credential that is at hand.
    Ready(Key),
    /// A token that has to be fetched first.
    OAuth2(OAuth2Client),
    /// A credential that is missing or cannot be read: no request can be made.
    Unavailable,
}

/// A credential in the form in which it is sent.
#[derive(Debug)]
pub struct Key(Place);

#[derive(Debug)]
enum Place {
    Header {
        name: HeaderName,
        /// Marked sensitive.
        value: HeaderValue,
        /// What is no secret of it: the scheme.
        scheme: &'static str,
    },
    Query {
        name: String,
        /// Encoded name and value.
        pair: SecretString,
        /// The same with the mask for a value.
        masked: String,
    },
}

/// Which credential a request is made with.
#[derive(Clone, Copy, Debug)]
pub enum Injected<'a> {
    /// The tool's own.
    Own,
    /// A token fetched for a tool with [`Auth::OAuth2`]; any other tool uses its own credential.
    Token(&'a SecretString),
    /// None: every secret is shown as its mask. For showing a request, not for sending it.
    Masked,
}

impl Auth {
    /// From what is stored. Credentials of another kind are as good as none.
    pub(crate) fn compile(auth_type: AuthType, credentials: Option<&Credentials>) -> Self {
        if auth_type == AuthType::None {
            return Self::None;
        }
        let Some(credentials) = credentials.filter(|credentials| credentials.auth_type() == auth_type) else {
            return Self::Unavailable;
        };
        let key = match credentials {
            Credentials::Bearer { token } => bearer(token),
            Credentials::Basic { username, password } => basic(username, password),
            Credentials::ApiKey { key_name, key_value, key_location: KeyLocation::Header } => {
                header_key(key_name, key_value)
            }
            Credentials::ApiKey { key_name, key_value, key_location: KeyLocation::Query } => {
                Ok(query_key(key_name, key_value))
            }
            Credentials::OAuth2 { token_url, client_id, client_secret, scope } => {
                return Self::OAuth2(OAuth2Client {
                    token_url: token_url.clone(),
                    client_id: client_id.clone(),
                    client_secret: client_secret.clone(),
                    scope: scope.clone(),
                });
            }
        };
        key.map_or(Self::Unavailable, |place| Self::Ready(Key(place)))
    }

    /// What goes into the query.
    pub(crate) fn in_query(&self, injected: Injected<'_>) -> Option<QueryKey<'_>> {
        let Self::Ready(Key(Place::Query { name, pair, masked })) = self else { return None };
        let pair = if matches!(injected, Injected::Masked) { masked } else { pair.expose_secret() };
        Some(QueryKey { name, pair })
    }

    /// Sets what goes into the headers, over anything that stands there.
    pub(crate) fn set_header(&self, headers: &mut HeaderMap, injected: Injected<'_>) -> Result<(), Failure> {
        let place = match (self, injected) {
            (Self::None | Self::Ready(Key(Place::Query { .. })), _) => return Ok(()),
            (Self::Unavailable, _) | (Self::OAuth2(_), Injected::Own) => return Err(unavailable()),
            (Self::OAuth2(_), Injected::Masked) => return set_masked(headers, &AUTHORIZATION, "Bearer "),
            (Self::OAuth2(_), Injected::Token(token)) => &bearer(token).map_err(|_| unavailable())?,
            (Self::Ready(Key(place)), _) => place,
        };
        let Place::Header { name, value, scheme } = place else { return Ok(()) };
        if matches!(injected, Injected::Masked) {
            return set_masked(headers, name, scheme);
        }
        headers.insert(name, value.clone());
        Ok(())
    }
}

/// Why a tool without its credential is not called.
pub(super) fn unavailable() -> Failure {
    Failure::new(
        FailureReason::BadCredential,
        "Credential unavailable: the credential of this tool is missing or cannot be read, so nothing was sent.",
    )
}

fn set_masked(headers: &mut HeaderMap, name: &HeaderName, scheme: &str) -> Result<(), Failure> {
    let value = HeaderValue::try_from(format!("{scheme}{MASK}")).map_err(|_| unavailable())?;
    headers.insert(name, value);
    Ok(())
}

fn bearer(token: &SecretString) -> Result<Place, CredentialUnavailable> {
    authorization("Bearer ", token.expose_secret())
}

fn basic(username: &str, password: &SecretString) -> Result<Place, CredentialUnavailable> {
    authorization("Basic ", &STANDARD.encode(format!("{username}:{}", password.expose_secret())))
}

fn authorization(scheme: &'static str, secret: &str) -> Result<Place, CredentialUnavailable> {
    Ok(Place::Header { name: AUTHORIZATION, value: headers::sensitive(&format!("{scheme}{secret}"))?, scheme })
}

fn header_key(name: &str, value: &SecretString) -> Result<Place, CredentialUnavailable> {
    let name = HeaderName::try_from(name).ok().filter(|name| !belongs_to_transport(name));
    let name = name.ok_or(CredentialUnavailable)?;
    Ok(Place::Header { name, value: headers::sensitive(value.expose_secret())?, scheme: "" })
}

fn query_key(name: &str, value: &SecretString) -> Place {
    let (mut pair, mut masked) = (String::new(), String::new());
    push_pair(&mut pair, name, value.expose_secret());
    push_pair(&mut masked, name, "");
    masked.push_str(MASK);
    Place::Query { name: name.to_owned(), pair: pair.into(), masked }
}

#[cfg(test)]
mod tests;
