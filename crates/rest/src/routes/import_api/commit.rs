//! The second phase of an import: creates the tools of the selected candidates.

use std::collections::HashSet;

use toolgate_domain::api_document::ApiDocument;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::ids::ServerId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::shaping::NEW_TOOL_SHAPING;
use toolgate_domain::tool::ToolStatus;
use toolgate_domain::tool_import::ConflictRule;
use toolgate_import::api::candidate::Candidate;
use toolgate_import::api::options::ImportOptions;
use toolgate_import::api::report::ApiImport;
use toolgate_storage::{DocumentTarget, ImportedDocument, ImportedTool, ToolImport};

use super::arguments::ImportApiArgs;
use super::changes::{ChangeRules, PlannedChanges, plan_changes};
use super::comparison::{DocumentComparison, NewVersion, compare};
use super::credential_members::options_with_members;
use super::credential_use;
use super::credentials::{check_credentials, used_credentials};
use super::source::DocumentSource;
use super::stored_import::{given_credentials, options_with_credentials};
use crate::concurrency_limit::ConcurrencyPermit;
use crate::error::RestError;
use crate::params::strings;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::routes::tool_body::read_tool;
use crate::wire::tool_import::{ImportItem, ToolImportOut};

/// Selects every candidate.
const ALL: &str = "*";

/// Refuses a document in a format that the route does not accept.
pub(super) type ImportCheck<'a> = &'a (dyn Fn(&ApiImport) -> Result<(), Fault> + Send + Sync);

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

/// Creates the selected tools of a document that the server does not have.
pub(super) async fn commit(
    request: &ApiRequest,
    server_id: ServerId,
    args: &ImportApiArgs,
    import: ApiImport,
    source: DocumentSource,
) -> Result<ApiReply, RestError> {
    check_sha256(args.document_sha256.as_deref(), &import)?;
    let selected = selected_ids(args)?;
    let created = select(&import, &selected);
    let document = ImportedDocument {
        overlay: args.overlay.clone(),
        options: args.stored_options(&[]),
        ..imported_document(&import, source)
    };
    let comparison = DocumentComparison { import, tools: Vec::new(), added: Vec::new() };
    let commit = DocumentCommit {
        server_id,
        document,
        created,
        accepts: &|_| false,
        selected: &selected,
        deletes_removed: false,
        status: args.target.status(),
        on_conflict: args.target.on_conflict(),
        credentials: args.credentials.as_ref(),
    };
    ApiReply::ok(&write(request, &comparison, commit).await?)
}

