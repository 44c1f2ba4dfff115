//! Errors of the token, registration and revocation endpoints.

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};

/// An error reply: `{"error", "error_description"}`.
#[derive(Debug)]
pub(crate) struct OAuthError {
    pub(crate) status: StatusCode,
    /// The code of the error, such as `invalid_grant`.
    pub(crate) error: &'static str,
    /// For developers: what is wrong and how to correct it.
    pub(crate) description: String,
}

impl OAuthError {
    /// An error with status 400.
    pub(crate) fn bad_request(error: &'static str, description: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, error, description: description.into() }
    }

    /// The client did not authenticate as it must.
    pub(crate) fn invalid_client(description: impl Into<String>) -> Self {
        Self { status: StatusCode::UNAUTHORIZED, error: "invalid_client", description: description.into() }
    }
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let body = serde_json::json!({ "error": self.error, "error_description": self.description }).to_string();
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"toolgate\""));
        }
        response
    }
}
