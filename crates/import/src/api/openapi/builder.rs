//! Builds the candidate of one operation from its parts.

use indexmap::IndexMap;
use serde_json::Value;
use toolgate_domain::json::JsonObject;
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::tool::BodyType;
use toolgate_domain::upstream_auth::KeyLocation;

use crate::api::annotations::annotations;
use crate::api::argument::{ArgumentDraft, HiddenRequired, MappedArguments, map_arguments};
use crate::api::candidate::Candidate;
use crate::api::description;
use crate::api::document::DocumentKind;
use crate::api::error::ApiError;
use crate::api::openapi::body::{self, BodyMapping};
use crate::api::openapi::failure::OperationError;
use crate::api::openapi::operation::ApiOperation;
use crate::api::openapi::parameters;
use crate::api::openapi::path_template::PathTemplate;
use crate::api::openapi::responses;
use crate::api::openapi::scope::OperationScope;
use crate::api::openapi::security::{SecuritySchemes, ToolAuth};
use crate::api::openapi::servers::{ServerChoice, ServerUrl};
use crate::api::openapi::swagger;
use crate::api::options::ImportOptions;
use crate::api::overlay::OperationOverlay;
use crate::api::problem::{ApiWarning, ProblemCode};
use crate::api::reference::{Located, ReferenceResolver};
use crate::api::schema::{SchemaContext, SchemaConverter, SchemaDirection, ToolSchema};
use crate::api::text_cleaning::{strip_descriptions, strip_invisible};
use crate::api::tokens::ToolTokens;
use crate::api::validation;

/// Estimated number of tokens above which a tool gets a warning.
const TOKENS_MAX: usize = 2_000;
/// Maximum length of the title of the API in a description, in bytes.
const API_TITLE_MAX: usize = 1000;
/// Maximum number of tags of a tool.
const TAGS_MAX: usize = 20;
/// Maximum length of a tag, in characters.
const TAG_MAX: usize = 64;

/// Builds the candidates of a document.
pub(super) struct CandidateBuilder<'c, 'a> {
    pub(super) kind: DocumentKind,
    pub(super) options: &'a ImportOptions,
    pub(super) resolver: &'a ReferenceResolver<'a>,
    pub(super) context: &'c SchemaContext<'a>,
    pub(super) servers: &'c ServerChoice<'a>,
    pub(super) security: &'c SecuritySchemes<'a>,
}

/// Why no candidate was built.
#[derive(Debug)]
pub(super) enum CandidateError {
    /// The operation cannot be a tool.
    Operation(OperationError),
    /// An argument of the import is wrong.
    Argument(ApiError),
}

impl From<OperationError> for CandidateError {
    fn from(error: OperationError) -> Self {
        Self::Operation(error)
    }
}

/// The request of a tool.
struct ToolRequest {
    endpoint_url: String,
    is_absolute: bool,
    body: Option<BodyMapping>,
    headers: IndexMap<String, String>,
    auth: ToolAuth,
    arguments: MappedArguments,
}

