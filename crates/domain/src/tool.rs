//! Tools: each wraps one upstream HTTP request and describes it for a model.

mod annotations;
mod origin;
mod part_rules;
mod request_rules;
mod tags;

use std::time::Duration;

use crate::change::Change;
use crate::closed_set::closed_set;
use crate::endpoint_url::EndpointUrl;
use crate::fault::{Fault, Faults};
use crate::headers::{PlainHeaders, SentHeaders};
use crate::ids::{ServerCredentialId, ServerId, ToolId};
use crate::json::{self, JsonObject, Members};
use crate::owner_fields::owner_fields;
use crate::parameters::ParameterMapping;
use crate::secrets::Secrets;
use crate::text;
use crate::time::Timestamp;
use crate::upstream_auth::{AuthType, Credentials};

pub use annotations::{parse_annotations, valid_annotations};
pub use origin::ToolOrigin;
pub use tags::{TAG_CHARS_MAX, TAGS_MAX, Tags};

/// Maximum number of tools of one server.
pub const TOOLS_MAX: i64 = 1000;
/// Maximum number of pinned tools of one server.
pub const PINNED_TOOLS_MAX: i64 = 20;
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

closed_set! {
    /// The method of an upstream request.
    pub enum HttpMethod {
        /// GET.
        Get = "GET",
        /// POST.
        Post = "POST",
        /// PUT.
        Put = "PUT",
        /// PATCH.
        Patch = "PATCH",
        /// DELETE.
        Delete = "DELETE",
        /// HEAD.
        Head = "HEAD",
        /// OPTIONS.
        Options = "OPTIONS",
        /// QUERY: safe like GET, with a body.
        Query = "QUERY",
    }
}

impl HttpMethod {
    /// Whether the scope for reading suffices for requests with this method: GET, HEAD and OPTIONS.
    pub fn only_reads(self) -> bool {
        matches!(self, Self::Get | Self::Head | Self::Options)
    }
}

closed_set! {
    /// The encoding of a request body.
    pub enum BodyType {
        /// A JSON object.
        Json = "json",
        /// URL-encoded pairs.
        Form = "form",
        /// The parts of a `multipart/form-data` body.
        Multipart = "multipart",
        /// The value of one argument.
        Raw = "raw",
    }
}

closed_set! {
    /// The type of an upstream response.
    pub enum ResponseType {
        /// Content of any type, which becomes one content block.
        Text = "text",
        /// A complete MCP result.
        Mcp = "mcp",
    }
}

owner_fields! {
    /// The fields of a tool that its owner sets.
    pub struct ToolSpec;
    /// Fields of a create or update request; absent fields stay unchanged or get their default.
    pub struct ToolPatch;
    required {
        /// Name used in `tools/call`.
        name: String,
        /// Upstream URL.
        endpoint_url: EndpointUrl,
    }
    optional {
        /// Description for models.
        description: String = String::new(),
        /// Upstream method.
        http_method: HttpMethod = HttpMethod::Get,
        /// JSON Schema of the arguments.
        input_schema: JsonObject = default_input_schema(),
        /// Location of each argument in the request.
        parameter_mapping: ParameterMapping = ParameterMapping::empty(),
        /// Encoding of the request body.
        body_type: BodyType = BodyType::Json,
        /// Whether a method that has a body sends one even if a call has no arguments for it.
        body_required: bool = true,
        /// Cache lifetime of a response, in whole seconds; zero disables caching.
        cache_ttl: Duration = Duration::ZERO,
        /// Timeout of a call, in whole seconds.
        timeout: Duration = Duration::from_secs(30),
        /// Retries after the first attempt.
        retry_count: i64 = 0,
        /// Whether clients see it.
        status: ToolStatus = ToolStatus::Active,
        /// Tags by which its owner finds it.
        tags: Tags = Tags::default(),
        /// Type of the upstream response.
        response_type: ResponseType = ResponseType::Text,
        /// Whether `tools/list` contains it even if clients search the server for tools.
        pinned: bool = false,
    }
    nullable {
        /// JSON Schema of a structured result.
        output_schema: JsonObject,
        /// Capabilities that a client must have.
        required_client_capabilities: JsonObject,
        /// MCP annotations.
        annotations: JsonObject,
        /// How responses are shortened for models; `None` for the default of the server, `{}` for not at all.
        shaping: JsonObject,
    }
    resolved {
        /// Authentication at the upstream. Another type drops the stored credentials.
        auth_type: AuthType = AuthType::None, from Option<AuthType>;
        /// Static headers, with secret values masked.
        headers: PlainHeaders = PlainHeaders::new(), from Option<SentHeaders>;
    }
    patch_only {
        /// Credentials for the upstream; an empty object clears the stored ones.
        auth_credentials: Option<JsonObject>,
        /// Name of the credential of its server that the tool uses instead of its own; `null` for its own.
        credential: Change<String>,
        /// Position in `tools/list`.
        sort_order: Option<i64>,
    }
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
    /// The credential of its server that it uses instead of its own.
    pub credential_id: Option<ServerCredentialId>,
    /// Name of that credential.
    pub credential: Option<String>,
    /// Incremented by every write, also of its credential, so that cached responses of an older version are never used.
    pub revision: i64,
    /// The operation that it was imported from; `None` for a tool that was made by hand.
    pub origin: Option<ToolOrigin>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The fields set by its owner.
    pub spec: ToolSpec,
}

