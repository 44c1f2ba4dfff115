//! One attempt to sign in: with a key, with a password, or with a link. Nothing of what was typed is logged.

use std::time::Instant;

use axum::response::Response;
use http::StatusCode;
use http::request::Parts;
use toolgate_auth::{Principal, hash_secret};
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::UserId;
use toolgate_domain::oauth::sign_in::SignInLinkPurpose;
use toolgate_storage::Result;

use super::opening::{Identified, OpeningError, actor, open_session};
use super::{link, next_path, reply};
use crate::context::IssuerContext;
use crate::form::FormFields;
use crate::issuer_url::IssuerUrl;
use crate::page_reply::{FormTargets, page, with_retry_after};
use crate::pages::SignInPage;
use crate::password;
use crate::sign_in_limits::RetryLater;

/// The message for all failures: it must not say which part was wrong.
const FAILURE: &str = "That did not work. Check what you typed; a key needs the scope mcp or admin.";

/// The result of an attempt.
enum SignInOutcome {
    Identified(Identified),
    /// It failed; the user is known if the name or the key exists.
    Failed(Option<UserId>),
    /// A page that says why the sign-in link or the new password cannot be used.
    Page(Response),
}

pub(super) async fn respond(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    parts: &Parts,
    fields: &FormFields,
) -> Result<Response> {
    let next = next_path::parse(fields.get("next"));
    let (secret_link, key) = (fields.get_filled("link"), fields.get_filled("key"));
    let user = fields.get_filled("user").filter(|_| secret_link.is_none() && key.is_none());
    let address = context.client_address(parts);
    let attempt = match context.sign_in_limits.begin(address, user, Instant::now()) {
        Ok(attempt) => attempt,
        Err(later) => return Ok(try_later(context, issuer, next, later)),
    };
    let outcome = match (secret_link, key, user) {
        (Some(secret), ..) => with_link(context, issuer, secret, fields.get("password")).await?,
        (None, Some(key), _) => with_key(context, key).await?,
        (None, None, Some(user)) => with_password(context, user, fields.get("password").unwrap_or_default()).await?,
        (None, None, None) => SignInOutcome::Failed(None),
    };
    match outcome {
        SignInOutcome::Identified(identified) => {
            attempt.succeed();
            open(context, issuer, parts, &identified, next).await
        }
        SignInOutcome::Failed(known_user) => {
            if let Some(user_id) = known_user {
                context.storage.record_failed_sign_in(&Actor::service(context.now()), user_id).await?;
            }
            Ok(sign_in_page(context, issuer, StatusCode::UNAUTHORIZED, next, FAILURE))
        }
        SignInOutcome::Page(response) => Ok(response),
    }
}

async fn with_key(context: &IssuerContext, key: &str) -> Result<SignInOutcome> {
    let Some(resolved) = context.storage.find_api_key(hash_secret(key.trim())).await? else {
        return Ok(SignInOutcome::Failed(None));
    };
    let user_id = resolved.user.id;
    let principal = Principal::new(resolved, context.now()).ok();
    let principal = principal.filter(Principal::may_use_mcp);
    Ok(principal.map_or(SignInOutcome::Failed(Some(user_id)), |principal| {
        let (user, key_id) = (principal.user().clone(), principal.key_id());
        SignInOutcome::Identified(Identified { user, key_id, key_expires_at: principal.expires_at(), identity: None })
    }))
}

async fn with_password(context: &IssuerContext, user: &str, password: &str) -> Result<SignInOutcome> {
    if password::is_too_long(password) {
        return Ok(SignInOutcome::Failed(None));
    }
    // PostgreSQL rejects NUL characters in parameters.
    let stored = if user.contains('\0') { None } else { context.storage.password(user).await? };
    let (user, phc) = stored.map(|stored| (stored.user, stored.phc)).unzip();
    let is_right = context.password_hasher.verify(password, phc).await;
    Ok(match user {
        Some(user) if is_right => {
            SignInOutcome::Identified(Identified { user, key_id: None, key_expires_at: None, identity: None })
        }
        user => SignInOutcome::Failed(user.map(|user| user.id)),
    })
}

/// Uses a link. Of several attempts at once, one succeeds.
async fn with_link(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    secret: &str,
    password: Option<&str>,
) -> Result<SignInOutcome> {
    let (hash, now) = (hash_secret(secret), context.now());
    let Some(link) = context.storage.sign_in_link(&hash, now).await? else {
        return Ok(SignInOutcome::Page(link::used_up(issuer)));
    };
    let phc = match link.purpose {
        SignInLinkPurpose::SignIn => None,
        SignInLinkPurpose::SetPassword => {
            let password = password.unwrap_or_default();
            if !password::is_allowed_length(password) {
                let problem = "The password must have 10 to 256 characters.";
                return Ok(SignInOutcome::Page(link::link_page(issuer, secret, &link, Some(problem))));
            }
            let Some(phc) = context.password_hasher.hash(password).await else {
                return Ok(SignInOutcome::Page(failed(issuer)));
            };
            Some(phc)
        }
    };
    let Some(link) = context.storage.take_sign_in_link(&hash, now).await? else {
        return Ok(SignInOutcome::Page(link::used_up(issuer)));
    };
    if let Some(phc) = phc {
        context.storage.set_password(&actor(&link.user, link.key_id, now), link.user.id, &phc).await?;
    }
    let (user, key_id) = (link.user, link.key_id);
    Ok(SignInOutcome::Identified(Identified { user, key_id, key_expires_at: None, identity: None }))
}

/// Opens the session of an authenticated person.
async fn open(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    parts: &Parts,
    identified: &Identified,
    next: Option<&str>,
) -> Result<Response> {
    match open_session(context, issuer, parts, identified, next).await {
        Ok(response) => Ok(response),
        Err(OpeningError::Gone) => Ok(sign_in_page(context, issuer, StatusCode::UNAUTHORIZED, next, FAILURE)),
        Err(OpeningError::NoRandomBytes) => Ok(failed(issuer)),
        Err(OpeningError::Storage(error)) => Err(error),
    }
}

fn sign_in_page(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    status: StatusCode,
    next: Option<&str>,
    problem: &str,
) -> Response {
    let (base_path, provider) = (issuer.base_path(), context.provider_name());
    let html = SignInPage { base_path, next, provider, problem: Some(problem) }.to_html();
    page(status, FormTargets::OwnSite, html)
}

fn try_later(context: &IssuerContext, issuer: IssuerUrl<'_>, next: Option<&str>, later: RetryLater) -> Response {
    let seconds = later.seconds();
    let problem = format!("There were too many attempts. Wait {seconds} seconds, then try again.");
    with_retry_after(sign_in_page(context, issuer, StatusCode::TOO_MANY_REQUESTS, next, &problem), seconds)
}

fn failed(issuer: IssuerUrl<'_>) -> Response {
    let text = "The service could not complete the sign-in. Try again.";
    reply::message(issuer, StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong", text)
}