impl<'a> CandidateBuilder<'_, 'a> {
    /// The candidate for an operation. Its temporary id is assigned later.
    pub(super) fn build(
        &self,
        operation: &ApiOperation<'a>,
        overlay: &OperationOverlay,
        name: String,
    ) -> Result<Candidate, CandidateError> {
        let mut scope = OperationScope {
            kind: self.kind,
            root: self.resolver.root(),
            resolver: self.resolver,
            operation,
            schemas: SchemaConverter::new(self.context, SchemaDirection::Request),
            warnings: Vec::new(),
        };
        let mut request = self.request(&mut scope, overlay)?;
        let output_schema = self
            .options
            .output_schema
            .then(|| responses::output_schema(&scope, self.context, self.options.schema))
            .flatten();
        let OperationScope { schemas, mut warnings, .. } = scope;
        let arguments = std::mem::take(&mut request.arguments.arguments);
        let input = schemas.input_schema(arguments, self.options.schema).map_err(|_| {
            let message = "The arguments alone exceed the limits of an input_schema.";
            OperationError::new(ProblemCode::SchemaTooLarge, &operation.pointer, message)
        })?;
        warnings.append(&mut request.auth.warnings);
        let is_absolute = request.is_absolute;
        let mut candidate = self.candidate(operation, overlay, name, request);
        candidate.output_schema = output_schema;
        candidate.warnings = warnings;
        set_schema(&mut candidate, input);
        validation::check(&candidate, is_absolute)
            .map_err(|message| OperationError::new(ProblemCode::ToolInvalid, &operation.pointer, message))?;
        Ok(candidate)
    }

    /// The candidate without the schema of its arguments.
    fn candidate(
        &self,
        operation: &ApiOperation<'a>,
        overlay: &OperationOverlay,
        name: String,
        request: ToolRequest,
    ) -> Candidate {
        let title = description::title(operation.inherited_text("summary"));
        let overlay_orphans = request.arguments.orphans(overlay);
        let parameter_mapping = Value::Object(request.arguments.parameter_mapping);
        Candidate {
            temp_id: String::new(),
            operation: operation.key(),
            operation_id: operation.operation_id().map(str::to_owned),
            pointer: operation.pointer.clone(),
            slug: name.clone(),
            name,
            description: self.description(operation, overlay),
            endpoint_url: request.endpoint_url,
            http_method: operation.method.clone(),
            input_schema: JsonObject::empty(),
            parameter_mapping: JsonObject::from_stored(parameter_mapping.to_string()),
            body_type: request.body.as_ref().map_or(BodyType::Json, |body| body.body_type),
            body_required: request.body.as_ref().is_some_and(|body| body.required),
            headers: request.headers,
            auth_type: request.auth.auth_type,
            credential: request.auth.credential,
            output_schema: None,
            annotations: annotations(&operation.method, title.as_deref(), &overlay.hints),
            title,
            tags: tags(operation, overlay),
            deprecated: operation.is_deprecated(),
            status: overlay.status,
            timeout: overlay.timeout,
            estimated_tokens: 0,
            schema_full_tokens: 0,
            conflict: None,
            warnings: Vec::new(),
            overlay_orphans,
        }
    }

    fn request(
        &self,
        scope: &mut OperationScope<'_, 'a>,
        overlay: &OperationOverlay,
    ) -> Result<ToolRequest, CandidateError> {
        let operation = scope.operation;
        let template = PathTemplate::parse(operation.path);
        let server = self.servers.for_operation(operation)?;
        let declared = parameters::collect(scope)?;
        let mut drafts = parameters::drafts(scope, &declared, &template)?;
        let mut body = self.body(scope, &declared)?;
        drafts.extend(body.iter_mut().flat_map(|body| std::mem::take(&mut body.arguments)));
        let auth = self.security.for_operation(operation);
        remove_keys(scope, &mut drafts, &auth);
        let arguments = map_arguments(drafts, |key| overlay.arguments.get(key).cloned())
            .map_err(|hidden| hidden_required(operation, overlay, &hidden))?;
        Ok(ToolRequest {
            endpoint_url: format!("{}{}", server.as_str(), template.text),
            is_absolute: matches!(server, ServerUrl::Absolute(_)),
            headers: headers(scope, body.as_ref()),
            body,
            auth,
            arguments,
        })
    }

    fn body(
        &self,
        scope: &mut OperationScope<'_, 'a>,
        parameters: &[Located<'a>],
    ) -> Result<Option<BodyMapping>, OperationError> {
        if self.kind == DocumentKind::Swagger20 { swagger::read_body(scope, parameters) } else { body::read(scope) }
    }

    fn description(&self, operation: &ApiOperation<'a>, overlay: &OperationOverlay) -> String {
        if let Some(description) = &overlay.description {
            return strip_invisible(description);
        }
        let root = self.resolver.root();
        let title = root.member("info").and_then(|info| info.text("title")).unwrap_or("the API");
        let title = strip_invisible(description::start_of(title, API_TITLE_MAX));
        let fallback = format!("{} of {title}", operation.key());
        description::tool_description(
            operation.inherited_text("summary"),
            operation.inherited_text("description"),
            operation.is_deprecated(),
            &fallback,
        )
    }
}

