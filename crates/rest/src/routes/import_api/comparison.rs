//! Compares the tools of a document with another version of it, or with another overlay.

use std::collections::{BTreeMap, HashMap, HashSet};

use bytes::Bytes;
use serde_json::{Map, Value};
use toolgate_domain::api_document::ApiDocument;
use toolgate_domain::ids::ToolId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::tool::{Tool, ToolOrigin};
use toolgate_import::api;
use toolgate_import::api::candidate::Candidate;
use toolgate_import::api::drift::{self, BaseVersion, ComparedTool, NewState, ToolDrift, ToolState};
use toolgate_import::api::error::ApiError;
use toolgate_import::api::known_operations::KnownOperations;
use toolgate_import::api::options::ImportOptions;
use toolgate_import::api::report::ApiImport;
use toolgate_storage::{StorageError, ToolChange, ToolChangeKind, ToolFilter};

use super::stored_import::{known_operations, stored_options};
use crate::concurrency_limit::ConcurrencyPermit;
use crate::error::RestError;
use crate::request::ApiRequest;
use crate::routes::imported_tool;

/// What the tools of a document are compared with.
pub(in crate::routes) enum NewVersion {
    /// Another content, and the options to read it. [`compare`] replaces `known` of the options by the operations of
    /// earlier imports.
    Content(Bytes, Box<ImportOptions>),
    /// The stored content, read with another overlay.
    Overlay(JsonObject),
}

/// The result of comparing the tools of a document with a new version.
pub(in crate::routes) struct DocumentComparison {
    /// The new version.
    pub(super) import: ApiImport,
    pub(in crate::routes) tools: Vec<ToolComparison>,
    /// Positions of the candidates that only the new version has.
    pub(super) added: Vec<usize>,
}

/// The result of comparing one tool with a new version.
pub(in crate::routes) struct ToolComparison {
    pub(in crate::routes) tool: Tool,
    pub(in crate::routes) drift: ToolDrift,
    /// The fields that the new version changes.
    pub(in crate::routes) update: Option<CandidateFields>,
}

/// The fields of a candidate that a tool gets.
pub(in crate::routes) struct CandidateFields {
    pub(super) position: usize,
    pub(super) temp_id: String,
    pub(in crate::routes) operation: String,
    pub(in crate::routes) hash: String,
    pub(in crate::routes) fields: Map<String, Value>,
}

/// A stored version with the options to read it.
struct StoredVersion {
    revision: i64,
    content: Vec<u8>,
    options: ImportOptions,
}

/// Compares the tools of a document on a blocking thread, which holds the permit until it has finished, even if the
/// client disconnects.
pub(in crate::routes) async fn compare(
    request: &ApiRequest,
    document: &ApiDocument,
    new: NewVersion,
    permit: ConcurrencyPermit,
) -> Result<(DocumentComparison, ConcurrencyPermit), RestError> {
    let tools = imported_tools(request, document).await?;
    let operations = tools.iter().filter_map(|tool| Some(tool.origin.as_ref()?.operation.clone()));
    let known = known_operations(document).always_including(operations);
    let mut versions = stored_versions(request, document, &tools, &known).await?;
    if let NewVersion::Content(_, options) = &new {
        // The values of variables are not stored.
        for version in &mut versions {
            version.options.variables.clone_from(&options.variables);
        }
    }
    let newest = document.revision;
    let other_overlay = match &new {
        NewVersion::Overlay(overlay) => Some(options_with_overlay(request, document, overlay, &known, versions.len())?),
        NewVersion::Content(..) => None,
    };
    let compared = tokio::task::spawn_blocking(move || {
        let comparison = match (new, other_overlay) {
            (NewVersion::Content(content, options), _) => {
                compare_content(&versions, (&content, *options), known, tools, newest)
            }
            (NewVersion::Overlay(_), options) => compare_overlays(versions, options.unwrap_or_default(), tools, newest),
        };
        (comparison, permit)
    });
    let (comparison, permit) = compared.await.map_err(|error| RestError::internal(&error))?;
    Ok((comparison?, permit))
}

async fn imported_tools(request: &ApiRequest, document: &ApiDocument) -> Result<Vec<Tool>, RestError> {
    let (storage, visibility) = (request.storage(), request.visibility());
    let mut tools = storage.list_tools(visibility, document.server_id, &ToolFilter::default(), None).await?.items;
    tools.retain(|tool| tool.origin.as_ref().is_some_and(|origin| origin.document_id == document.id));
    Ok(tools)
}

/// The version that a tool was last updated from.
fn base_revision(tool: &Tool, newest: i64) -> i64 {
    tool.origin.as_ref().and_then(|origin| origin.base_revision).unwrap_or(newest)
}

