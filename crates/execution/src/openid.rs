//! Requests to an OpenID provider that no browser sees: exchanging a code for tokens, and reading the claims of a
//! person.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Uri};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use tokio::time::Instant;
use toolgate_domain::json;
use url::Url;

use crate::client_credentials::basic_credentials;
use crate::egress::client::EgressClient;
use crate::egress::error::EgressError;
use crate::egress::message::{OutboundRequest, ResponseLimits, UpstreamResponse};

/// How long a request may take, from the DNS lookup to the last byte.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// A redirect is not followed: it would send the secret of this client to another address.
const LIMITS: ResponseLimits = ResponseLimits { redirects_max: 0, bytes_max: 64 * 1024 };

/// A code to exchange.
#[derive(Clone, Copy)]
pub struct CodeExchange<'a> {
    /// Where codes are exchanged.
    pub token_endpoint: &'a Url,
    /// How clients may authenticate; empty if the provider does not list any method.
    pub auth_methods: &'a [String],
    /// The id of this client.
    pub client_id: &'a str,
    /// The secret of this client.
    pub client_secret: &'a SecretString,
    /// The code.
    pub code: &'a str,
    /// The address that the code was sent to.
    pub redirect_uri: &'a str,
    /// The PKCE verifier of the sign-in.
    pub verifier: &'a str,
}

/// The tokens of a person.
pub struct ProviderTokens {
    /// The ID token, which is not verified yet.
    pub id_token: SecretString,
    /// The access token for the claims of the person.
    pub access_token: Option<SecretString>,
}

impl fmt::Debug for ProviderTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProviderTokens(..)")
    }
}

/// Why a request to a provider failed. The texts contain no address, and of the response only a standard error code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The request failed, or the guard refused it.
    #[error("{0}")]
    Egress(EgressError),
    /// The provider refused the request.
    #[error("the provider refused the request ({0})")]
    Refused(String),
    /// The response does not follow the standard.
    #[error("the response of the provider cannot be read")]
    BadReply,
}

/// Sends requests to OpenID providers.
#[derive(Clone)]
pub struct ProviderClient {
    egress: EgressClient,
}

impl ProviderClient {
    /// A client that connects with `egress`.
    pub fn new(egress: EgressClient) -> Self {
        Self { egress }
    }

    /// Exchanges a code.
    pub async fn exchange(&self, exchange: &CodeExchange<'_>) -> Result<ProviderTokens, ProviderError> {
        let reply = self.send(token_request(exchange)?).await?;
        let text = |name: &str| reply.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let id_token = text("id_token").ok_or(ProviderError::BadReply)?.into();
        Ok(ProviderTokens { id_token, access_token: text("access_token").map(Into::into) })
    }

    /// Reads the claims of the person with an access token. The caller must check that `sub` is that of the ID token.
    pub async fn user_claims(&self, endpoint: &Url, token: &SecretString) -> Result<Map<String, Value>, ProviderError> {
        let text = Zeroizing::new(format!("Bearer {}", token.expose_secret()));
        let mut value = HeaderValue::from_str(&text).map_err(|_| ProviderError::BadReply)?;
        value.set_sensitive(true);
        let headers =
            HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json")), (AUTHORIZATION, value)]);
        self.send(OutboundRequest { method: Method::GET, uri: to_uri(endpoint)?, headers, body: Bytes::new() }).await
    }

    async fn send(&self, request: OutboundRequest) -> Result<Map<String, Value>, ProviderError> {
        let sent = self.egress.send_with_limits(&request, Instant::now() + REQUEST_TIMEOUT, LIMITS).await;
        let response = sent.map_err(ProviderError::Egress)?;
        let reply = json_object(&response);
        if !response.status.is_success() || reply.as_ref().is_some_and(|reply| reply.contains_key("error")) {
            return Err(ProviderError::Refused(refusal(&response, reply.as_ref())));
        }
        reply.ok_or(ProviderError::BadReply)
    }
}

fn token_request(exchange: &CodeExchange<'_>) -> Result<OutboundRequest, ProviderError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    pairs.append_pair("grant_type", "authorization_code").append_pair("code", exchange.code);
    pairs.append_pair("redirect_uri", exchange.redirect_uri).append_pair("code_verifier", exchange.verifier);
    // The header is the method that every provider must support if it does not list others (RFC 8414, section 2).
    let methods = exchange.auth_methods;
    if methods.is_empty() || methods.iter().any(|method| method == "client_secret_basic") {
        let value = basic_credentials(exchange.client_id, exchange.client_secret).ok_or(ProviderError::BadReply)?;
        headers.insert(AUTHORIZATION, value);
    } else {
        pairs.append_pair("client_id", exchange.client_id);
        pairs.append_pair("client_secret", exchange.client_secret.expose_secret());
    }
    let (uri, body) = (to_uri(exchange.token_endpoint)?, Bytes::from(pairs.finish()));
    Ok(OutboundRequest { method: Method::POST, uri, headers, body })
}

fn to_uri(url: &Url) -> Result<Uri, ProviderError> {
    url.as_str().parse().map_err(|_| ProviderError::Egress(EgressError::BadAddress))
}

fn json_object(response: &UpstreamResponse) -> Option<Map<String, Value>> {
    let document = json::check(&response.body).ok()?;
    serde_json::from_str(document.get()).ok()
}

/// The status, and the code of the error if it has the form of those in the standard.
fn refusal(response: &UpstreamResponse, reply: Option<&Map<String, Value>>) -> String {
    let is_code = |code: &&str| code.len() <= 40 && code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_'));
    let code = reply.and_then(|reply| reply.get("error")?.as_str()).filter(is_code);
    let status = response.status.as_u16();
    code.map_or_else(|| format!("HTTP {status}"), |code| format!("HTTP {status}, {code}"))
}
