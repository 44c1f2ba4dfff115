//! The model of an imported HTTP request, which every importer fills in.

pub(crate) mod body;
pub(crate) mod credentials;
pub(crate) mod path;
pub(crate) mod url;
pub(crate) mod urlencoded_form;

use indexmap::IndexMap;
use toolgate_domain::upstream_auth::Credentials;

use crate::warnings::Warnings;
use body::ImportedBody;
use url::ImportedUrl;

/// The warning about a Cookie header.
pub(crate) const COOKIE_WARNING: &str =
    "The Cookie header is a browser session: it is stored as a secret and will expire.";

/// An imported HTTP request.
#[derive(Clone)]
pub(crate) struct ImportedRequest {
    /// The method; in upper case if tools support it.
    pub(crate) method: String,
    pub(crate) url: ImportedUrl,
    /// Header values by name (as first typed), without the header that became the credentials.
    pub(crate) headers: IndexMap<String, String>,
    pub(crate) credentials: Option<Credentials>,
    pub(crate) body: ImportedBody,
    /// The timeout, within the limits of a tool's timeout.
    pub(crate) timeout_secs: Option<i64>,
    pub(crate) warnings: Warnings,
}
