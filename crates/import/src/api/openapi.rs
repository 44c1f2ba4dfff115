//! OpenAPI 3.0, 3.1, 3.2 and Swagger 2.0: each operation becomes a candidate.

mod body;
mod builder;
mod failure;
mod media_type;
mod operation;
mod parameters;
mod path_template;
mod responses;
mod scope;
mod security;
mod servers;
mod style;
mod swagger;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::time::Instant;

use serde_json::Value;

use crate::api::candidate::Candidate;
use crate::api::document::{Document, DocumentKind};
use crate::api::error::ApiError;
use crate::api::filter::FilteredOperation;
use crate::api::naming::{ToolNames, temp_id};
use crate::api::options::{ImportOptions, NamingRule};
use crate::api::overlay::{OperationOverlay, Overlay, operation_extensions};
use crate::api::pointer::Pointer;
use crate::api::problem::{ApiWarning, Problem, ProblemCode};
use crate::api::reference::{Located, ReferenceResolver};
use crate::api::report::{ApiImport, ApiInfo, ImportTotals};
use crate::api::schema::SchemaContext;

use builder::CandidateBuilder;
use operation::{ApiOperation, OPERATIONS_MAX, OperationList};
use security::SecuritySchemes;
use servers::{ServerChoice, ServerUrl};

/// Maximum number of candidates in one reply.
const LISTED_MAX: usize = 5_000;

/// Maximum size of the schemas of all candidates in one reply, in bytes.
const LISTED_BYTES_MAX: usize = 32 << 20;

/// Reads a document of one of these formats.
pub(super) fn read(mut document: Document, options: &ImportOptions, sha256: String) -> Result<ApiImport, ApiError> {
    let started = Instant::now();
    let overlay = Overlay::parse(&options.overlay)?;
    if document.kind == DocumentKind::Swagger20 {
        swagger::move_schemas(&mut document.root);
    }
    let warnings = std::mem::take(&mut document.warnings);
    let kind = document.kind;
    let resolver = ReferenceResolver::new(&document);
    let context = SchemaContext::new(&resolver);
    let root = resolver.root();
    let paths = root.member("paths").filter(|paths| paths.value.is_object()).ok_or(ApiError::NoPaths)?;
    let servers = ServerChoice::new(root.clone(), kind, options);
    let security = SecuritySchemes::read(&resolver, kind, &servers, &options.credentials);
    let builder = CandidateBuilder {
        kind,
        options,
        resolver: &resolver,
        context: &context,
        servers: &servers,
        security: &security,
    };
    let list = OperationList::collect(&resolver, &paths);
    let mut results = ImportResults::new(list.count, list.problems, warnings);
    results.totals.problems = list.unlisted_problems;
    for (operation, error) in list.refused {
        // Operations that the filter leaves out are not reported as problems.
        if admits(options, &operation, "") {
            results.problems.push(operation.problem(error));
        } else {
            results.totals.filtered += 1;
        }
    }
    let overlays: Vec<OperationOverlay> =
        list.operations.iter().map(|one| operation_overlay(one, &overlay, options)).collect();
    let names = names(&list.operations, &overlays, options);
    for (index, ((operation, overlay), name)) in list.operations.iter().zip(&overlays).zip(names).enumerate() {
        if options.is_too_slow(started.elapsed(), index, list.operations.len()) {
            return Err(ApiError::Timeout { read: index, operations: list.count });
        }
        let is_known = options.known.is_always_included(&operation.key(), operation.operation_id());
        if overlay.hidden == Some(true) || !(is_known || admits(options, operation, &name)) {
            results.totals.filtered += 1;
            continue;
        }
        match builder.build(operation, overlay, name) {
            Ok(candidate) => results.add(candidate, is_known),
            Err(builder::CandidateError::Operation(error)) => results.problems.push(operation.problem(error)),
            Err(builder::CandidateError::Argument(error)) => return Err(error),
        }
        results.report_relative_server(servers.for_operation(operation).ok());
    }
    let mut import = results.into_import(&root, kind, sha256);
    import.version = document.version();
    import.totals.webhooks = count_webhooks(&root);
    import.server_url = servers.for_document().ok().and_then(|server| match server {
        ServerUrl::Absolute(url) => Some(url),
        ServerUrl::Relative { .. } => None,
    });
    import.servers = servers.listed();
    import.operations = list.operations.iter().map(ApiOperation::key).collect();
    import.overlay_orphans = overlay.orphans(&import.operations, &import.candidates);
    import.security_schemes = security.into_report();
    Ok(import)
}

/// The changes to an operation: those of the overlay, then those of extensions in the document. Extensions do not
/// rename a known tool.
fn operation_overlay(operation: &ApiOperation<'_>, overlay: &Overlay, options: &ImportOptions) -> OperationOverlay {
    let key = operation.key();
    let mut extensions = operation_extensions(operation.operation.value);
    if options.known.name(&key, operation.operation_id()).is_some() {
        extensions.name = None;
    }
    overlay.for_operation(&key).over(extensions)
}

