//! The fields of a tool: their declaration, and the patch that a request makes.

use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use toolgate_domain::change::Change;
use toolgate_domain::endpoint_url::{EndpointUrl, URL_MAX};
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::headers::SentHeaders;
use toolgate_domain::json::JsonObject;
use toolgate_domain::parameters::{LOCATIONS, ParameterMapping, ParameterStyle};
use toolgate_domain::server_credential::CREDENTIAL_NAME_MAX;
use toolgate_domain::shaping::Shaping;
use toolgate_domain::text::{self, DESCRIPTION_MAX, IDENTIFIER_MAX, IDENTIFIER_PATTERN};
use toolgate_domain::tool::{
    BodyType, CACHE_TTL_SECS, HttpMethod, RETRY_COUNT, ResponseType, TAG_CHARS_MAX, TAGS_MAX, TIMEOUT_SECS, Tags,
    ToolPatch, ToolStatus, object_schema, parse_annotations, stored_name,
};
use toolgate_domain::upstream_auth::AuthType;
use toolgate_execution::arguments::{InputSchema, SchemaError, mirrored_headers};
use toolgate_execution::egress::EgressRule;

use super::destinations;
use crate::blocking;
use crate::params::{Items, arguments, typed_arg as arg};

arguments! {
    /// The fields of a tool in a create or update request.
    pub(super) struct ToolFields checked by patch into ToolPatch with egress {
        name: Option<String> = arg::text(usize::MAX, "Name used in tools/call.")
            .with_schema(json!({"pattern": IDENTIFIER_PATTERN, "minLength": 1, "maxLength": IDENTIFIER_MAX}))
            .required_on_create()
            => stored_name,
        endpoint_url: Option<String> =
            arg::text_with_rule(URL_MAX, "Upstream URL; {param} placeholders are allowed after the host.")
                .required_on_create()
                => |name, url: &str| endpoint_url(name, url, egress),
        description: Option<String> = arg::text(DESCRIPTION_MAX, "Description for AI clients.") => text::description,
        http_method: Option<HttpMethod> =
            arg::one_of_uppercase::<HttpMethod>("Method of the upstream request.").default("GET"),
        input_schema: Option<JsonObject> =
            arg::object("JSON Schema of the arguments; its root must have type object.") => input_schema,
        auth_type: Option<AuthType> = arg::one_of::<AuthType>("Authentication at the upstream."),
        auth_credentials: Option<JsonObject> =
            arg::object(CREDENTIALS).with_schema(json!({"type": ["object", "null"]})),
        credential: Change<String> =
            arg::text(CREDENTIAL_NAME_MAX, "Name of a credential of the server, instead of auth_credentials.").nullable(),
        parameter_mapping: Option<JsonObject> =
            arg::object(MAPPING)
                .with_schema(json!({"additionalProperties": mapping_rule_schema()}))
                => ParameterMapping::parse,
        headers: Option<JsonObject> =
            arg::object(HEADERS).with_schema(json!({"additionalProperties": {"type": "string"}})) => SentHeaders::parse,
        body_type: Option<BodyType> = arg::one_of::<BodyType>("Encoding of the request body."),
        body_required: Option<bool> =
            arg::boolean("Whether a body is sent even if a call has no arguments for it.").default(true),
        cache_ttl: Option<Duration> =
            arg::integer(&CACHE_TTL_SECS, "Seconds that a response is cached; 0 turns caching off."),
        timeout: Option<Duration> =
            arg::integer(&TIMEOUT_SECS, "Seconds a call may take, from connecting to the last byte."),
        retry_count: Option<i64> =
            arg::integer(&RETRY_COUNT, "Retries after the first attempt, for calls that are safe to repeat."),
        sort_order: Option<i64> = arg::integer(&(0..=i64::from(i32::MAX)), "Position in tools/list."),
        status: Option<ToolStatus> = arg::one_of::<ToolStatus>("Whether AI clients see the tool."),
        tags: Option<Vec<Box<RawValue>>> =
            arg::array(Items::Strings, "Tags by which you find the tool; clients do not see them.")
                .with_schema(json!({
                    "items": {"type": "string", "minLength": 1, "maxLength": TAG_CHARS_MAX},
                    "maxItems": TAGS_MAX,
                    "uniqueItems": true,
                }))
                => Tags::parse,
        response_type: Option<ResponseType> =
            arg::one_of::<ResponseType>("Type of the upstream response: text, or a complete MCP result."),
        output_schema: Change<JsonObject> = arg::object("JSON Schema of a structured result.").nullable() => output_schema,
        required_client_capabilities: Change<JsonObject> =
            arg::object("Capabilities a client must have declared.").nullable(),
        annotations: Change<JsonObject> = arg::object("MCP annotations.").nullable() => parse_annotations,
        shaping: Change<JsonObject> = arg::object(SHAPING).nullable() => shaping,
        pinned: Option<bool> =
            arg::boolean("Whether the tool is in the list of a server whose clients search for tools.").default(false),
    }
}

