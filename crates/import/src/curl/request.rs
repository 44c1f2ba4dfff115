//! What a curl command would send.

use std::fmt;

use domain::json;
use domain::upstream_auth::{AuthType, Credentials};
use indexmap::IndexMap;
use serde_json::value::RawValue;

use super::body::Body;
use super::warnings::Warnings;

/// What one curl command would send.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// In capitals, where it is a method that tools have.
    pub(super) method: String,
    pub(super) url: Url,
    /// By name as it was typed first; without what became credentials.
    pub(super) headers: IndexMap<String, String>,
    pub(super) credentials: Option<Credentials>,
    pub(super) body: Body,
    /// The Content-Type that curl adds to this body of its own accord; it is not among the headers.
    pub(super) implied_content_type: Option<&'static str>,
    /// Seconds, within the bounds of a tool's.
    pub(super) timeout: Option<i64>,
    pub(super) warnings: Warnings,
}

/// An address without userinfo, fragment and key. Its braces are placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Url {
    /// Scheme, host, port and path, as typed.
    pub(super) base: String,
    /// What follows the question mark; `None` without one.
    pub(super) query: Option<String>,
}

impl Request {
    pub(super) fn auth_type(&self) -> AuthType {
        self.credentials.as_ref().map_or(AuthType::None, Credentials::auth_type)
    }

    /// The credentials in clear, for whoever pasted them; `{}` for none.
    pub(super) fn exposed_credentials(&self) -> Box<RawValue> {
        json::raw(self.credentials.as_ref().map_or_else(|| "{}".to_owned(), |own| own.expose().to_string()))
    }
}

impl Url {
    /// The names in its braces, in order.
    pub(super) fn placeholders(&self) -> Vec<&str> {
        Vec::new()
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)?;
        self.query.as_ref().map_or(Ok(()), |query| write!(f, "?{query}"))
    }
}