/// The names of all operations. They do not depend on the filter. Names that the owner chose are assigned first.
fn names(operations: &[ApiOperation<'_>], overlays: &[OperationOverlay], options: &ImportOptions) -> Vec<String> {
    let mut names = ToolNames::default();
    let keys: Vec<String> = operations.iter().map(ApiOperation::key).collect();
    let ids = operations.iter().map(ApiOperation::operation_id);
    let chosen = names.take_all_chosen(keys.iter().map(String::as_str).zip(ids), overlays, &options.known);
    let all = operations.iter().zip(chosen).map(|(operation, chosen)| {
        let operation_id = operation.operation_id().filter(|_| options.names == NamingRule::OperationId);
        chosen.unwrap_or_else(|| names.take(operation_id, &operation.method, operation.path))
    });
    all.collect()
}

fn admits(options: &ImportOptions, operation: &ApiOperation<'_>, name: &str) -> bool {
    options.filter.admits(&FilteredOperation {
        method: &operation.method,
        path: operation.path,
        tags: &operation.tags(),
        is_deprecated: operation.is_deprecated(),
        texts: [name, operation.inherited_text("summary"), operation.inherited_text("description")],
    })
}

fn count_webhooks(root: &Located<'_>) -> usize {
    let webhooks = ["webhooks", "x-webhooks"].into_iter().find_map(|key| root.value.get(key)?.as_object());
    webhooks.map_or(0, serde_json::Map::len)
}

/// The results of the operations that were read so far.
struct ImportResults {
    candidates: Vec<Candidate>,
    problems: Vec<Problem>,
    warnings: Vec<ApiWarning>,
    totals: ImportTotals,
    /// The size of the schemas of all candidates, in bytes.
    listed_bytes: usize,
    /// How many operations have each temporary id.
    temp_ids: HashMap<String, usize>,
}

impl ImportResults {
    fn new(operations: usize, problems: Vec<Problem>, mut warnings: Vec<ApiWarning>) -> Self {
        if operations > OPERATIONS_MAX {
            let message = format!("The document has {operations} operations; the first {OPERATIONS_MAX} are read.");
            warnings.push(ApiWarning {
                code: "too_many_operations",
                message,
                pointer: Pointer::root().member("paths"),
            });
        }
        let unlisted = operations.saturating_sub(OPERATIONS_MAX);
        let totals = ImportTotals { operations, unlisted, ..ImportTotals::default() };
        Self { candidates: Vec::new(), problems, warnings, totals, listed_bytes: 0, temp_ids: HashMap::new() }
    }

    fn add(&mut self, mut candidate: Candidate, is_known: bool) {
        self.totals.candidates += 1;
        self.totals.estimated_tokens += candidate.estimated_tokens;
        self.listed_bytes += candidate.input_schema.as_str().len();
        let is_listed = self.candidates.len() < LISTED_MAX && self.listed_bytes <= LISTED_BYTES_MAX;
        if !is_known && !is_listed {
            self.totals.unlisted += 1;
            return;
        }
        let id = temp_id(&candidate.operation);
        let count = self.temp_ids.entry(id.clone()).or_insert(0);
        *count += 1;
        candidate.temp_id = if *count > 1 { format!("{id}-{count}") } else { id };
        self.candidates.push(candidate);
    }

    /// Reports a server without a host once, not for each operation.
    fn report_relative_server(&mut self, server: Option<ServerUrl>) {
        let Some(ServerUrl::Relative { pointer, .. }) = server else { return };
        let is_known = |problem: &Problem| problem.code == ProblemCode::NoServer && problem.pointer == pointer;
        if !self.problems.iter().any(is_known) {
            let message =
                "The document has no absolute URL for the server, so the tools cannot be created. Give base_url.";
            let (code, message) = (ProblemCode::NoServer, message.to_owned());
            self.problems.push(Problem { pointer, operation: None, code, message });
        }
    }

    fn into_import(mut self, root: &Located<'_>, kind: DocumentKind, document_sha256: String) -> ApiImport {
        self.totals.problems += self.problems.len();
        let info = |member: &str| scalar_text(root.value.get("info").and_then(|info| info.get(member)));
        ApiImport {
            format: if kind == DocumentKind::Swagger20 { "swagger" } else { "openapi" },
            version: String::new(),
            info: ApiInfo::new(&info("title"), &info("version")),
            document_sha256,
            server_url: None,
            servers: Vec::new(),
            security_schemes: Vec::new(),
            totals: self.totals,
            candidates: self.candidates,
            problems: self.problems,
            warnings: self.warnings,
            operations: Vec::new(),
            overlay_orphans: Vec::new(),
            credentials: Vec::new(),
        }
    }
}

/// A text, or the text of a number: YAML reads an unquoted version as a number.
fn scalar_text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(value @ Value::Number(_)) => value.to_string(),
        _ => String::new(),
    }
}
