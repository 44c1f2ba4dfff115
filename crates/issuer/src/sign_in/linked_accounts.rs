//! Removes an account at an OpenID provider from the person who is signed in.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use toolgate_domain::ids::IdentityId;
use toolgate_storage::StorageError;

use super::reply;
use crate::context::IssuerContext;
use crate::form::{FormFields, is_sent_by_own_page};
use crate::issuer_url::IssuerUrl;
use crate::page_reply::see_other;
use crate::page_signer::FormPurpose;
use crate::signed_in::SignedIn;

/// `POST /signin/accounts/remove`.
pub(super) async fn remove(State(context): State<Arc<IssuerContext>>, request: Request) -> Response {
    let Some(issuer) = context.config.issuer.as_deref().map(IssuerUrl::new) else { return reply::no_issuer() };
    respond(&context, issuer, request).await.unwrap_or_else(|error| reply::unavailable(issuer, &error))
}

async fn respond(context: &IssuerContext, issuer: IssuerUrl<'_>, request: Request) -> Result<Response, StorageError> {
    let (parts, body) = request.into_parts();
    if !is_sent_by_own_page(&parts.headers, issuer) {
        return Ok(reply::foreign_form(issuer));
    }
    let Some(fields) = FormFields::read(&parts.headers, body).await else { return Ok(reply::unreadable_form(issuer)) };
    let Some(id) = fields.get("id").and_then(|id| id.parse().ok()).map(IdentityId) else {
        let text = "It lacks the id of the account. Load the page again.";
        return Ok(not_removed(issuer, StatusCode::BAD_REQUEST, text));
    };
    let now = context.now();
    let signed_in = SignedIn::find(&*context.storage, &parts.headers, issuer, now).await?;
    if let Some(signed_in) = signed_in {
        let csrf = fields.get("csrf").unwrap_or_default();
        if !context.page_signer.is_valid_csrf(&signed_in.hash, FormPurpose::RemoveAccount, csrf) {
            return Ok(reply::foreign_form(issuer));
        }
        if !signed_in.may_change_own_accounts() {
            let text = "You are signed in with a limited key. Sign in with a password or a linked account, then remove the account.";
            return Ok(not_removed(issuer, StatusCode::FORBIDDEN, text));
        }
        let (actor, user) = (signed_in.actor(now), signed_in.session.user.id);
        match context.storage.delete_identity(&actor, user, id, context.provider_issuer()).await {
            // An account or a user that does not exist any more needs no removal.
            Ok(_) | Err(StorageError::NotFound(_)) => {}
            Err(StorageError::InUse(reason)) => return Ok(not_removed(issuer, StatusCode::CONFLICT, &reason)),
            Err(error) => return Err(error),
        }
    }
    Ok(see_other(&format!("{}/signin", issuer.as_str())))
}

fn not_removed(issuer: IssuerUrl<'_>, status: StatusCode, reason: &str) -> Response {
    reply::message(issuer, status, "The account was not removed", reason)
}
