//! `/documents/{id}/refresh`: compares the tools of a document with another version of it, and, with `commit`, applies
//! the differences.

use bytes::Bytes;
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;
use toolgate_domain::api_document::ApiDocument;
use toolgate_domain::endpoint_url::URL_MAX;
use toolgate_domain::fault::Fault;
use toolgate_domain::headers::SecretHeaders;
use toolgate_domain::ids::DocumentId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::member::ServerRole;
use toolgate_domain::tool::ToolStatus;
use toolgate_domain::tool_import::ConflictRule;
use toolgate_import::api;
use toolgate_import::api::candidate::Candidate;
use toolgate_import::api::drift::ToolDrift;
use toolgate_import::api::report::ApiImport;
use toolgate_storage::{DocumentTarget, ImportedDocument, StorageError};

use super::arguments::{DocumentLocation, texts};
use super::commit::{DocumentCommit, check_sha256, imported_document, write};
use super::comparison::{DocumentComparison, NewVersion, ToolComparison, compare};
use super::credential_use;
use super::source::{self, DocumentSource, SourceArgs};
use super::stored_import::{options_with_credentials, stored_options};
use crate::error::RestError;
use crate::params::{BodyFormat, Items, arguments, strings, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::routes::required_role::require_role;
use crate::wire::document_drift::{AddedOperationOut, DocumentDriftOut, DriftedToolOut};
use crate::wire::tool_import::ToolImportOut;

const SUMMARY: &str = "Compare the tools of a document with a new version of it, or with an earlier one. With commit, apply \
     the differences.";

arguments! {
    /// The arguments of a refresh.
    struct RefreshArgs {
        source: Option<DocumentLocation> =
            arg::one_of::<DocumentLocation>("Where the document is: in content, at url, or in file. Default: where the request has one, else the stored url."),
        url: Option<String> = arg::text(URL_MAX, "URL of the document; the stored one by default."),
        url_headers: Option<JsonObject> =
            arg::object("Headers for fetching the document; the stored ones by default, if the URL is the stored one.")
                .with_schema(json!({"additionalProperties": {"type": "string"}})),
        revision: Option<i64> =
            arg::integer(&(1..=i64::MAX), "One of the stored versions, instead of a new one, to undo later versions."),
        credentials: Option<JsonObject> =
            arg::object("Write-only. Credentials by name of a security scheme, in the form of auth_credentials.")
                .with_schema(json!({"additionalProperties": {"type": "object"}})),
        variables: Option<JsonObject> =
            arg::object("Write-only. Values of the variables of a Postman collection; they are not stored.")
                .with_schema(json!({"additionalProperties": {"type": "string"}})),
        commit: bool = arg::boolean("Apply the differences to the tools and store the document.").default(false),
        selected_temp_ids: Option<Vec<Box<RawValue>>> =
            arg::array(Items::Strings, "Breaking changes to apply, and further candidates to create: their temp_id; * for all breaking changes."),
        accept_breaking: bool = arg::boolean("Apply all breaking changes.").default(false),
        added: Option<String> =
            arg::one_of_names(&["create", "skip"], "What happens to new operations: create makes a paused tool of each, skip only of the selected ones.")
                .default("create"),
        removed: Option<String> =
            arg::one_of_names(&["pause", "delete"], "What happens to tools whose operations are gone.").default("pause"),
        document_sha256: Option<String> =
            arg::text(64, "Digest of the document that was compared; another document is refused."),
    }
    ignoring {
        content = arg::text(usize::MAX, "The document, JSON or YAML, as a text or a JSON object; at most 10 MiB."),
        file = arg::text(usize::MAX, "The document as a part of multipart/form-data."),
    }
}

pub(super) fn route() -> Route {
    Operation::new("refreshDocument", SUMMARY)
        .create("/documents/{id}/refresh", refresh)
        .body_format(BodyFormat::Document)
        .reply(super::reply::refresh_doc())
        .errors(&[409])
}

async fn refresh(mut request: ApiRequest, args: RefreshArgs) -> Result<ApiReply, RestError> {
    let document = request.storage().document(request.visibility(), request.id(DocumentId)).await?;
    require_role(&request, document.server_id, ServerRole::Editor).await?;
    credential_use::check_values(args.credentials.as_ref())?;
    let user = request.principal()?.user_id();
    let permit = request.context.import_limit.try_acquire(user).ok_or_else(RestError::too_many_imports)?;
    let upload = request.upload.take();
    let source = load(&request, &args, &document, upload).await?;
    request.renew_principal().await?;
    let mut options = stored_options(&document, &document.overlay, &request.context.config.egress)?;
    options.document_url.clone_from(&source.url);
    options.variables = texts("variables", args.variables.as_ref())?;
    let given = args.credentials.as_ref().map(JsonObject::to_map).unwrap_or_default();
    options.credentials.extend(given.into_iter().map(|(name, _)| name));
    let new = NewVersion::Content(source.content.clone(), Box::new(options));
    let (comparison, permit) = compare(&request, &document, new, permit).await?;
    check_sha256(args.document_sha256.as_deref(), &comparison.import)?;
    let drift = drift(&comparison);
    let reply = if args.commit {
        let outcome = commit(&request, &args, &document, &comparison, source).await?;
        ApiReply::ok(&RefreshOutcome { drift, outcome })
    } else {
        ApiReply::ok(&RefreshPreview { drift, import: &comparison.import })
    };
    drop(permit);
    reply
}

/// The differences, and the new version.
#[derive(Serialize)]
struct RefreshPreview<'a> {
    drift: DocumentDriftOut,
    #[serde(flatten)]
    import: &'a ApiImport,
}

