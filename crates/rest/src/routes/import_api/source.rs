//! The document of an import: sent with the request, or fetched.

use bytes::Bytes;
use toolgate_domain::api_document::DOCUMENT_BYTES_MAX;
use toolgate_domain::call::FailureReason;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::headers::{SecretHeaders, SentHeaders};
use toolgate_domain::json::JsonObject;
use toolgate_execution::egress::EgressRule;
use url::Url;

use super::arguments::DocumentLocation;
use super::stored_url::check_stored_url;
use crate::error::RestError;
use crate::request::ApiRequest;
use crate::routes::destinations;

/// A document with the URL and headers to fetch it again.
pub(super) struct DocumentSource {
    pub(super) content: Bytes,
    /// Where it was fetched, or the URL that was sent with it.
    pub(super) url: Option<String>,
    /// The headers that were sent for fetching it.
    pub(super) url_headers: Option<SentHeaders>,
}

/// Where the document of a request is.
pub(super) struct SourceArgs<'a> {
    pub(super) location: Option<DocumentLocation>,
    pub(super) url: Option<String>,
    pub(super) url_headers: Option<&'a JsonObject>,
    /// The headers of a stored document, unless others are sent.
    pub(super) stored_headers: SecretHeaders,
    /// Whether the URL is stored with the document.
    pub(super) is_stored: bool,
}

/// Takes the document from the request, or fetches it.
pub(super) async fn load(
    request: &ApiRequest,
    args: SourceArgs<'_>,
    upload: Option<Bytes>,
) -> Result<DocumentSource, RestError> {
    let url = args.url.filter(|url| !url.is_empty());
    if let Some(url) = &url {
        check_document_url("url", url, &request.context.config.egress)?;
        if args.is_stored {
            check_stored_url("url", url, "url_headers")?;
        }
    }
    let url_headers = match args.url_headers {
        Some(headers) => Some(SentHeaders::parse("url_headers", headers)?),
        None => None,
    };
    let content = match (args.location, upload, &url) {
        (Some(DocumentLocation::Url), _, None) => return Err(RestError::missing_params(&["url"])),
        (Some(DocumentLocation::File), None, _) => return Err(RestError::missing_params(&["file"])),
        (Some(DocumentLocation::Text), None, _) | (None, None, None) => {
            return Err(RestError::missing_document());
        }
        (Some(DocumentLocation::Url), _, Some(url)) | (None, None, Some(url)) => {
            fetch(request, url, url_headers.clone(), args.stored_headers).await?
        }
        (_, Some(content), _) => content,
    };
    if content.len() > DOCUMENT_BYTES_MAX {
        return Err(RestError::document_too_large(DOCUMENT_BYTES_MAX));
    }
    Ok(DocumentSource { content, url, url_headers })
}

/// Checks the URL of a document.
pub(in crate::routes) fn check_document_url(field: &str, text: &str, egress: &EgressRule) -> Result<(), Faults> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let Some(url) = url else {
        return Err(Fault::invalid_value(field, format!("{field} must be an absolute http or https URL.")).into());
    };
    if !url.username().is_empty() || url.password().is_some() {
        let message = format!("{field} must not contain a user name or password; send them in url_headers.");
        return Err(Fault::invalid_value(field, message).into());
    }
    egress.check_url(&url).map_err(|blocked| destinations::refusal(field, &blocked).into())
}

/// Fetches a document through the guarded client of the tools.
async fn fetch(
    request: &ApiRequest,
    url: &str,
    sent: Option<SentHeaders>,
    stored: SecretHeaders,
) -> Result<Bytes, RestError> {
    let headers = match sent {
        Some(headers) => headers.resolve_secret("url_headers", &stored)?.1,
        None => stored,
    };
    let mut url = Url::parse(url).map_err(|error| Fault::invalid_value("url", format!("url: {error}.")))?;
    url.set_fragment(None);
    let response = request.context.services.executor.fetch_document(url.as_str(), &headers).await;
    let response = response.map_err(|error| {
        let message = match error.reason() {
            FailureReason::TooLarge => format!("url: the document is larger than {DOCUMENT_BYTES_MAX} bytes."),
            _ => format!("url: {}. {}", error.to_string().trim_end_matches('.'), error.advice()),
        };
        RestError::document_unavailable(error.reason(), &message)
    })?;
    let status = response.status;
    if !status.is_success() {
        let reason = if status.is_server_error() { FailureReason::Upstream5xx } else { FailureReason::Upstream4xx };
        let message =
            format!("url: the server responded with status {}. Check the URL and url_headers.", status.as_u16());
        return Err(RestError::document_unavailable(reason, &message));
    }
    Ok(response.body)
}
