//! Tools: each wraps one upstream HTTP request and describes it for a model.

use crate::change::{Change, set};
use crate::closed_set::closed_set;
use crate::endpoint_url::EndpointUrl;
use crate::fault::{Fault, FaultKind, Faults};
use crate::headers::{PlainHeaders, SentHeaders};
use crate::ids::{ServerId, ToolId};
use crate::json::{self, JsonObject, Members};
use crate::parameters::ParameterMapping;
use crate::secrets::Secrets;
use crate::text;
use crate::time::Timestamp;
use crate::upstream_auth::{AuthType, Credentials};

/// Maximum number of tools of one server.
pub const TOOLS_MAX: i64 = 1000;
/// Maximum size of a schema, mapping or settings document, in bytes.
pub const DOCUMENT_MAX: usize = 256 * 1024;
/// Maximum number of subschemas in a schema, including the root.
pub const SUBSCHEMAS_MAX: usize = 1000;
/// Allowed timeouts of an upstream call, in seconds.
pub const TIMEOUT_SECS: std::ops::RangeInclusive<i64> = 1..=300;
/// Allowed cache lifetimes of a response, in seconds; 0 disables caching.
pub const CACHE_TTL_SECS: std::ops::RangeInclusive<i64> = 0..=2_592_000;
/// Allowed numbers of retries.
pub const RETRY_COUNT: std::ops::RangeInclusive<i64> = 0..=5;
/// The suffix of a copy's name.
pub const COPY_SUFFIX: &str = " (copy)";
/// Minimum sort order of a copied tool.
pub const COPY_SORT_ORDER_MIN: i64 = 99;

closed_set! {
    /// Whether AI clients see a tool.
    pub enum ToolStatus {
        /// Listed and callable.
        Active = "active",
        /// Hidden.
        Paused = "paused",
    }
}

/// Methods a tool may use, upper case.
pub const HTTP_METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
/// Encodings of a request body.
pub const BODY_TYPES: [&str; 4] = ["json", "form", "multipart", "raw"];
/// Types of upstream response: text, or a complete MCP result.
pub const RESPONSE_TYPES: [&str; 2] = ["text", "mcp"];

/// The fields of a tool that its owner sets.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// Name used in `tools/call`.
    pub name: String,
    /// Description for models.
    pub description: String,
    /// Upstream URL.
    pub endpoint_url: EndpointUrl,
    /// Upstream method, one of [`HTTP_METHODS`].
    pub http_method: String,
    /// JSON Schema of the arguments.
    pub input_schema: JsonObject,
    /// Authentication at the upstream.
    pub auth_type: AuthType,
    /// Location of each argument in the request.
    pub parameter_mapping: ParameterMapping,
    /// Static headers, with secret values masked.
    pub headers: PlainHeaders,
    /// One of [`BODY_TYPES`].
    pub body_type: String,
    /// Cache lifetime of a response, in seconds.
    pub cache_ttl: i64,
    /// Timeout of a call, in seconds.
    pub timeout: i64,
    /// Retries after the first attempt.
    pub retry_count: i64,
    /// Whether clients see it.
    pub status: ToolStatus,
    /// One of [`RESPONSE_TYPES`].
    pub response_type: String,
    /// JSON Schema of a structured result.
    pub output_schema: Option<JsonObject>,
    /// Capabilities that a client must have.
    pub required_client_capabilities: Option<JsonObject>,
    /// MCP annotations.
    pub annotations: Option<JsonObject>,
}

/// A stored tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Id.
    pub id: ToolId,
    /// The server it belongs to.
    pub server_id: ServerId,
    /// Position in `tools/list`.
    pub sort_order: i64,
    /// Incremented by every write, so that cached responses of an older version are never used.
    pub revision: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The fields set by its owner.
    pub spec: ToolSpec,
}

