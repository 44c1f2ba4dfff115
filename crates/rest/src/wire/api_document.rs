//! Documents that tools were imported from.

use toolgate_domain::api_document::ApiDocument;
use toolgate_domain::headers::PlainHeaders;
use toolgate_domain::json::JsonObject;
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// A document that tools of a server were imported from.
    pub(crate) struct ApiDocumentOut<'a>(document: &'a ApiDocument) {
        id: i64 = document.id.0,
        server_id: i64 = document.server_id.0,
        name: &'a str = &document.name,
        /// Null if the document was sent.
        url: Option<&'a str> = document.url.as_deref(),
        /// Headers for fetching it, with masked values.
        url_headers: &'a PlainHeaders = &document.url_headers,
        /// openapi, swagger, postman or har.
        format: &'a str = &document.format,
        /// Version of the format.
        version: &'a str = &document.version,
        /// Title of the API.
        title: &'a str = &document.title,
        sha256: &'a str = &document.sha256,
        /// Number of the newest version; the last 5 are stored.
        revision: i64 = document.revision,
        /// Changes to the tools, by operation.
        overlay: &'a JsonObject = &document.overlay,
        /// Arguments of the import.
        options: &'a JsonObject = &document.options,
        /// Names of the tools, by operation.
        names: &'a JsonObject = &document.names,
        /// Number of tools that come from it.
        tools_count: i64 = document.tools_count,
        created_at: Timestamp = document.created_at,
        updated_at: Timestamp = document.updated_at,
    }
}
