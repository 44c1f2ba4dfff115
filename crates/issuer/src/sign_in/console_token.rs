//! `POST /signin/token`: gives a page of the console a token of the management API for the session of its browser. The
//! management API itself reads no cookie, so that pages of other sites cannot use it.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::request::Parts;
use serde_json::{Value, json};
use toolgate_auth::{CONSOLE_TOKEN_KEYS, ConsoleToken};

use super::reply;
use crate::context::IssuerContext;
use crate::form::is_sent_by_own_page;
use crate::issuer_url::IssuerUrl;
use crate::lifetimes::CONSOLE_TOKEN_TTL_MS;
use crate::outage::outage_text;
use crate::page_reply::with_retry_after;
use crate::page_signer::FormPurpose;
use crate::signed_in::SignedIn;

pub(super) async fn issue(State(context): State<Arc<IssuerContext>>, parts: Parts) -> Response {
    let Some(issuer) = context.config.issuer.as_deref().map(IssuerUrl::new) else {
        return error(StatusCode::NOT_FOUND, "sign_in_unavailable", reply::NO_ISSUER);
    };
    if !is_sent_by_own_page(&parts.headers, issuer) {
        let text = format!("This page has another address than the service. Open {} to sign in.", issuer.as_str());
        return error(StatusCode::FORBIDDEN, "foreign_origin", &text);
    }
    match SignedIn::find(&*context.storage, &parts.headers, issuer, context.now()).await {
        Ok(Some(signed_in)) => token_reply(&context, &signed_in),
        // Not an error: the console asks at every start.
        Ok(None) => (StatusCode::NO_CONTENT, [(CACHE_CONTROL, "no-store")]).into_response(),
        Err(cause) => {
            tracing::warn!(error = ?cause, "the database failed while a token was issued");
            with_retry_after(error(StatusCode::SERVICE_UNAVAILABLE, "unavailable", outage_text(&cause)), 5)
        }
    }
}

fn token_reply(context: &IssuerContext, signed_in: &SignedIn) -> Response {
    let now = context.now();
    let expires_at = now.plus_millis(CONSOLE_TOKEN_TTL_MS).min(signed_in.session.expires_at);
    let token = ConsoleToken { session: signed_in.hash, expires_at };
    let keys = context.storage.signing_keys(CONSOLE_TOKEN_KEYS);
    let csrf = context.page_signer.csrf(&signed_in.hash, FormPurpose::SignOut);
    let (Some(access_token), Some(csrf)) = (token.sign(&keys), csrf) else {
        return error(StatusCode::INTERNAL_SERVER_ERROR, "no_keys", "The service has no signing key. See its log.");
    };
    let expires_in = (expires_at.as_millis() - now.as_millis()) / 1000;
    let user_id = signed_in.session.user.id.0;
    let body = json!({"access_token": access_token, "expires_in": expires_in, "csrf": csrf, "user_id": user_id});
    json_reply(StatusCode::OK, &body)
}

fn error(status: StatusCode, code: &str, text: &str) -> Response {
    json_reply(status, &json!({"error": code, "error_description": text}))
}

fn json_reply(status: StatusCode, body: &Value) -> Response {
    let headers =
        [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store"), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    (status, headers, body.to_string()).into_response()
}
