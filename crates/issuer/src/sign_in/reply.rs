//! Responses of `/signin` and `/signout` that end an attempt.

use axum::response::Response;
use http::StatusCode;
use toolgate_storage::StorageError;

use crate::issuer_url::IssuerUrl;
use crate::outage::outage_text;
use crate::page_reply::{FormTargets, page, with_retry_after};
use crate::pages::MessagePage;

pub(super) fn message(issuer: IssuerUrl<'_>, status: StatusCode, title: &str, text: &str) -> Response {
    message_at(issuer.base_path(), status, title, text)
}

/// The service has no fixed public URL.
pub(super) const NO_ISSUER: &str =
    "Sign-in is not available: set TOOLGATE_BASE_URL to the public https address of the service.";

pub(super) fn no_issuer() -> Response {
    message_at("", StatusCode::NOT_FOUND, "Sign-in is not available", NO_ISSUER)
}

pub(super) fn foreign_form(issuer: IssuerUrl<'_>) -> Response {
    let text = "It was not sent by a page of this service, or it belongs to another session. Load the page again.";
    message(issuer, StatusCode::FORBIDDEN, "This form is not valid", text)
}

pub(super) fn unreadable_form(issuer: IssuerUrl<'_>) -> Response {
    let text = "It is not of the type application/x-www-form-urlencoded, or it is larger than 64 KiB.";
    message(issuer, StatusCode::BAD_REQUEST, "This form is not valid", text)
}

pub(super) fn unavailable(issuer: IssuerUrl<'_>, error: &StorageError) -> Response {
    tracing::warn!(?error, "the database failed during a sign-in");
    with_retry_after(message(issuer, StatusCode::SERVICE_UNAVAILABLE, "Not available", outage_text(error)), 5)
}

fn message_at(base_path: &str, status: StatusCode, title: &str, text: &str) -> Response {
    page(status, FormTargets::OwnSite, MessagePage { base_path, title, text, link: None }.to_html())
}