/// The credential of its server that a tool uses.
#[derive(Clone, Debug)]
pub struct AttachedCredential {
    /// Id.
    pub id: ServerCredentialId,
    /// Name.
    pub name: String,
    /// Its type, which is also that of the tool.
    pub auth_type: AuthType,
    /// Its secret values, to check the API keys in the URL. `None` if that check is not needed or they cannot be read.
    pub credentials: Option<Credentials>,
}

impl ToolSpec {
    /// Whether a call only reads: its annotation `readOnlyHint` says so, or, without that, its method does.
    pub fn only_reads(&self) -> bool {
        let hint = self.annotations.as_ref().and_then(annotations::read_only_hint);
        hint.unwrap_or_else(|| self.http_method.only_reads())
    }

    /// Applies a patch to a tool with its own credentials. See [`Self::apply_with_credential`].
    pub fn apply(&mut self, patch: ToolPatch, secrets: &mut Secrets) -> Result<(), Faults> {
        self.apply_with_credential(patch, secrets, None)
    }

    /// Applies a patch, and validates the parts that depend on the stored tool: a changed name, a masked header,
    /// credentials of the stored `auth_type`, and fields that must fit each other. `attached` is the credential of the
    /// server that the tool uses after the change.
    pub fn apply_with_credential(
        &mut self,
        mut patch: ToolPatch,
        secrets: &mut Secrets,
        attached: Option<&AttachedCredential>,
    ) -> Result<(), Faults> {
        let before = self.clone();
        let mut faults = Faults::default();
        let credentials = patch.auth_credentials.take();
        faults.ok_or_record(match attached {
            None => apply_auth(&mut self.auth_type, secrets, patch.auth_type, credentials),
            Some(attached) => {
                secrets.credentials = None;
                self.auth_type = attached.auth_type;
                attached.check_patch(patch.auth_type, credentials.as_ref())
            }
        });
        if let Some(headers) = patch.headers.take()
            && let Some((plain, secret)) = faults.ok_or_record(headers.resolve("headers", &secrets.headers))
        {
            self.headers = plain;
            secrets.headers = secret;
        }
        let new_name = patch.name.take().filter(|name| *name != self.name);
        patch.name = new_name.and_then(|name| faults.ok_or_record(text::identifier("name", &name)));
        self.apply_fields(patch);
        faults.ok_or_record(request_rules::check_mapping(self, &before));
        let path_keys = match attached {
            None => {
                let own = secrets.credentials.as_ref();
                own.map_or(Ok(()), |credentials| request_rules::check_path_keys(self, &before, credentials))
            }
            Some(attached) => {
                let shared = attached.credentials.as_ref();
                shared.map_or(Ok(()), |credentials| self.check_fit("credential", credentials))
            }
        };
        faults.ok_or_record(path_keys);
        faults.into_result(())
    }

    /// Checks that the API keys of a credential of the server fit the URL of this tool. The fault names `field`.
    pub fn check_fit(&self, field: &str, credentials: &Credentials) -> Result<(), Faults> {
        request_rules::check_attached_path_keys(field, self, credentials)
    }
}