/// Creates the selected tools of a document that the server has, and changes those that it has already by the rules of
/// a refresh: a breaking change needs the `temp_id` of its candidate, `accept_breaking`, or `on_conflict` update.
pub(super) async fn commit_known(
    request: &ApiRequest,
    args: &ImportApiArgs,
    document: &ApiDocument,
    source: DocumentSource,
    options: ImportOptions,
    (permit, check): (ConcurrencyPermit, ImportCheck<'_>),
) -> Result<ApiReply, RestError> {
    let selected = selected_ids(args)?;
    let new = NewVersion::Content(source.content.clone(), Box::new(options));
    let (comparison, permit) = compare(request, document, new, permit).await?;
    check(&comparison.import)?;
    check_sha256(args.document_sha256.as_deref(), &comparison.import)?;
    let on_conflict = args.target.on_conflict();
    let imported: HashSet<usize> = comparison.imported_positions();
    let is_new = |position: &usize| on_conflict == ConflictRule::Duplicate || !imported.contains(position);
    let (created, present): (Vec<usize>, Vec<usize>) =
        select(&comparison.import, &selected).into_iter().partition(is_new);
    let updates_all = on_conflict == ConflictRule::Update && selected.iter().any(|id| id == ALL);
    let accepts_all = args.accept_breaking || updates_all;
    let accepts = |temp_id: &str| accepts_all || selected.iter().any(|id| id == temp_id);
    // Options and overlay are stored once per document, not per version. If a tool keeps its state, the options and the
    // overlay that it was created with must stay, too.
    let is_same_content = comparison.import.document_sha256 == document.sha256;
    let (overlay, options) = if is_same_content && comparison.has_skipped(&accepts) {
        (None, options_with_credentials(document, args.credentials.as_ref()))
    } else {
        (args.overlay.clone(), args.stored_options(&given_credentials(document)))
    };
    let imported_document = ImportedDocument {
        target: Some(DocumentTarget::new(document)),
        overlay,
        options,
        ..imported_document(&comparison.import, source)
    };
    let commit = DocumentCommit {
        server_id: document.server_id,
        document: imported_document,
        created,
        accepts: &accepts,
        selected: &selected,
        deletes_removed: false,
        status: args.target.status(),
        on_conflict,
        credentials: args.credentials.as_ref(),
    };
    let mut reply = write(request, &comparison, commit).await?;
    for candidate in present.iter().filter_map(|position| comparison.import.candidates.get(*position)) {
        reply.add_present(&ImportItem::Candidate(candidate.temp_id.clone()), candidate.name.clone());
    }
    drop(permit);
    ApiReply::ok(&reply)
}

/// A document, and the changes to its tools, to be written.
pub(super) struct DocumentCommit<'a> {
    pub(super) server_id: ServerId,
    pub(super) document: ImportedDocument,
    /// Positions of the candidates that become tools.
    pub(super) created: Vec<usize>,
    /// Whether the breaking change of the candidate with this `temp_id` is applied.
    pub(super) accepts: &'a (dyn Fn(&str) -> bool + Send + Sync),
    pub(super) selected: &'a [String],
    pub(super) deletes_removed: bool,
    /// Status of new tools.
    pub(super) status: ToolStatus,
    pub(super) on_conflict: ConflictRule,
    pub(super) credentials: Option<&'a JsonObject>,
}

/// Writes new and changed tools with their document and credentials, in one transaction.
pub(super) async fn write(
    request: &ApiRequest,
    comparison: &DocumentComparison,
    commit: DocumentCommit<'_>,
) -> Result<ToolImportOut, RestError> {
    let (import, egress) = (&comparison.import, &request.context.config.egress);
    let created: Vec<&Candidate> =
        commit.created.iter().filter_map(|position| import.candidates.get(*position)).collect();
    let rules = ChangeRules { accepts: commit.accepts, deletes_removed: commit.deletes_removed };
    let (planned, (read, refused)) = tokio::task::block_in_place(|| {
        (plan_changes(&comparison.tools, &rules, egress), read_tools(request, commit.status, &created))
    });
    let changed = comparison.changed_candidates(&planned.changes);
    let candidates: Vec<&Candidate> = created.iter().chain(&changed).copied().collect();
    credential_use::check_names(import, commit.credentials)?;
    credential_use::check_origins(request, commit.server_id, &candidates, &planned.changes).await?;
    let candidates = comparison.with_sent_credentials(candidates, commit.credentials);
    let credentials = used_credentials(import, &candidates, commit.credentials)?;
    check_credentials(&credentials, egress)?;
    let (items, tools): (Vec<_>, Vec<_>) = read.into_iter().map(|selected| (selected.item, selected.tool)).unzip();
    let PlannedChanges { changes, items: change_items, refused: refused_changes } = planned;
    let options = options_with_members(&commit.document.options, import);
    let document = Some(ImportedDocument { options, ..commit.document });
    let on_conflict = commit.on_conflict;
    let storage_import = ToolImport { tools, on_conflict, credentials, document, changes };
    let (storage, actor) = (request.storage(), request.actor()?);
    let outcomes = storage.import_tools(&actor, request.visibility(), commit.server_id, storage_import).await?;
    let mut reply = ToolImportOut::new(outcomes.document_id);
    for (item, outcome) in items.iter().zip(outcomes.tools).chain(change_items.iter().zip(outcomes.changes)) {
        let is_refused = refused_changes.iter().any(|(_, name, _)| *name == outcome.name);
        if !is_refused {
            reply.add(item, outcome);
        }
    }
    let refused_changes = refused_changes.into_iter();
    let refused_changes = refused_changes.map(|(item, name, faults)| RefusedTool { item, name, faults, pointer: None });
    for refused in refused.into_iter().chain(refused_changes).chain(unknown_ids(import, commit.selected)) {
        reply.add_failed(&refused.item, refused.name, &refused.faults, refused.pointer);
    }
    Ok(reply)
}

