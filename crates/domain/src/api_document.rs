//! Descriptions of APIs (OpenAPI documents and others) from which tools of a server were imported.

use url::Url;

use crate::change::Change;
use crate::headers::{PlainHeaders, SentHeaders};
use crate::ids::{DocumentId, ServerId};
use crate::json::JsonObject;
use crate::time::Timestamp;

/// Maximum number of documents of one server.
pub const DOCUMENTS_MAX: i64 = 100;
/// How many versions of a document are stored; older ones are deleted.
pub const DOCUMENT_VERSIONS_MAX: i64 = 5;
/// Maximum size of a document, in bytes.
pub const DOCUMENT_BYTES_MAX: usize = 10 * 1024 * 1024;

/// A stored document, without its content.
#[derive(Clone, Debug)]
pub struct ApiDocument {
    /// Id.
    pub id: DocumentId,
    /// The server whose tools were imported from it.
    pub server_id: ServerId,
    /// Name given by the owner.
    pub name: String,
    /// The URL it was fetched from; `None` if it was sent in a request.
    pub url: Option<String>,
    /// The headers for fetching it, with masked values.
    pub url_headers: PlainHeaders,
    /// The format, such as `openapi`.
    pub format: String,
    /// The version of the format.
    pub version: String,
    /// The title of the API.
    pub title: String,
    /// Digest of the newest version.
    pub sha256: String,
    /// Number of the newest version, from 1.
    pub revision: i64,
    /// Changes to the tools, by operation.
    pub overlay: JsonObject,
    /// Arguments of the import: filters, server, names, schema.
    pub options: JsonObject,
    /// Names that were given to tools, by operation.
    pub names: JsonObject,
    /// How many tools of the server came from it.
    pub tools_count: i64,
    /// When it was first imported.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl ApiDocument {
    /// Whether the stored headers for fetching the document may stay when its URL changes to `url`: they are sent only
    /// to the scheme, host and port for which they were set. Without a URL they are not sent at all.
    pub fn keeps_headers_for(&self, url: Option<&str>) -> bool {
        let origin = |url: &str| Url::parse(url).ok().map(|url| url.origin());
        match (self.url.as_deref(), url) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(old), Some(new)) => old == new || origin(old).is_some_and(|old| Some(old) == origin(new)),
        }
    }
}

/// Changes to a document.
#[derive(Clone, Debug, Default)]
pub struct DocumentPatch {
    /// The name.
    pub name: Option<String>,
    /// The URL to fetch it from.
    pub url: Change<String>,
    /// The headers for fetching it; a mask keeps the stored value.
    pub url_headers: Option<SentHeaders>,
    /// Changes to the tools, by operation.
    pub overlay: Option<JsonObject>,
}
