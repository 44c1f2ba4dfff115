//! Client credentials for a token: the request, and its second form for issuers that do not take the first.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Uri};
use secrecy::ExposeSecret;
use secrecy::zeroize::Zeroizing;
use toolgate_domain::call::FailureReason;

use super::OAuth2Client;
use super::reply::{self, Token};
use crate::Failure;
use crate::egress::{OutboundRequest, UpstreamResponse};

/// Where the credentials stand in the request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// In the Authorization header, which every issuer must take (RFC 6749, 2.3.1).
    Header,
    /// In the body, which some take instead.
    Body,
}

/// Asks for a token. An issuer that refuses the client gets its credentials a second time, in the body.
pub(super) async fn run<F, Fut>(client: &OAuth2Client, send: F) -> Result<Token, Failure>
where
    F: Fn(OutboundRequest) -> Fut,
    Fut: Future<Output = Result<UpstreamResponse, Failure>>,
{
    let mut response = send(request(client, Form::Header)?).await?;
    if reply::refuses_the_client(&response) {
        response = send(request(client, Form::Body)?).await?;
    }
    reply::read(client, &response)
}

fn request(client: &OAuth2Client, form: Form) -> Result<OutboundRequest, Failure> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    if form == Form::Header {
        headers.insert(AUTHORIZATION, basic(client)?);
    }
    Ok(OutboundRequest { method: Method::POST, uri: address(&client.token_url)?, headers, body: body(client, form) })
}

fn address(token_url: &str) -> Result<Uri, Failure> {
    let parsed = url::Url::parse(token_url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    parsed.and_then(|url| Uri::try_from(url.as_str()).ok()).ok_or_else(|| {
        Failure::new(
            FailureReason::BadCredential,
            "No token could be asked for: token_url in the tool's auth_credentials is not an absolute http or https URL.",
        )
        .advising("Correct token_url in the tool's auth_credentials.")
    })
}

/// Both halves are form-encoded first, as the RFC has it: a colon in the id would end it otherwise.
fn basic(client: &OAuth2Client) -> Result<HeaderValue, Failure> {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let secret = Zeroizing::new(encoded(client.client_secret.expose_secret()));
    let pair = Zeroizing::new(format!("{}:{}", encoded(&client.client_id), *secret));
    let text = Zeroizing::new(format!("Basic {}", BASE64_STANDARD.encode(pair.as_bytes())));
    let mut value = HeaderValue::from_str(&text)
        .map_err(|_| Failure::new(FailureReason::Internal, "The client credentials of the tool cannot be sent."))?;
    value.set_sensitive(true);
    Ok(value)
}

fn body(client: &OAuth2Client, form: Form) -> Bytes {
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    pairs.append_pair("grant_type", "client_credentials");
    if let Some(scope) = client.scope.as_deref().filter(|scope| !scope.is_empty()) {
        pairs.append_pair("scope", scope);
    }
    if form == Form::Body {
        pairs.append_pair("client_id", &client.client_id);
        pairs.append_pair("client_secret", client.client_secret.expose_secret());
    }
    Bytes::from(pairs.finish())
}
