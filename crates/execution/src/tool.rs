//! A tool ready to be called, and the way from a call's arguments to the request that goes out.
//!
//! Everything that does not depend on the arguments is computed once, when the tool is compiled: schema and defaults,
//! the pieces of the address, where each argument goes, the constant headers, the credential as it is sent.

mod arguments;
pub(crate) mod auth;
mod body;
mod defaults;
mod destinations;
pub(crate) mod headers;
mod redaction;
pub(crate) mod url;
mod values;

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method};
use toolgate_domain::call::FailureReason;
use toolgate_domain::ids::ToolId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::{Tool, ToolSpec};

use crate::Failure;
use crate::arguments::{InputSchema, MirroredHeader, SchemaError, Violation, mirrored_headers};
use crate::egress::{OutboundRequest, is_repeatable};
use body::{Body, BodyType};
use defaults::Defaults;
use destinations::{Destinations, Placed};
use redaction::Redaction;
use url::Endpoint;

pub use arguments::ValidArguments;
pub use auth::{Auth, CredentialUnavailable, Injected, Key};
pub use redaction::Said;

/// A tool ready to be called.
#[derive(Debug)]
pub struct CompiledTool {
    /// Its id.
    pub id: ToolId,
    /// The version of it that this is.
    pub revision: i64,
    /// Its name.
    pub name: String,
    /// The method it is called with.
    pub method: Method,
    /// How long a call may take, from connecting to the last byte.
    pub timeout: Duration,
    /// How long an answer is kept; zero for not at all.
    pub cache_ttl: Duration,
    /// How often a call may be tried again; 0 for a method that is not safe to repeat.
    pub retry_count: u32,
    /// What a structured result must be.
    pub output_schema: Option<InputSchema>,
    /// Whether the upstream answers with a whole MCP result.
    pub returns_mcp_result: bool,
    /// What a client must be capable of.
    pub required_client_capabilities: Option<JsonObject>,
    /// Arguments that clients also send as headers; none where the annotations break the rules, for then clients
    /// send none.
    pub mirrored: Vec<MirroredHeader>,
    input_schema: InputSchema,
    defaults: Defaults,
    target: Option<Target>,
    headers: HeaderMap,
    auth: Auth,
    redaction: Redaction,
    body_type: BodyType,
}

/// Where a tool calls, and which argument goes where in it.
#[derive(Debug)]
struct Target {
    endpoint: Endpoint,
    destinations: Destinations,
}

impl CompiledTool {
    /// Compiles a tool. `secrets` is an error when what is stored could not be opened: every call then fails, for
    /// nothing is sent without its credential.
    pub fn compile(tool: &Tool, secrets: Result<&Secrets, CredentialUnavailable>) -> Result<Self, SchemaError> {
        let spec = &tool.spec;
        let schema = spec.input_schema.to_value();
        let input_schema = InputSchema::compile(&schema)?;
        let output_schema = spec.output_schema.as_ref().map(JsonObject::to_value);
        let method = Method::from_bytes(spec.http_method.as_bytes()).unwrap_or_default();
        let (headers, auth) = credentials(spec, secrets).unwrap_or((HeaderMap::new(), Auth::Unavailable));
        Ok(Self {
            id: tool.id,
            revision: tool.revision,
            name: spec.name.clone(),
            timeout: seconds(spec.timeout),
            cache_ttl: seconds(spec.cache_ttl),
            retry_count: if is_repeatable(&method) { u32::try_from(spec.retry_count).unwrap_or(0) } else { 0 },
            output_schema: output_schema.as_ref().map(InputSchema::compile_value).transpose()?,
            returns_mcp_result: spec.response_type == "mcp",
            required_client_capabilities: spec.required_client_capabilities.clone(),
            mirrored: mirrored_headers(&schema).unwrap_or_default(),
            defaults: Defaults::of(&spec.input_schema),
            target: Target::compile(spec, &input_schema, &method),
            input_schema,
            headers,
            auth,
            redaction: secrets.map(Redaction::of).unwrap_or_default(),
            body_type: BodyType::named(&spec.body_type),
            method,
        })
    }