/// The versions that the tools were last updated from, if they are still stored, and the newest one.
async fn stored_versions(
    request: &ApiRequest,
    document: &ApiDocument,
    tools: &[Tool],
    known: &KnownOperations,
) -> Result<Vec<StoredVersion>, RestError> {
    let mut revisions: Vec<i64> = tools.iter().map(|tool| base_revision(tool, document.revision)).collect();
    revisions.push(document.revision);
    revisions.sort_unstable();
    revisions.dedup();
    let mut versions = Vec::with_capacity(revisions.len());
    for revision in revisions {
        let version = request.storage().document_version(request.visibility(), document.id, Some(revision)).await;
        let content = match version {
            Err(StorageError::NotFound(_)) => continue,
            version => version?.content,
        };
        let mut options = stored_options(document, &document.overlay, &request.context.config.egress)?;
        options.known = known.clone();
        versions.push(StoredVersion { revision, content, options });
    }
    Ok(versions)
}

/// The import options with another overlay, once for each of `count` stored versions.
fn options_with_overlay(
    request: &ApiRequest,
    document: &ApiDocument,
    overlay: &JsonObject,
    known: &KnownOperations,
    count: usize,
) -> Result<Vec<ImportOptions>, RestError> {
    let options = || {
        let options = stored_options(document, overlay, &request.context.config.egress)?;
        Ok(ImportOptions { known: known.clone(), ..options })
    };
    (0..count).map(|_| options()).collect()
}

/// `None` if the version can no longer be parsed: its tools are then compared without a base.
fn read_base(version: &StoredVersion) -> Result<Option<(i64, ApiImport)>, ApiError> {
    match api::read(&version.content, &version.options) {
        Ok(import) => Ok(Some((version.revision, import))),
        Err(error @ ApiError::Timeout { .. }) => Err(error),
        Err(_) => Ok(None),
    }
}

fn compare_content(
    versions: &[StoredVersion],
    (content, mut options): (&[u8], ImportOptions),
    mut known: KnownOperations,
    tools: Vec<Tool>,
    newest: i64,
) -> Result<DocumentComparison, ApiError> {
    let bases = versions.iter().filter_map(|version| read_base(version).transpose());
    let bases = bases.collect::<Result<Vec<(i64, ApiImport)>, ApiError>>()?;
    for (_, import) in &bases {
        known.add_ids(&import.candidates);
    }
    options.known = known;
    Ok(compare_tools(bases, api::read(content, &options)?, tools, newest))
}

/// Compares each version with itself under the other overlay, so that a tool never gets fields of a version that it was
/// not updated to.
fn compare_overlays(
    versions: Vec<StoredVersion>,
    options: Vec<ImportOptions>,
    mut tools: Vec<Tool>,
    newest: i64,
) -> Result<DocumentComparison, ApiError> {
    let mut result: Option<DocumentComparison> = None;
    for (version, options) in versions.into_iter().zip(options) {
        let revision = version.revision;
        let own = tools.extract_if(.., |tool| base_revision(tool, newest) == revision).collect();
        let new = api::read(&version.content, &options)?;
        let bases = read_base(&version)?.into_iter().collect();
        let mut comparison = compare_tools(bases, new, own, revision);
        comparison.added.clear();
        match &mut result {
            Some(result) => result.tools.append(&mut comparison.tools),
            None => result = Some(comparison),
        }
    }
    result.ok_or(ApiError::NoPaths)
}

fn compare_tools(
    bases: Vec<(i64, ApiImport)>,
    mut new: ApiImport,
    tools: Vec<Tool>,
    newest: i64,
) -> DocumentComparison {
    let bases: BTreeMap<i64, BaseVersion> =
        bases.into_iter().map(|(revision, import)| (revision, BaseVersion::new(import, &mut new))).collect();
    let compare = |tool: Tool| {
        let versions = [base_revision(&tool, newest), newest].map(|revision| bases.get(&revision));
        let origin = tool.origin.as_ref();
        let drift = origin.map_or(ToolDrift::Unchanged, |origin| compare_tool(&tool, origin, versions, &new));
        let update = match &drift {
            ToolDrift::Changed(state) | ToolDrift::Breaking(state, _) => candidate_fields(&new, state),
            _ => None,
        };
        ToolComparison { tool, drift, update }
    };
    let tools: Vec<ToolComparison> = tools.into_iter().map(compare).collect();
    let added = match bases.get(&newest) {
        Some(base) => base.added(&new),
        // Without a base, the operations of the last version are unknown, so none is reported as added.
        None => Vec::new(),
    };
    let mut comparison = DocumentComparison { import: new, tools, added };
    let imported = comparison.imported_positions();
    comparison.added.retain(|position| !imported.contains(position));
    comparison
}

fn compare_tool(
    tool: &Tool,
    origin: &ToolOrigin,
    [base, newest]: [Option<&BaseVersion>; 2],
    new: &ApiImport,
) -> ToolDrift {
    let state = ToolState::from_tool(&origin.operation, imported_tool::fields(tool));
    let compared =
        ComparedTool { operation: &origin.operation, state: &state, is_removed: origin.is_removed, base, newest };
    drift::compare(compared, new)
}

