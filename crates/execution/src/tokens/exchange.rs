//! The token request, and its second form for issuers that do not accept the first.

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Uri};
use secrecy::ExposeSecret;
use toolgate_domain::call::FailureReason;

use super::OAuth2Client;
use super::reply::{self, IssuedToken};
use crate::client_credentials::basic_credentials;
use crate::egress::message::{OutboundRequest, UpstreamResponse};
use crate::failure::Failure;

/// Where the request contains the client credentials.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CredentialLocation {
    /// In the Authorization header, which every issuer must support (RFC 6749, 2.3.1).
    Header,
    /// In the body, which some issuers support instead.
    Body,
}

/// Fetches a token. If the issuer rejects the client, the request is repeated with the credentials in the body.
pub(super) async fn fetch<F, Fut>(client: &OAuth2Client, send: F) -> Result<IssuedToken, Failure>
where
    F: Fn(OutboundRequest) -> Fut,
    Fut: Future<Output = Result<UpstreamResponse, Failure>>,
{
    let mut response = send(request(client, CredentialLocation::Header)?).await?;
    if reply::is_client_rejected(&response) {
        response = send(request(client, CredentialLocation::Body)?).await?;
    }
    reply::parse(client, &response)
}

fn request(client: &OAuth2Client, location: CredentialLocation) -> Result<OutboundRequest, Failure> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    if location == CredentialLocation::Header {
        headers.insert(AUTHORIZATION, basic_auth(client)?);
    }
    Ok(OutboundRequest {
        method: Method::POST,
        uri: token_uri(&client.token_url)?,
        headers,
        body: body(client, location),
    })
}

fn token_uri(token_url: &str) -> Result<Uri, Failure> {
    let parsed = url::Url::parse(token_url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    parsed.and_then(|url| Uri::try_from(url.as_str()).ok()).ok_or_else(|| {
        Failure::new(
            FailureReason::BadCredential,
            "No token could be requested: token_url in the tool's auth_credentials is not an absolute http or https URL.",
        )
        .with_advice("Correct token_url in the tool's auth_credentials.")
        .with_model_text(
            "The credential of this tool cannot be used, so nothing was sent.",
            FailureReason::BadCredential.advice_for_model(),
        )
    })
}

fn basic_auth(client: &OAuth2Client) -> Result<HeaderValue, Failure> {
    basic_credentials(&client.client_id, &client.client_secret)
        .ok_or_else(|| Failure::new(FailureReason::Internal, "The client credentials of the tool cannot be sent."))
}

fn body(client: &OAuth2Client, location: CredentialLocation) -> Bytes {
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    pairs.append_pair("grant_type", "client_credentials");
    if let Some(scope) = client.scope.as_deref().filter(|scope| !scope.is_empty()) {
        pairs.append_pair("scope", scope);
    }
    if location == CredentialLocation::Body {
        pairs.append_pair("client_id", &client.client_id);
        pairs.append_pair("client_secret", client.client_secret.expose_secret());
    }
    Bytes::from(pairs.finish())
}