    /// What must be injected into a request.
    pub fn auth(&self) -> &Auth {
        &self.auth
    }

    /// The first step of a call: checks the arguments against the schema, then fills in defaults. No arguments, and
    /// null, are an empty object.
    pub fn validate(&self, arguments: Option<&str>) -> Result<ValidArguments, Failure> {
        ValidArguments::check(arguments, &self.input_schema, &self.defaults)
            .map_err(|violations| arguments::refusal(&self.name, violations))
    }

    /// The second step: puts the arguments where they go, and the credential.
    pub fn request(&self, arguments: &ValidArguments, credential: Injected<'_>) -> Result<OutboundRequest, Failure> {
        let target = self.target()?;
        let placed = target.destinations.place(arguments.members());
        let body = self.body_type.write(&placed.body, target.destinations.always_has_body);
        self.assemble(target, &placed, body.map_err(|violation| self.refusal(violation))?, credential)
    }

    /// The second step where the body is a JSON document of its own. Arguments fill placeholders, and go into query
    /// and headers where they are mapped there explicitly.
    pub fn mcp_request(
        &self,
        arguments: &ValidArguments,
        body: impl Into<Bytes>,
        credential: Injected<'_>,
    ) -> Result<OutboundRequest, Failure> {
        let target = self.target()?;
        let placed = target.destinations.place_around_body(arguments.members());
        self.assemble(target, &placed, Some(Body::new(body, "application/json")), credential)
    }

    fn assemble(
        &self,
        target: &Target,
        placed: &Placed<'_>,
        body: Option<Body>,
        credential: Injected<'_>,
    ) -> Result<OutboundRequest, Failure> {
        let mut headers = self.headers.clone();
        if matches!(credential, Injected::Masked) {
            headers::mask(&mut headers);
        }
        headers::set_arguments(&mut headers, &placed.headers).map_err(|violation| self.refusal(violation))?;
        let content = body.map_or_else(Bytes::new, |body| {
            headers::state_content_type(&mut headers, body.content_type);
            body.content
        });
        self.auth.set_header(&mut headers, credential)?;
        let uri = target
            .endpoint
            .address(&placed.fillings, &placed.query, self.auth.in_query(credential))
            .map_err(|violation| self.refusal(violation))?;
        Ok(OutboundRequest { method: self.method.clone(), uri, headers, body: content })
    }

    fn target(&self) -> Result<&Target, Failure> {
        self.target.as_ref().ok_or_else(|| {
            Failure::new(FailureReason::Internal, "This tool has no valid address, so nothing was sent.")
                .advising("The tool's owner has to correct its endpoint_url.")
        })
    }

    fn refusal(&self, violation: Violation) -> Failure {
        arguments::refusal(&self.name, vec![violation])
    }
}

impl Target {
    fn compile(spec: &ToolSpec, schema: &InputSchema, method: &Method) -> Option<Self> {
        let endpoint = Endpoint::compile(spec.endpoint_url.as_str())?;
        let mapping = spec.parameter_mapping.as_json();
        let destinations = Destinations::compile(schema, &spec.input_schema, mapping, &endpoint, method);
        Some(Self { endpoint, destinations })
    }
}

/// Everything of a tool that is, or may be, secret.
fn credentials(
    spec: &ToolSpec,
    secrets: Result<&Secrets, CredentialUnavailable>,
) -> Result<(HeaderMap, Auth), CredentialUnavailable> {
    let secrets = secrets?;
    let headers = headers::constant(&spec.headers, secrets)?;
    Ok((headers, Auth::compile(spec.auth_type, secrets.credentials.as_ref())))
}

fn seconds(count: i64) -> Duration {
    Duration::from_secs(u64::try_from(count).unwrap_or(0))
}

#[cfg(test)]
pub(crate) mod tests;
