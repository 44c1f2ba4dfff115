//! Makes candidates of the tools from a Postman collection or a recording of a browser.

use std::collections::HashMap;
use std::time::Instant;

use serde_json::{Map, Value, json};
use toolgate_domain::json::JsonObject;
use toolgate_domain::tool::SUBSCHEMAS_MAX;

use crate::api::annotations::annotations;
use crate::api::argument::{HiddenRequired, MappedArguments, map_arguments};
use crate::api::candidate::Candidate;
use crate::api::error::ApiError;
use crate::api::filter::FilteredOperation;
use crate::api::naming::{ToolNames, temp_id};
use crate::api::options::{ImportOptions, NamingRule};
use crate::api::overlay::{OperationOverlay, Overlay};
use crate::api::problem::{ApiWarning, Problem, ProblemCode};
use crate::api::report::{ApiImport, ApiInfo, ApiServer, ImportTotals, SecurityScheme};
use crate::api::request_auth::DocumentCredential;
use crate::api::request_tool::{RequestTool, RequestTools};
use crate::api::text_cleaning::{strip_descriptions, strip_invisible};
use crate::api::tokens::ToolTokens;
use crate::api::validation;

/// Maximum number of candidates in one reply.
const LISTED_MAX: usize = 5_000;

/// Metadata of a Postman collection or a recording.
pub(crate) struct RequestDocument {
    pub(crate) format: &'static str,
    pub(crate) version: String,
    pub(crate) info: ApiInfo,
    pub(crate) sha256: String,
    pub(crate) warnings: Vec<ApiWarning>,
}

/// Names, filters and validates the tools, and builds the report.
pub(crate) fn report(
    document: RequestDocument,
    read: RequestTools,
    options: &ImportOptions,
) -> Result<ApiImport, ApiError> {
    let started = Instant::now();
    let overlay = Overlay::parse(&options.overlay)?;
    let overlays: Vec<_> = read.tools.iter().map(|tool| overlay.for_operation(&tool.operation())).collect();
    let names = names(&read.tools, &overlays, options);
    let operations: Vec<String> = read.tools.iter().map(RequestTool::operation).collect();
    let mut results = Results { problems: read.problems, ..Results::default() };
    results.totals.operations = read.operations;
    results.totals.left_out = read.left_out;
    let count = read.tools.len();
    for (index, ((tool, overlay), name)) in read.tools.into_iter().zip(overlays).zip(names).enumerate() {
        if options.is_too_slow(started.elapsed(), index, count) {
            return Err(ApiError::Timeout { read: index, operations: count });
        }
        results.add(tool, &overlay, name, options)?;
    }
    results.totals.problems = results.problems.len();
    let credentials = read.credentials.into_list();
    Ok(ApiImport {
        format: document.format,
        version: document.version,
        info: document.info,
        document_sha256: document.sha256,
        server_url: read.servers.first().cloned(),
        servers: read.servers.into_iter().map(server).collect(),
        security_schemes: credentials.iter().map(security_scheme).collect(),
        credentials,
        totals: results.totals,
        overlay_orphans: overlay.orphans(&operations, &results.candidates),
        candidates: results.candidates,
        operations,
        problems: results.problems,
        warnings: document.warnings,
    })
}

fn server(url: String) -> ApiServer {
    ApiServer { url, description: None, variables: Map::new() }
}

fn security_scheme(credential: &DocumentCredential) -> SecurityScheme {
    SecurityScheme {
        name: credential.name.clone(),
        auth_type: credential.auth_type,
        needs: credential.needs.clone(),
        supported: true,
        auth_credentials: credential.open_members.clone(),
        schemes: Vec::new(),
    }
}

/// The names of all tools. They do not depend on the filter. Names that the owner chose are assigned first.
fn names(tools: &[RequestTool], overlays: &[OperationOverlay], options: &ImportOptions) -> Vec<String> {
    let mut names = ToolNames::default();
    let operations: Vec<String> = tools.iter().map(RequestTool::operation).collect();
    let operations = operations.iter().map(|operation| (operation.as_str(), None));
    let chosen = names.take_all_chosen(operations, overlays, &options.known);
    let all = tools.iter().zip(chosen).map(|(tool, chosen)| {
        let name = Some(tool.name.as_str()).filter(|_| options.names == NamingRule::OperationId);
        chosen.unwrap_or_else(|| names.take(name, &tool.method, &tool.path))
    });
    all.collect()
}

/// The results of the tools that were handled so far.
#[derive(Default)]
struct Results {
    candidates: Vec<Candidate>,
    problems: Vec<Problem>,
    totals: ImportTotals,
    /// The number of uses of each temporary id.
    ids: HashMap<String, usize>,
}

