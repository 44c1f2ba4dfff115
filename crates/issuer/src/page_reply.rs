//! Responses of pages: their headers, and redirects.

use axum::response::{IntoResponse, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, RETRY_AFTER,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue, StatusCode};

use crate::pages::Html;

/// Whether the browser may follow redirects to other sites after it sends a form of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormTargets {
    /// Only this service.
    OwnSite,
    /// Any: Chromium applies `form-action` to the whole chain of redirects, also to the private scheme to which the
    /// client's own callback redirects, so the consent page must not have it.
    Any,
}

/// A page with this status.
pub(crate) fn page(status: StatusCode, targets: FormTargets, html: Html) -> Response {
    let policy = match targets {
        FormTargets::OwnSite => {
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; \
             form-action 'self'"
        }
        FormTargets::Any => {
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
        }
    };
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, policy),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    (status, headers, html.into_string()).into_response()
}

/// A redirect that turns a `POST` into a `GET`.
pub(crate) fn see_other(location: &str) -> Response {
    let Ok(location) = HeaderValue::from_str(location) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let headers = [
        (LOCATION, location),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Adds `Retry-After`.
pub(crate) fn with_retry_after(mut response: Response, seconds: u64) -> Response {
    response.headers_mut().insert(RETRY_AFTER, seconds.into());
    response
}