/// The differences, and the outcome of applying them.
#[derive(Serialize)]
struct RefreshOutcome {
    drift: DocumentDriftOut,
    #[serde(flatten)]
    outcome: ToolImportOut,
}

/// The version to compare with: a stored one, the one in the request, or the one at the sent or the stored URL.
async fn load(
    request: &ApiRequest,
    args: &RefreshArgs,
    document: &ApiDocument,
    upload: Option<Bytes>,
) -> Result<DocumentSource, RestError> {
    if let Some(revision) = args.revision {
        if upload.is_some() || args.url.is_some() {
            let message = "revision names a stored version. Send only one of revision, a document, or url.";
            return Err(Fault::invalid_value("revision", message).into());
        }
        return stored_version(request, document, revision).await;
    }
    let sent_url = args.url.clone().filter(|url| !url.is_empty());
    let is_fetched = upload.is_none() || args.source == Some(DocumentLocation::Url);
    let url = sent_url.or_else(|| document.url.clone());
    if is_fetched && url.is_none() && args.source.is_none() {
        let message = "content is missing, and the document has no stored url. Send content, file or url, or set url \
                       with PATCH /documents/{id}.";
        return Err(Fault::invalid_value("content", message).into());
    }
    // The stored headers are secret, so they are sent to the stored URL only.
    let stored_headers = if is_fetched && url == document.url {
        request.storage().document_url_headers(document.id).await?
    } else {
        SecretHeaders::new()
    };
    let source_args = SourceArgs {
        location: args.source,
        url,
        url_headers: args.url_headers.as_ref(),
        stored_headers,
        is_stored: args.commit,
    };
    source::load(request, source_args, upload).await
}

async fn stored_version(
    request: &ApiRequest,
    document: &ApiDocument,
    revision: i64,
) -> Result<DocumentSource, RestError> {
    let version = request.storage().document_version(request.visibility(), document.id, Some(revision)).await;
    match version {
        Err(StorageError::NotFound(_)) => {
            let message =
                format!("revision {revision} is not stored. Only the last 5 versions of a document are stored.");
            Err(Fault::invalid_value("revision", message).into())
        }
        version => {
            Ok(DocumentSource { content: version?.content.into(), url: document.url.clone(), url_headers: None })
        }
    }
}

fn drift(comparison: &DocumentComparison) -> DocumentDriftOut {
    let mut drift = DocumentDriftOut::new(comparison.import.overlay_orphans.clone());
    for candidate in comparison.added.iter().filter_map(|position| comparison.import.candidates.get(*position)) {
        drift.add_operation(AddedOperationOut::new(candidate.operation.clone(), candidate.temp_id.clone()));
    }
    for compared in &comparison.tools {
        match &compared.drift {
            ToolDrift::Unchanged => drift.add_unchanged(),
            ToolDrift::NotReadable { .. } => {}
            ToolDrift::Removed => drift.add_removed(drifted_tool(compared)),
            ToolDrift::Changed(_) => drift.add_changed(drifted_tool(compared)),
            ToolDrift::Breaking(_, changes) => drift.add_breaking(drifted_tool(compared), changes.clone()),
        }
    }
    drift
}

fn drifted_tool(compared: &ToolComparison) -> DriftedToolOut {
    let tool = &compared.tool;
    let old = tool.origin.as_ref().map_or("", |origin| origin.operation.as_str());
    let (operation, temp_id) = match &compared.update {
        Some(update) => (update.operation.clone(), update.temp_id.clone()),
        None => (old.to_owned(), api::temp_id(old)),
    };
    DriftedToolOut::new(operation, temp_id, tool.id, tool.spec.name.clone())
}

async fn commit(
    request: &ApiRequest,
    args: &RefreshArgs,
    document: &ApiDocument,
    comparison: &DocumentComparison,
    source: DocumentSource,
) -> Result<ToolImportOut, RestError> {
    let selected = strings("selected_temp_ids", args.selected_temp_ids.as_deref().unwrap_or_default())?;
    let accepts_all = args.accept_breaking || selected.iter().any(|id| id == "*");
    let imported = ImportedDocument {
        target: Some(DocumentTarget::new(document)),
        overlay: None,
        options: options_with_credentials(document, args.credentials.as_ref()),
        ..imported_document(&comparison.import, source)
    };
    let commit = DocumentCommit {
        server_id: document.server_id,
        document: imported,
        created: created(comparison, &selected, args.added.as_deref() != Some("skip")),
        accepts: &|temp_id: &str| accepts_all || selected.iter().any(|id| id == temp_id),
        selected: &selected,
        deletes_removed: args.removed.as_deref() == Some("delete"),
        status: ToolStatus::Paused,
        on_conflict: ConflictRule::Duplicate,
        credentials: args.credentials.as_ref(),
    };
    write(request, comparison, commit).await
}

/// Positions of the candidates to create: the added operations, unless they are skipped, and the selected candidates
/// that are not tools yet.
fn created(comparison: &DocumentComparison, selected: &[String], creates_added: bool) -> Vec<usize> {
    let imported = comparison.imported_positions();
    let candidates = comparison.import.candidates.iter().enumerate();
    let is_created = |(position, candidate): &(usize, &Candidate)| {
        (creates_added && comparison.added.contains(position))
            || (selected.contains(&candidate.temp_id) && !imported.contains(position))
    };
    candidates.filter(is_created).map(|(position, _)| position).collect()
}
