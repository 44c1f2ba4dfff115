//! The fields of a tool: their declaration, and the patch that a request makes.

use serde_json::json;
use toolgate_domain::endpoint_url::{EndpointUrl, URL_MAX};
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::headers::SentHeaders;
use toolgate_domain::json::JsonObject;
use toolgate_domain::parameters::{LOCATIONS, ParameterMapping};
use toolgate_domain::text::{self, DESCRIPTION_MAX, IDENTIFIER_MAX, IDENTIFIER_PATTERN};
use toolgate_domain::tool::{
    BODY_TYPES, CACHE_TTL_SECS, HTTP_METHODS, RESPONSE_TYPES, RETRY_COUNT, TIMEOUT_SECS, ToolPatch, ToolStatus,
    object_schema, stored_name,
};
use toolgate_domain::upstream_auth::AuthType;
use toolgate_execution::arguments::{InputSchema, SchemaError, mirrored_headers};
use toolgate_execution::egress::EgressRule;

use super::destinations;
use crate::blocking;
use crate::params::{Arg, Args};

pub(super) fn fields(is_create: bool) -> Vec<Arg> {
    let name = Arg::text("name", usize::MAX, "Name used in tools/call.")
        .with_schema(json!({"pattern": IDENTIFIER_PATTERN, "minLength": 1, "maxLength": IDENTIFIER_MAX}));
    let url = Arg::text("endpoint_url", usize::MAX, "Upstream URL; {param} placeholders are allowed after the host.")
        .with_schema(json!({"minLength": 1, "maxLength": URL_MAX}));
    let mut args = if is_create { vec![name.required(), url.required()] } else { vec![name, url] };
    args.extend(request_fields());
    args.extend(behaviour_fields());
    args
}

/// The fields of the upstream request.
fn request_fields() -> Vec<Arg> {
    let rule = json!({"type": "object", "required": ["location"], "properties": {
        "location": {"type": "string", "enum": LOCATIONS}, "name": {"type": "string"}}});
    let credentials = "Write-only. bearer: token; basic: username, password; api-key: key_name, key_value, \
         key_location (header or query); oauth2: token_url, client_id, client_secret, scope. Null clears.";
    let headers =
        "Static upstream headers. Secret values are returned as ********; sending that value leaves them unchanged.";
    vec![
        Arg::text("description", DESCRIPTION_MAX, "Description for AI clients."),
        Arg::one_of_uppercase("http_method", &HTTP_METHODS, "Method of the upstream request.").default("GET"),
        Arg::object("input_schema", "JSON Schema of the arguments; its root must have type object."),
        Arg::one_of("auth_type", AuthType::NAMES, "Authentication at the upstream."),
        Arg::object("auth_credentials", credentials).nullable(),
        Arg::object("parameter_mapping", "Location of each argument in the request: {location, name?}.")
            .with_schema(json!({"additionalProperties": rule})),
        Arg::object("headers", headers).with_schema(json!({"additionalProperties": {"type": "string"}})),
        Arg::one_of("body_type", &BODY_TYPES, "Encoding of the request body."),
    ]
}

/// The fields for the behaviour of a call.
fn behaviour_fields() -> Vec<Arg> {
    vec![
        Arg::integer("cache_ttl", &CACHE_TTL_SECS, "Seconds that a response is cached; 0 turns caching off."),
        Arg::integer("timeout", &TIMEOUT_SECS, "Seconds a call may take, from connecting to the last byte."),
        Arg::integer(
            "retry_count",
            &RETRY_COUNT,
            "Retries after the first attempt, for calls that are safe to repeat.",
        ),
        Arg::integer("sort_order", &(0..=i64::from(i32::MAX)), "Position in tools/list."),
        Arg::one_of("status", ToolStatus::NAMES, "Whether AI clients see the tool."),
        Arg::one_of("response_type", &RESPONSE_TYPES, "Type of the upstream response: text, or a complete MCP result."),
        Arg::object("output_schema", "JSON Schema of a structured result.").nullable(),
        Arg::object("required_client_capabilities", "Capabilities a client must have declared.").nullable(),
        Arg::object("annotations", "MCP annotations.").nullable(),
    ]
}

/// Reads a patch. Checks that need the egress rule or the schema compiler are made here, the others by the domain.
pub(super) fn patch(args: &Args, egress: &EgressRule) -> Result<ToolPatch, Faults> {
    let mut faults = Faults::default();
    let object = |name| args.object(name).cloned();
    let owned_text = |name| args.text(name).map(str::to_owned);
    let parse_schema = |name: &str, schema: &JsonObject| {
        let schema = object_schema(name, schema)?;
        check_schema(name, &schema, InputSchema::compile)?;
        mirrored_headers(&schema.to_value())
            .map_err(|reason| Fault::invalid_value(name, format!("{name}: {reason}.")))?;
        Ok::<_, Fault>(schema)
    };
    let patch = ToolPatch {
        name: args.parse("name", &mut faults, stored_name),
        description: args.parse("description", &mut faults, text::description),
        endpoint_url: args.parse("endpoint_url", &mut faults, |name, url| endpoint_url(name, url, egress)),
        http_method: owned_text("http_method"),
        input_schema: args
            .object("input_schema")
            .and_then(|sent| faults.ok_or_record(parse_schema("input_schema", sent))),
        auth_type: args.text("auth_type").and_then(AuthType::parse),
        auth_credentials: args.change("auth_credentials", |args, name| args.object(name).cloned()),
        parameter_mapping: object("parameter_mapping")
            .and_then(|sent| faults.ok_or_record(ParameterMapping::parse("parameter_mapping", sent))),
        headers: object("headers").and_then(|sent| faults.ok_or_record(SentHeaders::parse("headers", &sent))),
        body_type: owned_text("body_type"),
        cache_ttl: args.integer("cache_ttl"),
        timeout: args.integer("timeout"),
        retry_count: args.integer("retry_count"),
        status: args.text("status").and_then(ToolStatus::parse),
        sort_order: args.integer("sort_order"),
        response_type: owned_text("response_type"),
        output_schema: args.change("output_schema", Args::object).try_map(|sent| {
            faults.ok_or_record(check_schema("output_schema", sent, InputSchema::compile_value)).map(|()| sent.clone())
        }),
        required_client_capabilities: args
            .change("required_client_capabilities", |args, name| args.object(name).cloned()),
        annotations: args.change("annotations", Args::object).try_map(|sent| {
            faults.ok_or_record(text::document("annotations", &sent.to_value())).map(|()| sent.clone())
        }),
    };
    if let Some(credentials) = args.object("auth_credentials") {
        faults.ok_or_record(destinations::check_credentials("auth_credentials", &credentials.to_value(), egress));
    }
    faults.into_result(patch)
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