/// Fails unless the document is the one that the candidates were selected from.
pub(super) fn check_sha256(expected: Option<&str>, import: &ApiImport) -> Result<(), RestError> {
    match expected {
        Some(sha256) if !sha256.eq_ignore_ascii_case(&import.document_sha256) => {
            Err(RestError::document_changed(&import.document_sha256))
        }
        _ => Ok(()),
    }
}

fn selected_ids(args: &ImportApiArgs) -> Result<Vec<String>, RestError> {
    match &args.selected_temp_ids {
        Some(selected) => Ok(strings("selected_temp_ids", selected)?),
        None => Err(RestError::missing_params(&["selected_temp_ids"])),
    }
}

/// The positions of the selected candidates.
fn select(import: &ApiImport, selected: &[String]) -> Vec<usize> {
    let ids: HashSet<&str> = selected.iter().map(String::as_str).collect();
    let is_selected = |candidate: &Candidate| ids.contains(ALL) || ids.contains(candidate.temp_id.as_str());
    let positions = import.candidates.iter().enumerate();
    positions.filter(|(_, candidate)| is_selected(candidate)).map(|(position, _)| position).collect()
}

/// The selected ids that no candidate has.
fn unknown_ids(import: &ApiImport, selected: &[String]) -> Vec<RefusedTool> {
    let known: HashSet<&str> = import.candidates.iter().map(|candidate| candidate.temp_id.as_str()).collect();
    let unknown = selected.iter().filter(|id| *id != ALL && !known.contains(id.as_str())).map(|id| {
        let message = "No candidate has this temp_id. A filter may leave it out, or the document has changed.";
        RefusedTool {
            item: ImportItem::Candidate(id.clone()),
            name: String::new(),
            faults: Fault::invalid_value("selected_temp_ids", message).into(),
            pointer: None,
        }
    });
    unknown.collect()
}

/// Validates the candidates by the rules for tools.
fn read_tools(
    request: &ApiRequest,
    imported_status: ToolStatus,
    candidates: &[&Candidate],
) -> (Vec<SelectedTool>, Vec<RefusedTool>) {
    let (mut tools, mut refused) = (Vec::with_capacity(candidates.len()), Vec::new());
    for candidate in candidates {
        let item = ImportItem::Candidate(candidate.temp_id.clone());
        let status = candidate.status.unwrap_or(imported_status);
        let body = serde_json::value::to_raw_value(candidate)
            .map_err(|error| Fault::invalid_value("body", error.to_string()).into());
        match body.and_then(|body| read_tool(&body, status, &request.context.config.egress)) {
            Ok(mut new) => {
                new.spec.shaping = Some(JsonObject::from_stored(NEW_TOOL_SHAPING.to_owned()));
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

/// The document of an import, without its overlay and options.
pub(super) fn imported_document(import: &ApiImport, source: DocumentSource) -> ImportedDocument {
    let title = import.info.title.clone();
    let names = [title.as_str(), source.url.as_deref().unwrap_or_default(), import.format];
    let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    ImportedDocument {
        target: None,
        name: name.chars().take(toolgate_domain::text::NAME_MAX).collect(),
        url: source.url.clone(),
        url_headers: source.url_headers,
        format: import.format.to_owned(),
        version: import.version.clone(),
        title,
        sha256: import.document_sha256.clone(),
        content: source.content.to_vec(),
        overlay: None,
        options: JsonObject::empty(),
    }
}