/// Fields of a create or update request; absent fields stay unchanged or get their default.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the fields are those of ToolSpec")]
pub struct ToolPatch {
    pub name: Option<String>,
    pub description: Option<String>,
    pub endpoint_url: Option<EndpointUrl>,
    pub http_method: Option<String>,
    pub input_schema: Option<JsonObject>,
    pub auth_type: Option<AuthType>,
    pub auth_credentials: Change<JsonObject>,
    pub parameter_mapping: Option<ParameterMapping>,
    pub headers: Option<SentHeaders>,
    pub body_type: Option<String>,
    pub cache_ttl: Option<i64>,
    pub timeout: Option<i64>,
    pub retry_count: Option<i64>,
    pub status: Option<ToolStatus>,
    pub sort_order: Option<i64>,
    pub response_type: Option<String>,
    pub output_schema: Change<JsonObject>,
    pub required_client_capabilities: Change<JsonObject>,
    pub annotations: Change<JsonObject>,
}

impl ToolSpec {
    /// A tool with default values at `endpoint_url`.
    pub fn new(name: String, endpoint_url: EndpointUrl) -> Self {
        Self {
            name,
            description: String::new(),
            endpoint_url,
            http_method: "GET".to_owned(),
            input_schema: default_input_schema(),
            auth_type: AuthType::None,
            parameter_mapping: ParameterMapping::empty(),
            headers: PlainHeaders::new(),
            body_type: "json".to_owned(),
            cache_ttl: 0,
            timeout: 30,
            retry_count: 0,
            status: ToolStatus::Active,
            response_type: "text".to_owned(),
            output_schema: None,
            required_client_capabilities: None,
            annotations: None,
        }
    }

    /// Applies a patch, and validates the parts that depend on the stored tool: a changed name, a masked header, and
    /// credentials of the stored `auth_type`.
    pub fn apply(&mut self, patch: ToolPatch, secrets: &mut Secrets) -> Result<(), Faults> {
        let mut faults = Faults::default();
        faults.ok_or_record(apply_auth(&mut self.auth_type, secrets, patch.auth_type, patch.auth_credentials));
        if let Some(headers) = patch.headers
            && let Some((plain, secret)) = faults.ok_or_record(headers.resolve("headers", &secrets.headers))
        {
            self.headers = plain;
            secrets.headers = secret;
        }
        if let Some(name) = patch.name.filter(|name| *name != self.name) {
            set(&mut self.name, faults.ok_or_record(text::identifier("name", &name)));
        }
        set(&mut self.description, patch.description);
        set(&mut self.endpoint_url, patch.endpoint_url);
        set(&mut self.http_method, patch.http_method);
        set(&mut self.input_schema, patch.input_schema);
        set(&mut self.parameter_mapping, patch.parameter_mapping);
        set(&mut self.body_type, patch.body_type);
        set(&mut self.cache_ttl, patch.cache_ttl);
        set(&mut self.timeout, patch.timeout);
        set(&mut self.retry_count, patch.retry_count);
        set(&mut self.status, patch.status);
        set(&mut self.response_type, patch.response_type);
        patch.output_schema.apply_to(&mut self.output_schema);
        patch.required_client_capabilities.apply_to(&mut self.required_client_capabilities);
        patch.annotations.apply_to(&mut self.annotations);
        faults.into_result(())
    }
}

/// Changes `auth_type` and credentials together: another type drops the stored credentials.
pub(crate) fn apply_auth(
    auth_type: &mut AuthType,
    secrets: &mut Secrets,
    sent_type: Option<AuthType>,
    sent_credentials: Change<JsonObject>,
) -> Result<(), Faults> {
    if let Some(sent) = sent_type
        && sent != *auth_type
    {
        *auth_type = sent;
        secrets.credentials = None;
    }
    match sent_credentials {
        Change::Keep => {}
        Change::Clear => secrets.credentials = None,
        Change::Set(object) => secrets.credentials = Credentials::parse(*auth_type, &object)?,
    }
    Ok(())
}

