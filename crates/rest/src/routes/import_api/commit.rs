//! The second phase of an import: creates the tools of the selected candidates.

use std::collections::HashSet;

use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::ids::ServerId;
use toolgate_import::api::candidate::Candidate;
use toolgate_import::api::report::ApiImport;
use toolgate_storage::{ImportedDocument, ImportedTool, ToolImport};

use super::arguments::ImportApiArgs;
use super::credential_use;
use super::credentials::{check_credentials, used_credentials};
use super::source::DocumentSource;
use crate::error::RestError;
use crate::params::strings;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::routes::tool_body::read_tool;
use crate::wire::tool_import::{ImportItem, ToolImportOut};

/// Selects every candidate.
const ALL: &str = "*";

/// A selected candidate that is a valid tool.
struct SelectedTool {
    item: ImportItem,
    tool: ImportedTool,
}

/// A selected candidate that cannot be a tool.
struct RefusedTool {
    item: ImportItem,
    name: String,
    faults: Faults,
    pointer: Option<String>,
}

pub(super) async fn commit(
    request: &ApiRequest,
    server_id: ServerId,
    args: &ImportApiArgs,
    import: ApiImport,
    source: DocumentSource,
) -> Result<ApiReply, RestError> {
    if args.document_sha256.as_ref().is_some_and(|sha256| !sha256.eq_ignore_ascii_case(&import.document_sha256)) {
        return Err(RestError::document_changed(&import.document_sha256));
    }
    let Some(selected) = &args.selected_temp_ids else {
        return Err(RestError::missing_params(&["selected_temp_ids"]));
    };
    let selected = strings("selected_temp_ids", selected)?;
    let (candidates, unknown) = select(&import, &selected);
    credential_use::check_names(&import, args.credentials.as_ref())?;
    credential_use::check_origins(request, server_id, &candidates).await?;
    let credentials = used_credentials(&import, &candidates, args.credentials.as_ref());
    check_credentials(&credentials, &request.context.config.egress)?;
    let read = tokio::task::block_in_place(|| read_tools(request, args, &candidates));
    let (items, tools): (Vec<_>, Vec<_>) = read.0.into_iter().map(|selected| (selected.item, selected.tool)).unzip();
    let document = imported_document(args, &import, source);
    let import = ToolImport { tools, on_conflict: args.target.on_conflict(), credentials, document: Some(document) };
    let outcomes = request.storage().import_tools(&request.actor()?, request.visibility(), server_id, import).await?;
    let mut reply = ToolImportOut::new(outcomes.document_id);
    for (item, outcome) in items.iter().zip(outcomes.tools) {
        reply.add(item, outcome);
    }
    for refused in read.1.into_iter().chain(unknown) {
        reply.add_failed(&refused.item, refused.name, &refused.faults, refused.pointer);
    }
    ApiReply::ok(&reply)
}

/// The selected candidates in the order of the document, and the ids that no candidate has.
fn select<'a>(import: &'a ApiImport, selected: &[String]) -> (Vec<&'a Candidate>, Vec<RefusedTool>) {
    let ids: HashSet<&str> = selected.iter().map(String::as_str).collect();
    let known: HashSet<&str> = import.candidates.iter().map(|candidate| candidate.temp_id.as_str()).collect();
    let is_selected = |candidate: &&Candidate| ids.contains(ALL) || ids.contains(candidate.temp_id.as_str());
    let unknown = selected.iter().filter(|id| *id != ALL && !known.contains(id.as_str())).map(|id| {
        let message = "No candidate has this temp_id. A filter may leave it out, or the document has changed.";
        RefusedTool {
            item: ImportItem::Candidate(id.clone()),
            name: String::new(),
            faults: Fault::invalid_value("selected_temp_ids", message).into(),
            pointer: None,
        }
    });
    (import.candidates.iter().filter(is_selected).collect(), unknown.collect())
}

/// Validates the candidates by the rules for tools.
fn read_tools(
    request: &ApiRequest,
    args: &ImportApiArgs,
    candidates: &[&Candidate],
) -> (Vec<SelectedTool>, Vec<RefusedTool>) {
    let (mut tools, mut refused) = (Vec::with_capacity(candidates.len()), Vec::new());
    for candidate in candidates {
        let item = ImportItem::Candidate(candidate.temp_id.clone());
        let status = candidate.status.unwrap_or_else(|| args.target.status());
        let body = serde_json::value::to_raw_value(candidate)
            .map_err(|error| Fault::invalid_value("body", error.to_string()).into());
        match body.and_then(|body| read_tool(&body, status, &request.context.config.egress)) {
            Ok(new) => {
                let (operation, hash) = (candidate.operation.clone(), candidate.hash());
                tools.push(SelectedTool { item, tool: ImportedTool { new, operation, hash } });
            }
            Err(faults) => {
                let pointer = Some(candidate.pointer.to_string());
                refused.push(RefusedTool { item, name: candidate.name.clone(), faults, pointer });
            }
        }
    }
    (tools, refused)
}

fn imported_document(args: &ImportApiArgs, import: &ApiImport, source: DocumentSource) -> ImportedDocument {
    let title = import.info.title.clone();
    let names = [title.as_str(), source.url.as_deref().unwrap_or_default(), import.format];
    let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    ImportedDocument {
        name: name.chars().take(toolgate_domain::text::NAME_MAX).collect(),
        url: source.url.clone(),
        url_headers: source.url_headers,
        format: import.format.to_owned(),
        version: import.version.clone(),
        title,
        sha256: import.document_sha256.clone(),
        content: source.content.to_vec(),
        overlay: args.overlay.clone(),
        options: args.stored_options(),
    }
}
