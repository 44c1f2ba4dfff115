//! The result of an import.

use serde::Serialize;
use serde_json::{Map, Value};
use toolgate_domain::upstream_auth::AuthType;

use crate::api::candidate::Candidate;
use crate::api::left_out::LeftOut;
use crate::api::problem::{ApiWarning, Problem};
use crate::api::request_auth::DocumentCredential;
use crate::api::text_cleaning::strip_invisible;

/// The tools that a document describes. Its JSON form is the reply of an import that is not committed.
#[derive(Debug, Serialize)]
pub struct ApiImport {
    /// `openapi`, `swagger`, `postman` or `har`.
    pub format: &'static str,
    /// The version of the format, as the document states it.
    pub version: String,
    /// Title and version of the API.
    pub info: ApiInfo,
    /// The digest of the document, in hexadecimal.
    pub document_sha256: String,
    /// The server whose URL the tools have; `None` if the document has no absolute one.
    pub server_url: Option<String>,
    /// The servers of the document.
    pub servers: Vec<ApiServer>,
    /// The credentials that tools need.
    pub security_schemes: Vec<SecurityScheme>,
    /// Counts of operations, candidates and problems.
    pub totals: ImportTotals,
    /// The tools.
    pub candidates: Vec<Candidate>,
    /// Operations that cannot be tools.
    pub problems: Vec<Problem>,
    /// Repairs of the document.
    pub warnings: Vec<ApiWarning>,
    /// All operations of the document, including those that are not candidates.
    #[serde(skip)]
    pub operations: Vec<String>,
    /// Operations and arguments that the overlay names but the document does not have: `GET /pets` or `GET /pets
    /// query:limit`.
    #[serde(skip)]
    pub overlay_orphans: Vec<String>,
    /// The credentials of the document with their secrets: to store them when the tools are created.
    #[serde(skip)]
    pub credentials: Vec<DocumentCredential>,
}

/// Title and version of an API.
#[derive(Debug, Serialize)]
pub struct ApiInfo {
    /// Its title; may be empty.
    pub title: String,
    /// Its version; may be empty.
    pub version: String,
}

/// Maximum length of a title, in characters.
const TITLE_MAX: usize = 200;
/// Maximum length of a version, in characters.
const VERSION_MAX: usize = 50;

impl ApiInfo {
    /// Removes control characters and cuts long texts, for storage.
    pub(crate) fn new(title: &str, version: &str) -> Self {
        Self { title: shown_text(title, TITLE_MAX), version: shown_version(version) }
    }
}

/// A version without control characters and cut, for storage.
pub(crate) fn shown_version(version: &str) -> String {
    shown_text(version, VERSION_MAX)
}

/// Removes invisible characters, among them U+0000, which PostgreSQL cannot store.
fn shown_text(text: &str, max: usize) -> String {
    strip_invisible(text).chars().take(max).collect()
}

/// A server of the document.
#[derive(Clone, Debug, Serialize)]
pub struct ApiServer {
    /// The URL, with its variables in braces.
    pub url: String,
    /// What the server is for.
    pub description: Option<String>,
    /// The variables by name, as the document describes them.
    pub variables: Map<String, Value>,
}

/// A credential that tools need: a security scheme of the document, or several that are used together.
#[derive(Clone, Debug, Serialize)]
pub struct SecurityScheme {
    /// The name of the credential; the names of several schemes are joined with `_and_`.
    pub name: String,
    /// The type of authentication of the tools.
    pub auth_type: AuthType,
    /// The members of `auth_credentials` that the owner has to provide.
    pub needs: Vec<&'static str>,
    /// Whether tools can authenticate with it.
    pub supported: bool,
    /// The members of `auth_credentials` that the document determines.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub auth_credentials: Map<String, Value>,
    /// The schemes that are used together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub schemes: Vec<String>,
}

/// Counts of an import.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ImportTotals {
    /// Operations of the document.
    pub operations: usize,
    /// Operations that can be tools, including those that are not listed.
    pub candidates: usize,
    /// Problems.
    pub problems: usize,
    /// Operations that a filter or the overlay leaves out.
    pub filtered: usize,
    /// Estimated tokens of all candidates.
    pub estimated_tokens: usize,
    /// Operations that are not in `candidates`, because there are too many.
    pub unlisted: usize,
    /// Webhooks, which are not imported.
    pub webhooks: usize,
    /// Parts of a collection or a recording that are not imported, by reason.
    #[serde(skip_serializing_if = "LeftOut::is_empty")]
    pub left_out: LeftOut,
}
