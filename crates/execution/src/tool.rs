//! A compiled tool, and how it turns the arguments of a call into an upstream request.
//!
//! Everything that does not depend on the arguments is computed once, when the tool is compiled: schema and defaults,
//! the pieces of the URL, the destination of each argument, the constant headers, the encoded credential.

mod argument_notes;
pub(crate) mod argument_text;
pub(crate) mod arguments;
pub(crate) mod auth;
mod body;
mod coercion;
mod cookies;
mod defaults;
mod destinations;
pub(crate) mod headers;
mod listing;
pub(crate) mod redaction;
pub(crate) mod secret_header;
mod style;
pub(crate) mod url;
mod values;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method};
use toolgate_domain::call::FailureReason;
use toolgate_domain::ids::ToolId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::{BodyType, HttpMethod, ResponseType, Tool, ToolSpec};

use crate::arguments::InputSchema;
use crate::arguments::error::SchemaError;
use crate::arguments::mirrored::{MirroredHeader, mirrored_headers};
use crate::arguments::violation::Violation;
use crate::call_settings::{CallSettings, CalledObject};
use crate::egress::message::{OutboundRequest, is_idempotent};
use crate::failure::Failure;
use auth::Auth;
use body::{FileContents, RequestBody};
use defaults::Defaults;
use destinations::{Destinations, PlacedArguments};
use redaction::Redactor;
use url::EndpointTemplate;

pub use arguments::ValidArguments;
pub use auth::CredentialUse;
pub use redaction::{CallText, without_truncation_note};
pub use secret_header::CredentialUnavailable;

/// A tool ready to be called.
#[derive(Debug)]
pub struct CompiledTool {
    /// Its id.
    pub id: ToolId,
    /// Its name.
    pub name: String,
    /// Its HTTP method.
    pub method: Method,
    /// The schema of a structured result. Boxed, because few tools have one.
    pub output_schema: Option<Box<InputSchema>>,
    /// Whether the upstream returns a whole MCP result.
    pub returns_mcp_result: bool,
    /// The capabilities that a client must declare.
    pub required_client_capabilities: Option<JsonObject>,
    /// Arguments that clients also send as headers; empty if the annotations are invalid, because clients then send
    /// none.
    pub mirrored_headers: Vec<MirroredHeader>,
    pub(crate) settings: CallSettings,
    pub(crate) auth: Auth,
    input_schema: InputSchema,
    defaults: Defaults,
    target: Option<RequestTarget>,
    headers: HeaderMap,
    redactor: Redactor,
    body_type: BodyType,
    body_required: bool,
    /// The arguments that are files.
    file_arguments: Vec<String>,
    /// Its first tag, the group that it belongs to.
    tag: Option<String>,
}

/// The URL of a tool, and the destination of each argument.
#[derive(Debug)]
struct RequestTarget {
    endpoint: EndpointTemplate,
    destinations: Destinations,
}

impl CompiledTool {
    /// Compiles a tool. `secrets` is an error if the stored secrets cannot be decrypted: every call then fails, because
    /// nothing is sent without its credential.
    pub fn compile(tool: &Tool, secrets: Result<&Secrets, CredentialUnavailable>) -> Result<Self, SchemaError> {
        let spec = &tool.spec;
        let schema = spec.input_schema.to_value();
        let input_schema = InputSchema::compile(&schema)?;
        let output_schema = spec.output_schema.as_ref().map(JsonObject::to_value);
        let method = method(spec.http_method);
        let (headers, auth) = headers::compile(&spec.headers, spec.auth_type, secrets);
        let target = RequestTarget::compile(spec, &input_schema, &method);
        let auth = match &target {
            Some(target) if !target.endpoint.has_placeholders_for(auth.in_url(CredentialUse::Stored)) => {
                Auth::Unavailable
            }
            _ => auth,
        };
        Ok(Self {
            id: tool.id,
            name: spec.name.clone(),
            settings: CallSettings {
                timeout: spec.timeout,
                cache_ttl: spec.cache_ttl,
                retry_count: if is_idempotent(&method) { u32::try_from(spec.retry_count).unwrap_or(0) } else { 0 },
                ..CallSettings::new(CalledObject::Tool(tool.id), tool.revision)
            },
            output_schema: output_schema.as_ref().map(InputSchema::compile_value).transpose()?.map(Box::new),
            returns_mcp_result: spec.response_type == ResponseType::Mcp,
            required_client_capabilities: spec.required_client_capabilities.clone(),
            mirrored_headers: mirrored_headers(&schema).unwrap_or_default(),
            defaults: Defaults::from_schema(&spec.input_schema),
            target,
            input_schema,
            headers,
            auth,
            redactor: secrets.map(Redactor::from_secrets).unwrap_or_default(),
            body_type: spec.body_type,
            body_required: spec.body_required,
            file_arguments: file_arguments(spec),
            tag: spec.tags.as_slice().first().cloned(),
            method,
        })
    }

    /// The first step of a call: validates the arguments against the schema, then fills in defaults. Missing arguments
    /// and null mean an empty object.
    pub fn validate(&self, arguments: Option<&str>) -> Result<ValidArguments, Failure> {
        self.validate_with(arguments, false)
    }

