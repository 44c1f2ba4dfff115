//! Sign-in links: the page of a link. Opening the page does not use up the link; sending its form does.

use axum::response::Response;
use http::StatusCode;
use toolgate_auth::hash_secret;
use toolgate_domain::oauth::sign_in::SignInLink;
use toolgate_storage::StorageError;

use super::reply;
use crate::context::IssuerContext;
use crate::issuer_url::IssuerUrl;
use crate::page_reply::{FormTargets, page};
use crate::pages::SignInLinkPage;

pub(super) async fn show(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    secret: &str,
) -> Result<Response, StorageError> {
    let link = context.storage.sign_in_link(&hash_secret(secret), context.now()).await?;
    Ok(link.map_or_else(|| used_up(issuer), |link| link_page(issuer, secret, &link, None)))
}

/// The page of a link; after an attempt that did not use it, with the problem.
pub(super) fn link_page(issuer: IssuerUrl<'_>, secret: &str, link: &SignInLink, problem: Option<&str>) -> Response {
    let (base_path, user_name) = (issuer.base_path(), link.user.name.as_str());
    let html = SignInLinkPage { base_path, link: secret, user_name, purpose: link.purpose, problem }.to_html();
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    page(status, FormTargets::OwnSite, html)
}

/// The link was used, has expired or never existed.
pub(super) fn used_up(issuer: IssuerUrl<'_>) -> Response {
    let text = "It was used before, or it is too old. Ask for a new one.";
    reply::message(issuer, StatusCode::BAD_REQUEST, "This link does not work any more", text)
}
