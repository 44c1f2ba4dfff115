//! Why a sign-in through the provider does not succeed, and the page that says so.

use axum::response::Response;
use http::StatusCode;
use toolgate_auth::jwt::JwtError;
use toolgate_execution::issuers::VerifyError;
use toolgate_storage::StorageError;

use super::super::opening::OpeningError;
use super::super::reply;
use crate::issuer_url::IssuerUrl;
use crate::page_reply::with_retry_after;
use crate::sign_in_limits::RetryLater;

/// Longest text of the provider that is shown, in characters.
const SHOWN_CHARS_MAX: usize = 200;
const TITLE: &str = "The sign-in did not work";

#[derive(Debug)]
pub(super) enum OpenIdRefusal {
    /// No provider is configured.
    NotConfigured,
    /// The form was not sent by a page of this service.
    ForeignForm,
    /// The form cannot be read.
    UnreadableForm,
    /// Too many attempts of this address.
    TooMany(RetryLater),
    /// The sign-in was used before, is too old, or was started with another browser.
    NotStartedHere,
    /// The response of the provider, or of a party that pretends to be it, violates the standard.
    BadResponse(&'static str),
    /// The provider reports an error, in its words.
    ProviderError(String),
    /// The provider does not respond as it should.
    Unavailable,
    /// The ID token is not valid.
    BadToken(JwtError),
    /// The person may not sign in here.
    NotAllowed,
    Disabled,
    /// The user was deleted or disabled, the account was removed, or the session ended, during the sign-in.
    Gone,
    /// The account belongs to another user.
    OtherUser,
    /// The person who wanted to link the account is not signed in any more, or another person is.
    OtherSession,
    /// The person is signed in with a key that has fewer rights than a linked account.
    LimitedKey,
    NoRandomBytes,
    Storage(StorageError),
}

impl OpenIdRefusal {
    /// The error that the provider reports, as text that can be shown.
    pub(super) fn from_provider(text: &str) -> Self {
        Self::ProviderError(text.chars().filter(|c| !c.is_control()).take(SHOWN_CHARS_MAX).collect())
    }

    /// The page. `provider` is the name of the provider.
    pub(super) fn into_page(self, issuer: IssuerUrl<'_>, provider: &str) -> Response {
        let message = |status: StatusCode, text: &str| reply::message(issuer, status, TITLE, text);
        match self {
            Self::NotConfigured => {
                let text = "No sign-in provider is configured: set TOOLGATE_OIDC_ISSUER.";
                reply::message(issuer, StatusCode::NOT_FOUND, "Sign-in is not available", text)
            }
            Self::ForeignForm => reply::foreign_form(issuer),
            Self::UnreadableForm => reply::unreadable_form(issuer),
            Self::Storage(error) => reply::unavailable(issuer, &error),
            Self::TooMany(later) => {
                let seconds = later.seconds();
                let text = format!("There were too many attempts. Wait {seconds} seconds, then try again.");
                with_retry_after(message(StatusCode::TOO_MANY_REQUESTS, &text), seconds)
            }
            Self::Unavailable => {
                let text =
                    format!("{provider} does not respond as it should. Try again in a moment, or sign in another way.");
                message(StatusCode::BAD_GATEWAY, &text)
            }
            Self::NoRandomBytes => {
                message(StatusCode::INTERNAL_SERVER_ERROR, "The service could not complete the sign-in. Try again.")
            }
            refusal => message(refusal.status(), &refusal.text(provider)),
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::NotAllowed | Self::Disabled | Self::OtherUser | Self::OtherSession | Self::LimitedKey => {
                StatusCode::FORBIDDEN
            }
            _ => StatusCode::BAD_REQUEST,
        }
    }

    fn text(&self, provider: &str) -> String {
        match self {
            Self::BadResponse(problem) => format!("The response of {provider} is not valid: {problem}. Sign in again."),
            Self::ProviderError(text) => format!("{provider} reports: {text}"),
            Self::BadToken(error) => {
                format!(
                    "The token of {provider} is not valid: {error}. Sign in again; if it happens again, tell the administrator."
                )
            }
            Self::NotAllowed => format!(
                "Your account at {provider} may not sign in here. Ask an administrator to allow it, or sign in another way \
                 and link the account."
            ),
            Self::Disabled => "Your user is disabled. Ask an administrator to enable it.".to_owned(),
            Self::Gone => "Your user or this account was changed in the meantime. Sign in again.".to_owned(),
            Self::OtherUser => format!("This account at {provider} belongs to another user of this service."),
            Self::OtherSession => {
                "The person who started to link the account is no longer signed in with this browser. Sign in again, then \
                 link the account."
                    .to_owned()
            }
            Self::LimitedKey => {
                "You are signed in with a limited key. Sign in with a password, then link the account."
                    .to_owned()
            }
            _ => "This sign-in was used before, is too old, or was started with another browser. Sign in again."
                .to_owned(),
        }
    }
}

impl From<StorageError> for OpenIdRefusal {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl From<OpeningError> for OpenIdRefusal {
    fn from(error: OpeningError) -> Self {
        match error {
            OpeningError::Gone => Self::Gone,
            OpeningError::NoRandomBytes => Self::NoRandomBytes,
            OpeningError::Storage(error) => Self::Storage(error),
        }
    }
}

impl From<VerifyError> for OpenIdRefusal {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Token(error) => Self::BadToken(error),
            VerifyError::Keys(error) => {
                tracing::warn!(%error, "cannot read the keys of the OpenID provider");
                Self::Unavailable
            }
        }
    }
}