/// The schema of a tool without arguments.
pub fn default_input_schema() -> JsonObject {
    JsonObject::from_stored(r#"{"type":"object","properties":{},"required":[]}"#.to_owned())
}

/// Validates a schema whose root must be `type: object`; adds the type if it is missing.
pub fn object_schema(field: &str, schema: &JsonObject) -> Result<JsonObject, Fault> {
    if schema.as_str().len() > DOCUMENT_MAX {
        return Err(Fault::too_long(field, DOCUMENT_MAX, "bytes"));
    }
    let members = schema.members();
    if members.is_empty() {
        return Ok(default_input_schema());
    }
    match members.get("type") {
        None => {
            let mut typed_members = Members::from_iter([("type".to_owned(), json::raw_string("object"))]);
            typed_members.extend(members);
            Ok(JsonObject::from_members(&typed_members))
        }
        Some(kind) if json::as_string(kind).as_deref() == Some("object") => Ok(schema.clone()),
        Some(_) => Err(Fault::new(
            field,
            FaultKind::InvalidValue,
            format!("{field} must have \"type\": \"object\" at its root, because arguments are an object."),
        )),
    }
}

/// The name for a copy of `name` that is not taken yet.
pub fn copy_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut copy = format!("{name}{COPY_SUFFIX}");
    while is_taken(&copy) {
        copy.push_str(COPY_SUFFIX);
    }
    copy
}

/// Validates a name that a tool may have: a valid new name, or the name of a copy. [`ToolSpec::apply`] rejects the name
/// of a copy unless the tool already has it, so that a stored name can always be sent again.
pub fn stored_name(field: &str, text: &str) -> Result<String, Fault> {
    text::identifier(field, text.trim_end_matches(COPY_SUFFIX)).map(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_a_copy_has_the_suffix_twice() {
        assert_eq!(copy_name("x", |_| false), "x (copy)");
        assert_eq!(copy_name("x", |n| n == "x (copy)"), "x (copy) (copy)");
    }

    #[test]
    fn the_name_of_a_copy_can_be_sent_again_but_not_chosen() {
        let mut spec = ToolSpec::new("x (copy)".into(), EndpointUrl::parse("u", "https://a.example/").unwrap());
        let mut rename = |name: &str| {
            let name = Some(stored_name("name", name)?);
            spec.apply(ToolPatch { name, ..ToolPatch::default() }, &mut Secrets::default())
        };
        assert!(rename("x (copy)").is_ok());
        for bad in ["y (copy)", "x (copy) (copy)", " (copy)", "a b"] {
            assert!(rename(bad).is_err(), "{bad:?}");
        }
        assert!(rename("y").is_ok());
        assert!(rename("x (copy)").is_err());
    }

    #[test]
    fn a_schema_without_a_root_type_gets_the_type_object() {
        let schema = |text: &str| object_schema("s", &JsonObject::from_stored(text.to_owned()));
        assert_eq!(schema("{}").unwrap().as_str(), r#"{"type":"object","properties":{},"required":[]}"#);
        assert_eq!(
            schema(r#"{"properties":{"a":{}}}"#).unwrap().as_str(),
            r#"{"type":"object","properties":{"a":{}}}"#
        );
        assert!(schema(r#"{"type":"array"}"#).is_err());
    }

    #[test]
    fn another_auth_type_drops_the_old_credentials() {
        let mut spec = ToolSpec::new("t".into(), EndpointUrl::parse("u", "https://a.example/").unwrap());
        let mut secrets = Secrets::default();
        let patch = ToolPatch {
            auth_type: Some(AuthType::Bearer),
            auth_credentials: Change::Set(JsonObject::from_stored(r#"{"token":"t"}"#.into())),
            ..ToolPatch::default()
        };
        spec.apply(patch, &mut secrets).unwrap();
        assert!(secrets.credentials.is_some());
        spec.apply(ToolPatch { timeout: Some(5), ..ToolPatch::default() }, &mut secrets).unwrap();
        assert!(secrets.credentials.is_some(), "an update without credentials leaves them unchanged");
        spec.apply(ToolPatch { auth_type: Some(AuthType::Basic), ..ToolPatch::default() }, &mut secrets).unwrap();
        assert!(secrets.credentials.is_none());
    }
}
