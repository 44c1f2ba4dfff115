//! `/signin` and `/signout`: the browser session of a person.

mod attempt;
mod console_token;
mod link;
mod linked_accounts;
mod next_path;
mod openid;
mod opening;
mod reply;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::request::Parts;
use toolgate_storage::StorageError;

use crate::context::IssuerContext;
use crate::form::{FormFields, is_sent_by_own_page};
use crate::issuer_url::IssuerUrl;
use crate::page_reply::{FormTargets, page, see_other};
use crate::page_signer::FormPurpose;
use crate::pages::{AccountPage, AccountProvider, LINKED_ACCOUNTS_PATH, LinkedAccounts, STYLE, STYLE_PATH, SignInPage};
use crate::signed_in::{SignedIn, cookie_hash, set_cookie};

pub(crate) fn routes(context: &Arc<IssuerContext>) -> Router {
    Router::new()
        .route("/signin", get(show).post(sign_in))
        .route("/signin/oidc", get(openid::start).post(openid::link))
        .route("/signin/oidc/callback", get(openid::finish))
        .route(LINKED_ACCOUNTS_PATH, post(linked_accounts::remove))
        .route("/signin/token", post(console_token::issue))
        .route("/signout", post(sign_out))
        .route(STYLE_PATH, get(style))
        .with_state(Arc::clone(context))
}

async fn style() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/css; charset=utf-8"),
        (CACHE_CONTROL, "public, max-age=3600"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, STYLE).into_response()
}

async fn show(State(context): State<Arc<IssuerContext>>, parts: Parts) -> Response {
    let Some(issuer) = context.config.issuer.as_deref().map(IssuerUrl::new) else { return reply::no_issuer() };
    respond(&context, issuer, &parts).await.unwrap_or_else(|error| reply::unavailable(issuer, &error))
}

async fn respond(context: &IssuerContext, issuer: IssuerUrl<'_>, parts: &Parts) -> Result<Response, StorageError> {
    let fields = FormFields::parse(parts.uri.query().unwrap_or_default().as_bytes());
    if let Some(secret) = fields.get_filled("link") {
        return link::show(context, issuer, secret).await;
    }
    let base_path = issuer.base_path();
    let signed_in = SignedIn::find(&*context.storage, &parts.headers, issuer, context.now()).await?;
    let next = next_path::parse(fields.get("next"));
    let provider = context.provider_name();
    let Some(signed_in) = signed_in else {
        let html = SignInPage { base_path, next, provider, problem: None }.to_html();
        return Ok(page(StatusCode::OK, FormTargets::OwnSite, html));
    };
    let user = &signed_in.session.user;
    let csrf = |purpose| context.page_signer.csrf(&signed_in.hash, purpose).unwrap_or_default();
    let (sign_out_csrf, link_csrf) = (csrf(FormPurpose::SignOut), csrf(FormPurpose::LinkAccount));
    let identities = context.storage.identities_of_user(user.id, None).await?.items;
    let is_linked = identities.iter().any(|linked| context.is_of_provider(&linked.identity));
    let provider = provider.map(|name| AccountProvider { name, is_linked, csrf: &link_csrf });
    let remove_csrf = signed_in.may_change_own_accounts().then(|| csrf(FormPurpose::RemoveAccount));
    let accounts = LinkedAccounts { base_path, identities: &identities, csrf: remove_csrf.as_deref() };
    let user_name = &user.name;
    let html = AccountPage { base_path, user_name, next, provider, accounts, csrf: &sign_out_csrf }.to_html();
    // The form that links an account redirects to the provider.
    Ok(page(StatusCode::OK, provider.map_or(FormTargets::OwnSite, |_| FormTargets::Any), html))
}

async fn sign_in(State(context): State<Arc<IssuerContext>>, request: Request) -> Response {
    let Some(issuer) = context.config.issuer.as_deref().map(IssuerUrl::new) else { return reply::no_issuer() };
    let (parts, body) = request.into_parts();
    if !is_sent_by_own_page(&parts.headers, issuer) {
        return reply::foreign_form(issuer);
    }
    let Some(fields) = FormFields::read(&parts.headers, body).await else { return reply::unreadable_form(issuer) };
    let response = attempt::respond(&context, issuer, &parts, &fields).await;
    response.unwrap_or_else(|error| reply::unavailable(issuer, &error))
}

/// Ends the session of this browser, then shows the page from which the person signed out.
async fn sign_out(State(context): State<Arc<IssuerContext>>, request: Request) -> Response {
    let Some(issuer) = context.config.issuer.as_deref().map(IssuerUrl::new) else { return reply::no_issuer() };
    let (parts, body) = request.into_parts();
    if !is_sent_by_own_page(&parts.headers, issuer) {
        return reply::foreign_form(issuer);
    }
    let Some(fields) = FormFields::read(&parts.headers, body).await else { return reply::unreadable_form(issuer) };
    if let Some(hash) = cookie_hash(&parts.headers, issuer) {
        let csrf = fields.get("csrf").unwrap_or_default();
        let is_valid = |purpose| context.page_signer.is_valid_csrf(&hash, purpose, csrf);
        // The consent page has one signature for both of its forms.
        if !is_valid(FormPurpose::SignOut) && !is_valid(FormPurpose::Consent) {
            return reply::foreign_form(issuer);
        }
        if let Err(error) = context.storage.delete_browser_session(&hash).await {
            return reply::unavailable(issuer, &error);
        }
    }
    let next = next_path::parse(fields.get("next")).unwrap_or("/signin");
    let mut response = see_other(&format!("{}{next}", issuer.as_str()));
    set_cookie(response.headers_mut(), issuer, "");
    response
}
