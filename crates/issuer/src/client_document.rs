//! Metadata documents of clients: a client whose id is a URL is described by the document at that URL. Only the host of
//! the URL is proven; everything in the document is a claim of that host.

use serde_json::{Map, Value};
use toolgate_domain::oauth::client::{ClientAuthMethod, ClientKind, ClientStatus, NewOAuthClient, OAuthClient};
use toolgate_domain::time::Timestamp;
use toolgate_execution::metadata::{MetadataDocument, MetadataError};
use toolgate_storage::StorageError;
use url::Url;

use crate::client_metadata::{ClientMetadata, MetadataFault};
use crate::context::IssuerContext;
use crate::lifetimes::STALE_DOCUMENT_MS;
use crate::outage::outage_text;

/// The longest id of a client, in bytes.
const CLIENT_ID_BYTES_MAX: usize = 2048;

/// Why there is no client for a URL. The text is for the page that a person sees.
#[derive(Debug)]
pub(crate) enum ClientDocumentError {
    /// The URL cannot be the id of a client.
    BadUrl,
    /// The document could not be fetched.
    Fetch(MetadataError),
    /// The document does not describe a client that can be used.
    Document(MetadataFault),
    /// The database failed.
    Storage(StorageError),
}

impl std::fmt::Display for ClientDocumentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BadUrl => f.write_str(
                "The client_id is not the URL of a metadata document: it must be an https URL with a path, without user, \
                 query, fragment and dot segments.",
            ),
            Self::Fetch(error) => write!(f, "The metadata document of the program could not be read. {error}"),
            Self::Document(fault) => write!(f, "The metadata document of the program is not valid: {}.", fault.description),
            Self::Storage(error) => f.write_str(outage_text(error)),
        }
    }
}

impl From<StorageError> for ClientDocumentError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

/// Whether a `client_id` names a metadata document. Ids that this service issues contain no colon.
pub(crate) fn is_document_id(client_id: &str) -> bool {
    client_id.contains(':')
}

/// The client that the document at `url` describes. The document is fetched unless the stored copy is fresh; if the
/// fetch fails, the copy is used until seven days after it was fetched. Call this only for a person who has signed in:
/// unauthenticated requests must not make the service fetch documents.
pub(crate) async fn resolve(
    context: &IssuerContext,
    url: &str,
    now: Timestamp,
) -> Result<OAuthClient, ClientDocumentError> {
    check_url(url)?;
    let stored = context.storage.client_by_identifier(url).await?;
    let cache = &context.document_cache;
    // The caller refuses a blocked client; another document would not change that.
    let needs_no_fetch = |client: &OAuthClient| client.status == ClientStatus::Blocked || cache.is_fresh(url, now);
    if let Some(client) = stored.as_ref().filter(|client| needs_no_fetch(client)) {
        return Ok(client.clone());
    }
    match fetch(context, url).await {
        Ok((client, document)) => {
            let client = context.storage.save_client_document(client, now).await?;
            cache.mark_fresh(url, document.max_age, now);
            Ok(client)
        }
        Err(error) => {
            tracing::info!(%error, "the metadata document of a client could not be used");
            stored.filter(|client| is_usable(client, now)).ok_or(error)
        }
    }
}

/// The client that the stored copy of a document describes, without fetching the document.
pub(crate) async fn find_stored(
    context: &IssuerContext,
    url: &str,
    now: Timestamp,
) -> Result<Option<OAuthClient>, StorageError> {
    let stored = context.storage.client_by_identifier(url).await?;
    Ok(stored.filter(|client| is_usable(client, now)))
}

/// Whether a stored copy may be used although the document was not fetched again.
fn is_usable(client: &OAuthClient, now: Timestamp) -> bool {
    now < client.updated_at.plus_millis(STALE_DOCUMENT_MS)
}

async fn fetch(context: &IssuerContext, url: &str) -> Result<(NewOAuthClient, MetadataDocument), ClientDocumentError> {
    let fetched = context.document_cache.client.fetch(url).await;
    let document = fetched.map_err(ClientDocumentError::Fetch)?;
    let client = parse(&document.body, url, &context.config.redirect_schemes).map_err(ClientDocumentError::Document)?;
    Ok((client, document))
}

/// The URL must be written as a URL parser writes it, so that the text that is stored and compared is the address that
/// is fetched: no dot segments, no default port, no capital letters in the host, no user.
pub(crate) fn check_url(text: &str) -> Result<(), ClientDocumentError> {
    let url = Url::parse(text).ok().filter(|url| text.len() <= CLIENT_ID_BYTES_MAX && url.as_str() == text);
    let is_allowed = |url: &Url| {
        let has_user = !url.username().is_empty() || url.password().is_some();
        url.scheme() == "https"
            && url.path().len() > 1
            && url.query().is_none()
            && url.fragment().is_none()
            && !has_user
    };
    if url.as_ref().is_some_and(is_allowed) { Ok(()) } else { Err(ClientDocumentError::BadUrl) }
}

fn parse(body: &[u8], url: &str, schemes: &[String]) -> Result<NewOAuthClient, MetadataFault> {
    let Ok(Value::Object(object)) = serde_json::from_slice::<Value>(body) else {
        return Err(MetadataFault::new("it is not a JSON object"));
    };
    if object.get("client_id").and_then(Value::as_str) != Some(url) {
        return Err(MetadataFault::new("its client_id is not its own URL"));
    }
    check_authentication(&object)?;
    let metadata = ClientMetadata::parse(&object, schemes)?;
    Ok(NewOAuthClient {
        client_id: url.to_owned(),
        kind: ClientKind::MetadataDocument,
        name: metadata.name.ok_or(MetadataFault::new("client_name is missing"))?,
        redirect_uris: metadata.redirect_uris,
        auth_method: ClientAuthMethod::None,
        secret_hash: None,
    })
}

/// A document that everyone can read cannot have a secret.
fn check_authentication(object: &Map<String, Value>) -> Result<(), MetadataFault> {
    if object.contains_key("client_secret") || object.contains_key("client_secret_expires_at") {
        return Err(MetadataFault::new("it must not have a client_secret"));
    }
    match object.get("token_endpoint_auth_method") {
        None | Some(Value::Null) => Ok(()),
        Some(Value::String(method)) if method == ClientAuthMethod::None.as_str() => Ok(()),
        Some(_) => Err(MetadataFault::new("token_endpoint_auth_method must be none")),
    }
}

#[cfg(test)]
mod tests;