pub(super) const CREDENTIALS: &str = "Write-only. bearer: token; basic: username, password; api-key: key_name, key_value, \
     key_location (header, query, path or cookie), or keys, a list of up to 8 of these; oauth2: token_url, client_id, \
     client_secret, scope. bearer, basic and oauth2 can have keys as well. Null leaves them unchanged; {} or another auth_type clears them.";
const MAPPING: &str = "Location of each argument in the request: {location, name?, parent?, whole?, style?, explode?, \
     allow_reserved?, file?, content_type?, headers?}. A rule with value is a constant.";
const SHAPING: &str = "How responses are shortened for models: {fields?, omit?, drop_empty?, tables?, html?, blobs?, \
     max_tokens?, overflow_minutes?, wrap?}. Null uses the default of the server; {} leaves responses as they are.";
const HEADERS: &str =
    "Static upstream headers. Secret values are returned as ********; sending that value leaves them unchanged.";

pub(super) fn mapping_rule_schema() -> Value {
    json!({"type": "object", "required": ["location"], "additionalProperties": false, "properties": {
        "location": {"type": "string", "enum": LOCATIONS},
        "name": {"type": "string", "description": "Name in the request; the key of the rule by default."},
        "value": {"description": "Any JSON value that is sent with every call. The key of the rule is not an argument."},
        "parent": {"type": "string", "description": "Object in a JSON body that contains the value."},
        "whole": {"type": "boolean", "description": "Whether the value is the whole body."},
        "style": {"type": "string", "enum": ParameterStyle::NAMES, "description": "Style of OpenAPI for lists and objects."},
        "explode": {"type": "boolean", "description": "Whether items and members are sent one by one."},
        "allow_reserved": {"type": "boolean", "description": "Whether reserved URL characters are sent unencoded."},
        "file": {"type": "boolean", "description": "Whether the value is a file: {text or base64, filename?, media_type?}."},
        "content_type": {"type": "string", "description": "Media type of a part of a multipart body."},
        "headers": {"type": "object", "additionalProperties": {"type": "string"},
            "description": "Further headers of a part of a multipart body."}}})
}

impl ToolFields {
    /// The patch that the request makes. Checks that need the egress rule or the schema compiler are made here, the
    /// others by the domain.
    pub(super) fn patch(self, egress: &EgressRule) -> Result<ToolPatch, Faults> {
        let mut faults = Faults::default();
        if let Some(credentials) = &self.auth_credentials {
            faults.ok_or_record(destinations::check_credentials("auth_credentials", &credentials.to_value(), egress));
        }
        let patch = self.into_patch(&mut faults, egress);
        faults.into_result(patch)
    }
}

fn input_schema(name: &str, sent: &JsonObject) -> Result<JsonObject, Fault> {
    let schema = object_schema(name, sent)?;
    check_schema(name, &schema, InputSchema::compile)?;
    mirrored_headers(&schema.to_value()).map_err(|reason| Fault::invalid_value(name, format!("{name}: {reason}.")))?;
    Ok(schema)
}

fn output_schema(name: &str, sent: &JsonObject) -> Result<JsonObject, Fault> {
    check_schema(name, sent, InputSchema::compile_value).map(|()| sent.clone())
}

fn shaping(name: &str, sent: &JsonObject) -> Result<JsonObject, Faults> {
    Shaping::parse(sent).map(|_| sent.clone()).map_err(|faults| faults.inside(name))
}

fn endpoint_url(name: &str, text: &str, egress: &EgressRule) -> Result<EndpointUrl, Fault> {
    let url = EndpointUrl::parse(name, text)?;
    if let Some(sample) = url.sample() {
        egress.check_url(&sample).map_err(|blocked| destinations::refusal(name, &blocked))?;
    }
    Ok(url)
}

type SchemaCompiler = fn(&serde_json::Value) -> Result<InputSchema, SchemaError>;

/// Largest schema, in bytes, that is compiled inline: this takes less than a millisecond.
const INLINE_BYTES_MAX: usize = 4 * 1024;

/// Checks that a schema compiles.
fn check_schema(name: &str, schema: &JsonObject, compile: SchemaCompiler) -> Result<(), Fault> {
    let (source, schema) = (schema.as_str(), schema.to_value());
    text::document(name, &schema)?;
    // A short schema can still take a tenth of a second if it has a large `pattern` or `patternProperties`.
    let is_quick = source.len() <= INLINE_BYTES_MAX && !source.contains("attern");
    let compiled = blocking::run_blocking_unless(is_quick, || compile(&schema));
    compiled
        .map(drop)
        .map_err(|error| Fault::invalid_value(name, format!("{name} is not a usable JSON Schema: {error}.")))
}
