//! The checks of an authorization request, in their order.

use toolgate_domain::oauth::client::{ClientStatus, OAuthClient};
use toolgate_domain::oauth::redirect_uri::{self, RedirectUri};
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_storage::OAuthServer;

use super::refusal::AuthorizeRefusal;
use super::server_access;
use crate::client_document::{self, ClientDocumentError};
use crate::context::IssuerContext;
use crate::form::FormFields;
use crate::issuer_url::IssuerUrl;

/// Longest `client_id` and `state`, in bytes.
const CLIENT_ID_MAX: usize = 2048;
const STATE_MAX: usize = 4096;
/// Length of a SHA-256 hash in base64url.
const CHALLENGE_LENGTH: usize = 43;

/// A request whose parameters are all valid.
#[derive(Debug)]
pub(super) struct CheckedRequest {
    pub(super) client: OAuthClient,
    pub(super) redirect: RedirectUri,
    pub(super) state: Option<String>,
    /// The `code_challenge` (S256).
    pub(super) challenge: String,
    /// `None` if the request names no server.
    pub(super) server: Option<OAuthServer>,
    pub(super) scopes: McpScopes,
    /// Whether no page may be shown (`prompt=none`).
    pub(super) is_silent: bool,
}

impl CheckedRequest {
    pub(super) fn refuse(&self, error: &'static str, description: &'static str) -> AuthorizeRefusal {
        AuthorizeRefusal::to_client(&self.redirect, self.state.as_deref(), error, description)
    }
}

/// Checks a request. `None` if the client has a metadata document, no person is signed in and a sign-in page may be
/// shown: unauthenticated requests must not make this service fetch the document.
pub(super) async fn check(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    fields: &FormFields,
    is_signed_in: bool,
) -> Result<Option<CheckedRequest>, AuthorizeRefusal> {
    if let Some(name) = fields.repeated_name() {
        return Err(AuthorizeRefusal::bad_request(format!("The program sent the parameter {name} twice.")));
    }
    let client_id = fields.get_filled("client_id").filter(|id| id.len() <= CLIENT_ID_MAX && !id.contains('\0'));
    let client_id = client_id.ok_or_else(unknown_client)?;
    let is_silent = fields.get("prompt").is_some_and(|prompt| prompt.split(' ').any(|value| value == "none"));
    let client = if !client_document::is_document_id(client_id) {
        context.storage.client_by_identifier(client_id).await?.ok_or_else(unknown_client)?
    } else if is_signed_in {
        document_client(context, client_id).await?
    } else {
        client_document::check_url(client_id).map_err(document_refusal)?;
        if !is_silent {
            return Ok(None);
        }
        let stored = client_document::find_stored(context, client_id, context.now()).await?;
        stored.ok_or_else(|| AuthorizeRefusal::bad_request("No person is signed in."))?
    };
    let redirect = check_client(context, &client, fields.get_filled("redirect_uri"))?;
    check_parameters(context, issuer, fields, CheckedClient { client, redirect, is_silent }).await.map(Some)
}

/// A client that may request authorization, and the redirect URI for the response.
struct CheckedClient {
    client: OAuthClient,
    redirect: RedirectUri,
    is_silent: bool,
}

/// The checks whose errors go to the redirect URI.
async fn check_parameters(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    fields: &FormFields,
    CheckedClient { client, redirect, is_silent }: CheckedClient,
) -> Result<CheckedRequest, AuthorizeRefusal> {
    let state = fields.get("state");
    let is_state_too_long = state.is_some_and(|state| state.len() > STATE_MAX);
    let state = state.filter(|_| !is_state_too_long);
    let refuse = |error, description| AuthorizeRefusal::to_client(&redirect, state, error, description);
    if fields.get_filled("response_type") != Some("code") {
        return Err(refuse("unsupported_response_type", "response_type must be code."));
    }
    let challenge = check_challenge(fields).map_err(|description| refuse("invalid_request", description))?;
    let server = match fields.get_filled("resource") {
        Some(resource) => {
            let server = server_access::find(context, issuer, resource).await?;
            let refusal = "resource must be the URL of an active server that uses this issuer.";
            Some(server.ok_or_else(|| refuse("invalid_target", refusal))?)
        }
        None => None,
    };
    if is_state_too_long {
        return Err(refuse("invalid_request", "state is longer than 4096 bytes."));
    }
    if fields.get("request").is_some() || fields.get("request_uri").is_some() {
        return Err(refuse("request_not_supported", "request and request_uri are not supported."));
    }
    let scopes = fields.get("scope").and_then(McpScopes::parse).unwrap_or(McpScopes::ALL);
    let (state, challenge) = (state.map(str::to_owned), challenge.to_owned());
    Ok(CheckedRequest { client, redirect, state, challenge, server, scopes, is_silent })
}

async fn document_client(context: &IssuerContext, url: &str) -> Result<OAuthClient, AuthorizeRefusal> {
    client_document::resolve(context, url, context.now()).await.map_err(document_refusal)
}

fn document_refusal(error: ClientDocumentError) -> AuthorizeRefusal {
    match error {
        ClientDocumentError::Storage(error) => error.into(),
        error => AuthorizeRefusal::bad_request(error.to_string()),
    }
}

/// The redirect URI of the request, if the client may use it.
pub(super) fn check_client(
    context: &IssuerContext,
    client: &OAuthClient,
    requested: Option<&str>,
) -> Result<RedirectUri, AuthorizeRefusal> {
    if client.status != ClientStatus::Allowed {
        return Err(AuthorizeRefusal::bad_request("An administrator has blocked this program."));
    }
    let requested = requested.ok_or_else(|| AuthorizeRefusal::bad_request("The program sent no redirect_uri."))?;
    let is_registered = client.redirect_uris.iter().any(|registered| redirect_uri::matches(registered, requested));
    let redirect = RedirectUri::parse(requested, &context.config.redirect_schemes).ok().filter(|_| is_registered);
    redirect.ok_or_else(|| {
        AuthorizeRefusal::bad_request(
            "The program wants the answer at an address (redirect_uri) that it has not registered.",
        )
    })
}

fn check_challenge(fields: &FormFields) -> Result<&str, &'static str> {
    if fields.get_filled("code_challenge_method") != Some("S256") {
        return Err("code_challenge_method must be S256.");
    }
    let is_base64url = |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let challenge = fields.get_filled("code_challenge").filter(is_base64url);
    challenge
        .filter(|challenge| challenge.len() == CHALLENGE_LENGTH)
        .ok_or("code_challenge must be 43 characters of base64url.")
}

fn unknown_client() -> AuthorizeRefusal {
    AuthorizeRefusal::bad_request(
        "The program (client_id) is not known here. Remove the connection in the program and add it again.",
    )
}
