//! Errors of the token, registration and revocation endpoints.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use toolgate_storage::StorageError;

use crate::outage::outage_text;

/// How long a client waits before it tries again if the database does not respond.
const DATABASE_RETRY: Duration = Duration::from_secs(2);

/// An error reply: `{"error", "error_description"}`.
#[derive(Debug)]
pub(crate) struct OAuthError {
    pub(crate) status: StatusCode,
    /// The code of the error, such as `invalid_grant`.
    pub(crate) error: &'static str,
    /// For developers: what is wrong and how to correct it.
    pub(crate) description: String,
    /// When the client can try again.
    pub(crate) retry_after: Option<Duration>,
}

impl OAuthError {
    /// An error with this status.
    pub(crate) fn new(status: StatusCode, error: &'static str, description: impl Into<String>) -> Self {
        Self { status, error, description: description.into(), retry_after: None }
    }

    /// An error with status 400.
    pub(crate) fn bad_request(error: &'static str, description: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error, description)
    }

    /// The client did not authenticate as it must.
    pub(crate) fn invalid_client(description: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "invalid_client", description)
    }

    /// The code or the refresh token is not valid, so that the client must ask the person again.
    pub(crate) fn invalid_grant(description: impl Into<String>) -> Self {
        Self::bad_request("invalid_grant", description)
    }

    /// The client must wait.
    pub(crate) fn too_many(wait: Duration) -> Self {
        let description = "Too many requests from this address. Wait as Retry-After says.";
        let error = Self::new(StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable", description);
        Self { retry_after: Some(wait), ..error }
    }

    /// The service cannot answer now.
    pub(crate) fn unavailable(description: &str, wait: Duration) -> Self {
        let error = Self::new(StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", description);
        Self { retry_after: Some(wait), ..error }
    }

    /// A fault of the service, which is logged.
    pub(crate) fn internal(cause: &dyn std::fmt::Debug) -> Self {
        tracing::error!(error = ?cause, "the issuer could not answer a request");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "server_error", "Internal error. See the log of the service.")
    }
}

impl From<StorageError> for OAuthError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Unavailable(_) | StorageError::Full(_) => {
                tracing::warn!(?error, "the issuer could not reach its database");
                Self::unavailable(outage_text(&error), DATABASE_RETRY)
            }
            error => Self::internal(&error),
        }
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
        if let Some(wait) = self.retry_after {
            // Rounded up, so that a client that waits exactly this long is not refused again.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        response
    }
}