    /// Like [`Self::validate`]. If `is_lenient` is set, arguments that do not match the schema are coerced if possible:
    /// a number that was sent as text becomes a number.
    pub fn validate_with(&self, arguments: Option<&str>, is_lenient: bool) -> Result<ValidArguments, Failure> {
        ValidArguments::check(&self.name, arguments, &self.input_schema, &self.defaults, is_lenient)
    }

    /// Whether the result of a call may be stored while its response is cached. Arguments that the schema declares secret
    /// are not stored.
    pub fn has_cacheable_results(&self) -> bool {
        !self.settings.cache_ttl.is_zero() && !self.returns_mcp_result && !self.input_schema.has_secrets()
    }

    /// The second step: builds the request from the arguments and the credential.
    pub fn request(
        &self,
        arguments: &ValidArguments,
        credential: CredentialUse<'_>,
    ) -> Result<OutboundRequest, Failure> {
        self.request_with_files(arguments, credential, FileContents::Complete)
    }

    /// The request for display only: without secrets and without the contents of large files.
    pub(crate) fn displayed_request(&self, arguments: &ValidArguments) -> Result<OutboundRequest, Failure> {
        self.request_with_files(arguments, CredentialUse::Masked, FileContents::Summarised)
    }

    fn request_with_files(
        &self,
        arguments: &ValidArguments,
        credential: CredentialUse<'_>,
        files: FileContents,
    ) -> Result<OutboundRequest, Failure> {
        let target = self.target()?;
        let placed = target.destinations.place(arguments.members());
        let body = body::write(self.body_type, &placed.body, target.destinations.always_has_body, files);
        self.assemble(target, &placed, body.map_err(|violation| self.refusal(violation))?, credential)
    }

    /// The second step for an upstream that returns MCP results: `body` is the whole JSON body. Arguments fill
    /// placeholders, and go into the query and the headers only if they are mapped there explicitly.
    pub fn mcp_request(
        &self,
        arguments: &ValidArguments,
        body: impl Into<Bytes>,
        credential: CredentialUse<'_>,
    ) -> Result<OutboundRequest, Failure> {
        let target = self.target()?;
        let placed = target.destinations.place_outside_body(arguments.members());
        self.assemble(target, &placed, Some(RequestBody::new(body, "application/json")), credential)
    }

    fn assemble(
        &self,
        target: &RequestTarget,
        placed: &PlacedArguments<'_>,
        body: Option<RequestBody>,
        credential: CredentialUse<'_>,
    ) -> Result<OutboundRequest, Failure> {
        let mut headers = headers::for_request(&self.headers, credential);
        headers::set_arguments(&mut headers, &placed.headers).map_err(|violation| self.refusal(violation))?;
        let content = if let Some(body) = body {
            headers::set_content_type(&mut headers, body.content_type, body.has_given_type);
            body.content
        } else {
            if !self.body_required {
                headers.remove(CONTENT_TYPE);
            }
            Bytes::new()
        };
        self.auth.set_headers(&mut headers, credential)?;
        cookies::add(&mut headers, &placed.cookies).map_err(|violation| self.refusal(violation))?;
        let uri = target
            .endpoint
            .build_uri(&placed.slot_values, &placed.query, self.auth.in_url(credential))
            .map_err(|violation| self.refusal(violation))?;
        Ok(OutboundRequest { method: self.method.clone(), uri, headers, body: content })
    }

    fn target(&self) -> Result<&RequestTarget, Failure> {
        self.target.as_ref().ok_or_else(|| {
            Failure::new(FailureReason::Internal, "The endpoint_url of this tool is not valid, so no request was sent.")
                .with_advice("Ask the tool's owner to correct its endpoint_url.")
                .with_model_text(
                    "The address of this tool is not valid, so nothing was sent.",
                    FailureReason::Dns.advice_for_model(),
                )
        })
    }

    fn refusal(&self, violation: Violation) -> Failure {
        arguments::unsendable(&self.name, &self.input_schema, violation)
    }
}

impl RequestTarget {
    fn compile(spec: &ToolSpec, schema: &InputSchema, method: &Method) -> Option<Self> {
        let endpoint = EndpointTemplate::compile(spec.endpoint_url.as_str())?;
        let destinations = Destinations::compile(schema, spec, &endpoint, method);
        Some(Self { endpoint, destinations })
    }
}

fn file_arguments(spec: &ToolSpec) -> Vec<String> {
    let rules = spec.parameter_mapping.rules().into_iter();
    rules.filter(|rule| rule.part.as_ref().is_some_and(|part| part.is_file)).map(|rule| rule.key).collect()
}

fn method(method: HttpMethod) -> Method {
    match method {
        HttpMethod::Get => Method::GET,
        HttpMethod::Post => Method::POST,
        HttpMethod::Put => Method::PUT,
        HttpMethod::Patch => Method::PATCH,
        HttpMethod::Delete => Method::DELETE,
        HttpMethod::Head => Method::HEAD,
        HttpMethod::Options => Method::OPTIONS,
        HttpMethod::Query => Method::QUERY,
    }
}

#[cfg(test)]
pub(crate) mod tests;
