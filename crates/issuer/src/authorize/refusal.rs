//! Why a request or a decision ends without a code. Until client and redirect URI are validated, the person gets a
//! page; after that, the client gets the error.

use axum::response::Response;
use http::{HeaderMap, StatusCode};
use toolgate_domain::oauth::redirect_uri::RedirectUri;
use toolgate_storage::StorageError;

use crate::form::comes_from_own_page;
use crate::issuer_url::IssuerUrl;
use crate::outage::outage_text;
use crate::page_reply::{FormTargets, page, see_other, with_retry_after};
use crate::pages::{MessagePage, ReturnLink};

#[derive(Debug)]
pub(super) enum AuthorizeRefusal {
    /// The person gets a page.
    Page { status: StatusCode, title: &'static str, text: String },
    /// The client gets the error.
    Client(Box<ClientRefusal>),
    /// The database failed.
    Storage(StorageError),
}

/// An error that goes to the redirect URI.
#[derive(Debug)]
pub(super) struct ClientRefusal {
    redirect: RedirectUri,
    state: Option<String>,
    error: &'static str,
    description: &'static str,
}

impl From<StorageError> for AuthorizeRefusal {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl AuthorizeRefusal {
    /// The request or form is invalid, so that the error cannot be sent to the client.
    pub(super) fn bad_request(text: impl Into<String>) -> Self {
        Self::Page { status: StatusCode::BAD_REQUEST, title: "This request cannot be answered", text: text.into() }
    }

    /// The form is not one that this service gave to this person.
    pub(super) fn forbidden(text: impl Into<String>) -> Self {
        Self::Page { status: StatusCode::FORBIDDEN, title: "This form is not valid", text: text.into() }
    }

    pub(super) fn no_keys() -> Self {
        let text = "The service has no key to sign the form with. See its log.".to_owned();
        Self::Page { status: StatusCode::INTERNAL_SERVER_ERROR, title: "Something went wrong", text }
    }

    pub(super) fn to_client(
        redirect: &RedirectUri,
        state: Option<&str>,
        error: &'static str,
        description: &'static str,
    ) -> Self {
        let state = state.map(str::to_owned);
        Self::Client(Box::new(ClientRefusal { redirect: redirect.clone(), state, error, description }))
    }

    /// The response to a request with these headers.
    pub(super) fn into_reply(self, issuer: IssuerUrl<'_>, headers: &HeaderMap) -> Response {
        match self {
            Self::Page { status, title, text } => message(issuer.base_path(), status, title, &text),
            Self::Client(refusal) => refusal.into_reply(issuer, headers),
            Self::Storage(error) => unavailable(issuer, &error),
        }
    }
}

impl ClientRefusal {
    fn into_reply(self, issuer: IssuerUrl<'_>, headers: &HeaderMap) -> Response {
        let Self { redirect, state, error, description } = self;
        let url =
            response_url(&redirect, issuer, state.as_deref(), &[("error", error), ("error_description", description)]);
        // After a form of the sign-in page, whose policy allows redirects to this service only, the browser would not
        // follow a redirect to the client.
        if !comes_from_own_page(headers) {
            return see_other(&url);
        }
        let link = ReturnLink { url: &url, target: redirect.target().name() };
        let title = "The program gets no access";
        let html = MessagePage { base_path: issuer.base_path(), title, text: description, link: Some(link) };
        page(StatusCode::FORBIDDEN, FormTargets::OwnSite, html.to_html())
    }
}

/// The redirect URI with the parameters of the response, the unchanged `state`, and the issuer.
pub(super) fn response_url(
    redirect: &RedirectUri,
    issuer: IssuerUrl<'_>,
    state: Option<&str>,
    parameters: &[(&str, &str)],
) -> String {
    let state = state.map(|state| ("state", state));
    redirect.with_parameters(parameters.iter().copied().chain(state).chain([("iss", issuer.as_str())]))
}

/// The service has no fixed public URL.
pub(super) fn no_issuer() -> Response {
    let text = "Sign-in is not available: set TOOLGATE_BASE_URL to the public https address of the service.";
    message("", StatusCode::NOT_FOUND, "Sign-in is not available", text)
}

fn message(base_path: &str, status: StatusCode, title: &str, text: &str) -> Response {
    page(status, FormTargets::OwnSite, MessagePage { base_path, title, text, link: None }.to_html())
}

fn unavailable(issuer: IssuerUrl<'_>, error: &StorageError) -> Response {
    tracing::warn!(?error, "the database failed during an authorization request");
    let reply = message(issuer.base_path(), StatusCode::SERVICE_UNAVAILABLE, "Not available", outage_text(error));
    with_retry_after(reply, 5)
}