/// Removes the parameters that the credential sends, because the value of an argument would be overwritten.
fn remove_keys(scope: &mut OperationScope<'_, '_>, drafts: &mut Vec<ArgumentDraft>, auth: &ToolAuth) {
    let is_key = |draft: &ArgumentDraft| {
        auth.keys.iter().any(|(location, name)| match (location, draft.location) {
            (KeyLocation::Header, ParameterLocation::Header) => name.eq_ignore_ascii_case(&draft.wire_name),
            (KeyLocation::Query, ParameterLocation::Query) | (KeyLocation::Cookie, ParameterLocation::Cookie) => {
                *name == draft.wire_name
            }
            _ => false,
        })
    };
    for draft in drafts.extract_if(.., |draft| is_key(draft)) {
        let message = format!("'{}' is sent by the credential, so it is not an argument.", draft.wire_name);
        scope.warn("credential_parameter", &draft.pointer, message);
    }
}

/// The error for a required argument that is hidden without a value. It ends the import if the overlay hides the
/// argument, and concerns only the operation if the document does.
fn hidden_required(
    operation: &ApiOperation<'_>,
    overlay: &OperationOverlay,
    hidden: &HiddenRequired,
) -> CandidateError {
    let HiddenRequired { key, pointer } = hidden;
    if overlay.arguments.contains_key(key) {
        let field = format!("overlay[{}][arguments][{key}][hidden]", operation.key());
        let message = format!("{field}: the argument is required, so it needs a value in fixed.");
        return CandidateError::Argument(ApiError::Argument { field, message });
    }
    let message = format!("The required argument {key} is hidden but has no x-toolgate-fixed.");
    OperationError::malformed(pointer, message).into()
}

/// The static headers: `Accept` and `Content-Type`.
fn headers(scope: &OperationScope<'_, '_>, body: Option<&BodyMapping>) -> IndexMap<String, String> {
    let mut headers = IndexMap::new();
    if let Some(accept) = responses::accept(scope) {
        headers.insert("Accept".to_owned(), accept);
    }
    if let Some(content_type) = body.and_then(|body| content_type(scope, body)) {
        headers.insert("Content-Type".to_owned(), content_type);
    }
    headers
}

/// The static `Content-Type`. For a method that usually has no body, it also makes the tool send a required body for
/// which a call has no arguments.
fn content_type(scope: &OperationScope<'_, '_>, body: &BodyMapping) -> Option<String> {
    let usually_has_body = !matches!(scope.operation.method.as_str(), "GET" | "HEAD" | "DELETE" | "OPTIONS");
    let implied = match body.body_type {
        BodyType::Json => "application/json",
        BodyType::Form => "application/x-www-form-urlencoded",
        BodyType::Multipart => "multipart/form-data",
        BodyType::Raw => return body.content_type.clone(),
    };
    let is_announced = body.required && !usually_has_body;
    body.content_type.clone().or_else(|| is_announced.then(|| implied.to_owned()))
}

fn tags(operation: &ApiOperation<'_>, overlay: &OperationOverlay) -> Vec<String> {
    let tags = overlay.tags.clone().unwrap_or_else(|| operation.tags());
    let mut unique: Vec<String> = Vec::new();
    for tag in tags {
        let tag: String =
            strip_invisible(description::start_of(tag.trim(), 16 * TAG_MAX)).chars().take(TAG_MAX).collect();
        let tag = tag.trim().to_owned();
        if !tag.is_empty() && !unique.contains(&tag) && unique.len() < TAGS_MAX {
            unique.push(tag);
        }
    }
    unique
}

/// Sets the schema and its size.
fn set_schema(candidate: &mut Candidate, input: ToolSchema) {
    let ToolSchema { mut schema, full_bytes, warnings } = input;
    candidate.warnings.extend(warnings);
    if !schema.as_str().is_ascii() || schema.as_str().contains("\\u") {
        let mut value = schema.to_value();
        strip_descriptions(&mut value);
        schema = JsonObject::from_stored(value.to_string());
    }
    let Candidate { name, description, .. } = candidate;
    let tokens = ToolTokens::new(name, description, schema.as_str(), full_bytes);
    candidate.estimated_tokens = tokens.estimated;
    candidate.schema_full_tokens = tokens.full;
    candidate.input_schema = schema;
    if candidate.estimated_tokens > TOKENS_MAX {
        let message = format!(
            "The tool has about {} tokens. Hide arguments that are not needed with an overlay.",
            candidate.estimated_tokens
        );
        let pointer = candidate.pointer.clone();
        candidate.warnings.push(ApiWarning { code: "many_tokens", message, pointer });
    }
}
