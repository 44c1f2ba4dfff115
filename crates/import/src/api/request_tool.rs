//! Tools made of the requests in a Postman collection or a recording.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgate_domain::tool::BodyType;
use toolgate_domain::upstream_auth::AuthType;

use crate::api::argument::ArgumentDraft;
use crate::api::left_out::LeftOut;
use crate::api::pointer::Pointer;
use crate::api::problem::{ApiWarning, Problem};
use crate::api::request_auth::CredentialList;

/// A tool made of requests, without its final name.
pub(crate) struct RequestTool {
    pub(crate) method: String,
    /// The path with placeholders, without a query.
    pub(crate) path: String,
    /// The part of the temporary id in addition to method and path.
    pub(crate) identity: String,
    pub(crate) pointer: Pointer,
    /// The text from which the name is derived; if it is empty, the name is derived from method and path.
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) endpoint_url: String,
    pub(crate) arguments: Vec<ArgumentDraft>,
    pub(crate) body_type: BodyType,
    pub(crate) body_required: bool,
    pub(crate) headers: IndexMap<String, String>,
    pub(crate) auth_type: AuthType,
    pub(crate) credential: Option<String>,
    pub(crate) tags: Vec<String>,
    /// Annotations that override those derived from the method.
    pub(crate) hints: Map<String, Value>,
    pub(crate) warnings: Vec<ApiWarning>,
}

/// The tools of a Postman collection or a recording, in document order.
#[derive(Default)]
pub(crate) struct RequestTools {
    /// Number of requests in the document.
    pub(crate) operations: usize,
    pub(crate) tools: Vec<RequestTool>,
    pub(crate) problems: Vec<Problem>,
    /// The origins that the tools call.
    pub(crate) servers: Vec<String>,
    pub(crate) credentials: CredentialList,
    pub(crate) left_out: LeftOut,
}

impl RequestTool {
    /// `METHOD /path`.
    pub(crate) fn operation(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}