impl AttachedCredential {
    /// Refuses fields that contradict the credential.
    fn check_patch(&self, sent_type: Option<AuthType>, sent_credentials: Option<&JsonObject>) -> Result<(), Faults> {
        let (name, auth_type) = (&self.name, self.auth_type.as_str());
        let mut faults = Faults::default();
        if sent_type.is_some_and(|sent| sent != self.auth_type) {
            let message = format!(
                "auth_type must be {auth_type}, the type of the credential '{name}' that the tool uses, or not be \
                 sent; credential: null ends the use of that credential."
            );
            faults.push(Fault::invalid_value("auth_type", message));
        }
        if sent_credentials.is_some() {
            for field in ["auth_credentials", "credential"] {
                let message = format!(
                    "{field}: auth_credentials cannot be combined with credential, and the tool uses the credential \
                     '{name}' of its server. Send credential: null to store auth_credentials in the tool."
                );
                faults.push(Fault::invalid_value(field, message));
            }
        }
        faults.into_result(())
    }
}

impl ToolPatch {
    /// Whether the stored credentials must be known to validate this patch: an API key can be part of the URL.
    pub fn depends_on_credentials(&self) -> bool {
        self.endpoint_url.is_some() || self.input_schema.is_some() || self.parameter_mapping.is_some()
    }
}

/// Changes `auth_type` and credentials together: another type drops the stored credentials.
pub(crate) fn apply_auth(
    auth_type: &mut AuthType,
    secrets: &mut Secrets,
    sent_type: Option<AuthType>,
    sent_credentials: Option<JsonObject>,
) -> Result<(), Faults> {
    if let Some(sent) = sent_type
        && sent != *auth_type
    {
        *auth_type = sent;
        secrets.credentials = None;
    }
    if let Some(object) = sent_credentials {
        secrets.credentials = Credentials::parse(*auth_type, &object)?;
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
        Some(_) => Err(Fault::invalid_value(
            field,
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
            auth_credentials: Some(JsonObject::from_stored(r#"{"token":"t"}"#.into())),
            ..ToolPatch::default()
        };
        spec.apply(patch, &mut secrets).unwrap();
        assert!(secrets.credentials.is_some());
        spec.apply(ToolPatch { timeout: Some(Duration::from_secs(5)), ..ToolPatch::default() }, &mut secrets).unwrap();
        assert!(secrets.credentials.is_some(), "an update without credentials leaves them unchanged");
        spec.apply(ToolPatch { auth_type: Some(AuthType::Basic), ..ToolPatch::default() }, &mut secrets).unwrap();
        assert!(secrets.credentials.is_none());
    }

    #[test]
    fn a_credential_of_the_server_sets_the_type_of_a_tool_and_replaces_its_own_credentials() {
        let mut spec = ToolSpec::new("t".into(), EndpointUrl::parse("u", "https://a.example/").unwrap());
        let own = JsonObject::from_stored(r#"{"token":"t"}"#.into());
        let with_own = ToolPatch {
            auth_type: Some(AuthType::Bearer),
            auth_credentials: Some(own.clone()),
            ..ToolPatch::default()
        };
        let mut secrets = Secrets::default();
        spec.apply(with_own, &mut secrets).unwrap();
        let attached = AttachedCredential {
            id: ServerCredentialId(1),
            name: "shared".to_owned(),
            auth_type: AuthType::ApiKey,
            credentials: None,
        };
        let mut apply = |patch: ToolPatch| spec.apply_with_credential(patch, &mut secrets, Some(&attached));
        apply(ToolPatch::default()).unwrap();
        apply(ToolPatch { auth_type: Some(AuthType::ApiKey), ..ToolPatch::default() }).unwrap();
        let refused =
            apply(ToolPatch { auth_type: Some(AuthType::None), auth_credentials: Some(own), ..ToolPatch::default() });
        let faults = refused.unwrap_err();
        let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["auth_type", "auth_credentials", "credential"]);
        assert_eq!(spec.auth_type, AuthType::ApiKey);
        assert!(secrets.credentials.is_none());
    }

    #[test]
    fn a_tool_only_reads_if_its_annotation_or_else_its_method_says_so() {
        let mut spec = ToolSpec::new("t".into(), EndpointUrl::parse("u", "https://a.example/").unwrap());
        for (annotations, method, expected) in [
            (None, HttpMethod::Get, true),
            (None, HttpMethod::Options, true),
            (None, HttpMethod::Post, false),
            (Some("{}"), HttpMethod::Delete, false),
            (Some(r#"{"readOnlyHint":null}"#), HttpMethod::Head, true),
            (Some(r#"{"readOnlyHint":true}"#), HttpMethod::Post, true),
            (Some(r#"{"readOnlyHint":false}"#), HttpMethod::Get, false),
        ] {
            spec.annotations = annotations.map(|text| JsonObject::from_stored(text.into()));
            spec.http_method = method;
            assert_eq!(spec.only_reads(), expected, "{annotations:?} {method:?}");
        }
    }
}