impl Results {
    fn add(
        &mut self,
        tool: RequestTool,
        overlay: &OperationOverlay,
        name: String,
        options: &ImportOptions,
    ) -> Result<(), ApiError> {
        let id = self.unique_id(&tool);
        let is_hidden = overlay.hidden == Some(true);
        let operation = tool.operation();
        let is_known = options.known.is_always_included(&operation, None);
        if is_hidden || !(is_known || options.filter.admits(&filtered(&tool, &name))) {
            self.totals.filtered += 1;
            return Ok(());
        }
        let candidate = candidate(tool, overlay, name, id)
            .map_err(|HiddenRequired { key, .. }| hidden_required(&operation, &key))?;
        match check(&candidate) {
            Ok(()) => self.list(candidate, is_known),
            Err((code, message)) => {
                let pointer = candidate.pointer;
                self.problems.push(Problem { pointer, operation: Some(operation), code, message });
            }
        }
        Ok(())
    }

    fn list(&mut self, candidate: Candidate, is_known: bool) {
        self.totals.candidates += 1;
        self.totals.estimated_tokens += candidate.estimated_tokens;
        if is_known || self.candidates.len() < LISTED_MAX {
            self.candidates.push(candidate);
        } else {
            self.totals.unlisted += 1;
        }
    }

    fn unique_id(&mut self, tool: &RequestTool) -> String {
        let id = temp_id(format!("{} {}", tool.operation(), tool.identity).trim_end());
        let count = self.ids.entry(id.clone()).or_default();
        *count += 1;
        if *count == 1 { id } else { format!("{id}-{count}") }
    }
}

fn filtered<'t>(tool: &'t RequestTool, name: &'t str) -> FilteredOperation<'t> {
    FilteredOperation {
        method: &tool.method,
        path: &tool.path,
        tags: &tool.tags,
        is_deprecated: false,
        texts: [name, tool.title.as_deref().unwrap_or_default(), &tool.description],
    }
}

fn hidden_required(operation: &str, key: &str) -> ApiError {
    let field = format!("overlay[{operation}][arguments][{key}][hidden]");
    let message = format!("{field}: the argument is required, so it needs a value in fixed.");
    ApiError::Argument { field, message }
}

/// Checks a candidate with the validation of tools.
fn check(candidate: &Candidate) -> Result<(), (ProblemCode, String)> {
    if schema_count(&candidate.input_schema.to_value()) > SUBSCHEMAS_MAX {
        let message = format!("The request has more arguments than an input_schema has schemas ({SUBSCHEMAS_MAX}).");
        return Err((ProblemCode::SchemaTooLarge, message));
    }
    validation::check(candidate, true).map_err(|message| (ProblemCode::ToolInvalid, message))
}

/// The number of schemas in a schema.
fn schema_count(schema: &Value) -> usize {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(serde_json::Map::values);
    let branches = schema.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    1 + properties.chain(branches).chain(schema.get("items")).map(schema_count).sum::<usize>()
}

fn candidate(
    tool: RequestTool,
    overlay: &OperationOverlay,
    name: String,
    temp_id: String,
) -> Result<Candidate, HiddenRequired> {
    let operation = tool.operation();
    let mapped = map_arguments(tool.arguments, |key| overlay.arguments.get(key).cloned())?;
    let overlay_orphans = mapped.orphans(overlay);
    let (input_schema, parameter_mapping) = schema_and_mapping(mapped);
    let description = overlay.description.as_deref().map_or(tool.description, strip_invisible);
    let schema = input_schema.as_str();
    let tokens = ToolTokens::new(&name, &description, schema, schema.len());
    let hints = tool.hints.into_iter().chain(overlay.hints.clone()).collect();
    Ok(Candidate {
        temp_id,
        operation,
        operation_id: None,
        pointer: tool.pointer,
        slug: name.clone(),
        name,
        description,
        endpoint_url: tool.endpoint_url,
        annotations: annotations(&tool.method, tool.title.as_deref(), &hints),
        title: tool.title,
        http_method: tool.method,
        input_schema,
        parameter_mapping,
        body_type: tool.body_type,
        body_required: tool.body_required,
        headers: tool.headers,
        auth_type: tool.auth_type,
        credential: tool.credential,
        output_schema: None,
        tags: overlay.tags.clone().unwrap_or(tool.tags),
        deprecated: false,
        status: overlay.status,
        timeout: overlay.timeout,
        estimated_tokens: tokens.estimated,
        schema_full_tokens: tokens.full,
        conflict: None,
        warnings: tool.warnings,
        overlay_orphans,
    })
}

/// The `input_schema` and the `parameter_mapping`.
fn schema_and_mapping(mapped: MappedArguments) -> (JsonObject, JsonObject) {
    let required: Vec<&str> =
        mapped.arguments.iter().filter(|argument| argument.required).map(|argument| argument.name.as_str()).collect();
    let properties: Map<String, Value> =
        mapped.arguments.iter().map(|argument| (argument.name.clone(), argument.schema.clone())).collect();
    let mut schema = json!({"type": "object", "properties": properties, "required": required});
    strip_descriptions(&mut schema);
    let to_object = |value: Value| JsonObject::from_stored(value.to_string());
    (to_object(schema), to_object(Value::Object(mapped.parameter_mapping)))
}
