//! Sends the browser to the provider.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::request::Parts;
use toolgate_auth::hash_secret;
use toolgate_domain::ids::UserId;
use toolgate_domain::oauth::identity::{NewOpenIdAttempt, OpenIdAttempt};
use toolgate_execution::issuers::IssuerMetadata;
use url::Url;

use super::super::{next_path, reply};
use super::CALLBACK_PATH;
use super::attempt_cookie::{self, ATTEMPT_TTL_MS};
use super::attempt_secrets::AttemptSecrets;
use super::refusal::OpenIdRefusal;
use crate::context::IssuerContext;
use crate::form::{FormFields, is_sent_by_own_page};
use crate::issuer_url::IssuerUrl;
use crate::openid_provider::OpenIdProvider;
use crate::page_reply::see_other;
use crate::page_signer::FormPurpose;
use crate::random_secret;
use crate::signed_in::SignedIn;

/// Longest `next` that is stored, in bytes: anyone can start a sign-in. It is the address of an authorization request,
/// whose `state` may have 4 KiB, or three times as much percent-encoded.
const NEXT_BYTES_MAX: usize = 16 * 1024;

/// `GET /signin/oidc`: a person signs in.
pub(in super::super) async fn start(State(context): State<Arc<IssuerContext>>, parts: Parts) -> Response {
    let Some(issuer) = context.config.issuer.as_deref().map(IssuerUrl::new) else { return reply::no_issuer() };
    let fields = FormFields::parse(parts.uri.query().unwrap_or_default().as_bytes());
    let started = begin(&context, issuer, &parts, attempt(&fields, None)).await;
    started.unwrap_or_else(|refusal| refusal.into_page(issuer, context.provider_name().unwrap_or_default()))
}

/// `POST /signin/oidc`: a person who is signed in links an account. Without a session, it is the same as `GET`.
pub(in super::super) async fn link(State(context): State<Arc<IssuerContext>>, request: Request) -> Response {
    let Some(issuer) = context.config.issuer.as_deref().map(IssuerUrl::new) else { return reply::no_issuer() };
    let started = begin_link(&context, issuer, request).await;
    started.unwrap_or_else(|refusal| refusal.into_page(issuer, context.provider_name().unwrap_or_default()))
}

async fn begin_link(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    request: Request,
) -> Result<Response, OpenIdRefusal> {
    let (parts, body) = request.into_parts();
    if !is_sent_by_own_page(&parts.headers, issuer) {
        return Err(OpenIdRefusal::ForeignForm);
    }
    let fields = FormFields::read(&parts.headers, body).await.ok_or(OpenIdRefusal::UnreadableForm)?;
    let signed_in = SignedIn::find(&*context.storage, &parts.headers, issuer, context.now()).await?;
    let csrf = fields.get("csrf").unwrap_or_default();
    let user_id = match &signed_in {
        Some(signed_in) if !context.page_signer.is_valid_csrf(&signed_in.hash, FormPurpose::LinkAccount, csrf) => {
            return Err(OpenIdRefusal::ForeignForm);
        }
        Some(signed_in) if !signed_in.may_change_own_accounts() => return Err(OpenIdRefusal::LimitedKey),
        Some(signed_in) => Some(signed_in.session.user.id),
        None => None,
    };
    begin(context, issuer, &parts, attempt(&fields, user_id)).await
}

fn attempt(fields: &FormFields, user_id: Option<UserId>) -> OpenIdAttempt {
    let next = next_path::parse(fields.get("next")).filter(|next| next.len() <= NEXT_BYTES_MAX);
    OpenIdAttempt { next: next.map(str::to_owned), user_id }
}

async fn begin(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    parts: &Parts,
    attempt: OpenIdAttempt,
) -> Result<Response, OpenIdRefusal> {
    let provider = context.openid_provider.as_ref().ok_or(OpenIdRefusal::NotConfigured)?;
    provider.admit_start(context.client_address(parts)).map_err(OpenIdRefusal::TooMany)?;
    let metadata = provider.metadata().await.map_err(|error| {
        tracing::warn!(%error, "cannot read the metadata of the OpenID provider");
        OpenIdRefusal::Unavailable
    })?;
    let random = || random_secret::generate("").map_err(|_| OpenIdRefusal::NoRandomBytes);
    // A new cookie would end the sign-ins that this browser has started in other tabs.
    let cookie = match attempt_cookie::read(&parts.headers, issuer) {
        Some(cookie) => cookie.to_owned(),
        None => random()?,
    };
    let state = random()?;
    let secrets = AttemptSecrets::derive(&cookie, &state).ok_or(OpenIdRefusal::NoRandomBytes)?;
    let address = authorization_address(provider, issuer, &metadata, &state, &secrets)?;
    let (state, browser) = (hash_secret(&state), hash_secret(&cookie));
    let expires_at = context.now().plus_millis(ATTEMPT_TTL_MS);
    context.storage.create_openid_attempt(NewOpenIdAttempt { state, browser, attempt, expires_at }).await?;
    let mut response = see_other(address.as_str());
    attempt_cookie::set(response.headers_mut(), issuer, &cookie);
    Ok(response)
}

fn authorization_address(
    provider: &OpenIdProvider,
    issuer: IssuerUrl<'_>,
    metadata: &IssuerMetadata,
    state: &str,
    secrets: &AttemptSecrets,
) -> Result<Url, OpenIdRefusal> {
    let Some(mut address) = metadata.authorization_endpoint.clone() else {
        tracing::warn!("the metadata of the OpenID provider has no authorization_endpoint");
        return Err(OpenIdRefusal::Unavailable);
    };
    address
        .query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &provider.config.client_id)
        .append_pair("redirect_uri", &format!("{}{CALLBACK_PATH}", issuer.as_str()))
        .append_pair("scope", "openid email profile")
        .append_pair("state", state)
        .append_pair("nonce", &secrets.nonce)
        .append_pair("code_challenge", &secrets.challenge())
        .append_pair("code_challenge_method", "S256");
    Ok(address)
}