fn candidate_fields(new: &ApiImport, state: &NewState) -> Option<CandidateFields> {
    let candidate: &Candidate = new.candidates.get(state.candidate)?;
    let all = ToolState::from_candidate(candidate);
    let fields = state.fields.iter().map(|field| ((*field).to_owned(), all.field(field).clone())).collect();
    Some(CandidateFields {
        position: state.candidate,
        temp_id: candidate.temp_id.clone(),
        operation: candidate.operation.clone(),
        hash: candidate.hash(),
        fields,
    })
}

impl DocumentComparison {
    /// Positions of the candidates that already are tools.
    pub(super) fn imported_positions(&self) -> HashSet<usize> {
        let tools = || self.tools.iter().filter_map(|tool| Some((tool, tool.tool.origin.as_ref()?.operation.as_str())));
        let operations: HashSet<&str> = tools().map(|(_, operation)| operation).collect();
        let names: HashSet<(&str, &str)> =
            tools().map(|(tool, operation)| (operation, tool.tool.spec.name.as_str())).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for candidate in &self.import.candidates {
            *counts.entry(&candidate.operation).or_default() += 1;
        }
        let updated: HashSet<usize> =
            self.tools.iter().filter_map(|tool| Some(tool.update.as_ref()?.position)).collect();
        let is_tool = |(position, candidate): &(usize, &Candidate)| {
            let operation = candidate.operation.as_str();
            // Several requests of a collection may have one operation; then the name decides.
            let is_only = counts.get(operation) == Some(&1);
            updated.contains(position)
                || (operations.contains(operation)
                    && (is_only || names.contains(&(operation, candidate.name.as_str()))))
        };
        self.import.candidates.iter().enumerate().filter(is_tool).map(|(position, _)| position).collect()
    }

    /// Whether a tool is skipped, because its change is breaking and not accepted.
    pub(super) fn has_skipped(&self, accepts: &dyn Fn(&str) -> bool) -> bool {
        let is_breaking = |tool: &&ToolComparison| matches!(tool.drift, ToolDrift::Breaking(..));
        let mut breaking = self.tools.iter().filter(is_breaking).filter_map(|tool| tool.update.as_ref());
        breaking.any(|update| !accepts(&update.temp_id))
    }

    /// Adds the candidates of tools whose credential is among those that the client sent with the request: the values
    /// of the credential change even if the tools do not.
    pub(super) fn with_sent_credentials<'a>(
        &'a self,
        mut candidates: Vec<&'a Candidate>,
        sent: Option<&JsonObject>,
    ) -> Vec<&'a Candidate> {
        let sent = sent.map(JsonObject::members).unwrap_or_default();
        let is_sent =
            |candidate: &&Candidate| candidate.credential.as_ref().is_some_and(|name| sent.contains_key(name.as_str()));
        let positions = self.imported_positions().into_iter();
        candidates.extend(positions.filter_map(|position| self.import.candidates.get(position)).filter(is_sent));
        candidates
    }

    /// The candidates of updated tools whose credential or URL changes.
    pub(super) fn changed_candidates(&self, changes: &[ToolChange]) -> Vec<&Candidate> {
        let updated: HashSet<ToolId> = changes
            .iter()
            .filter(|change| matches!(change.kind, ToolChangeKind::Update(_)))
            .map(|change| change.tool_id)
            .collect();
        let changes_credential_or_url = |fields: &CandidateFields| {
            fields.fields.contains_key("credential") || fields.fields.contains_key("endpoint_url")
        };
        let tools = self.tools.iter().filter(|tool| updated.contains(&tool.tool.id));
        let positions =
            tools.filter_map(|tool| tool.update.as_ref()).filter(|fields| changes_credential_or_url(fields));
        positions.filter_map(|fields| self.import.candidates.get(fields.position)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const DOCUMENT: &[u8] = br#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
        "servers": [{"url": "https://api.example"}], "paths": {"/a": {"get": {"responses": {}}}}}"#;

    fn compare(stored: &[u8], options: ImportOptions) -> Result<DocumentComparison, ApiError> {
        let version = StoredVersion { revision: 1, content: stored.to_vec(), options };
        let new = (DOCUMENT, ImportOptions::default());
        compare_content(&[version], new, KnownOperations::default(), Vec::new(), 1)
    }

    #[test]
    fn without_a_readable_base_no_operation_is_reported_as_added() {
        let empty = br#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}}"#;
        for (stored, added) in [(empty.as_slice(), vec![0]), (DOCUMENT, vec![]), (b"{", vec![])] {
            let comparison = compare(stored, ImportOptions::default()).unwrap();
            assert_eq!(comparison.added, added, "{}", String::from_utf8_lossy(stored));
        }
    }

    #[test]
    fn a_base_that_takes_too_long_ends_the_comparison() {
        let options = ImportOptions { time_limit: Duration::ZERO, ..ImportOptions::default() };
        assert!(matches!(compare(DOCUMENT, options), Err(ApiError::Timeout { .. })));
    }
}
