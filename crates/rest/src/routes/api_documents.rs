//! `/servers/{server_id}/documents` and `/documents/{id}`: the documents that tools were imported from.

use axum::body::Body;
use serde_json::json;
use toolgate_domain::api_document::{ApiDocument, DocumentPatch};
use toolgate_domain::change::Change;
use toolgate_domain::endpoint_url::URL_MAX;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::headers::SentHeaders;
use toolgate_domain::ids::DocumentId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::member::ServerRole;
use toolgate_domain::text::{self, NAME_MAX};
use toolgate_domain::tool::{ToolPatch, ToolStatus};
use toolgate_import::api::drift::ToolDrift;
use toolgate_import::api::{self, document::archive};
use toolgate_storage::{ToolChange, ToolChangeKind, ToolUpdate};

use super::import_api::changes::tool_update;
use super::import_api::comparison::{NewVersion, ToolComparison, compare};
use super::import_api::credentials::stored_credentials;
use super::import_api::source::check_document_url;
use super::import_api::stored_url::check_stored_url;
use super::required_role::require_role;
use super::{PagingArgs, deletion_doc, object_doc, paged_list_doc};
use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Operation, ReplyDoc, Route};
use crate::wire::api_document::ApiDocumentOut;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new("listDocuments", "List the documents that tools of a server were imported from.")
            .read("/servers/{server_id}/documents", list_documents)
            .reply(paged_list_doc::<ApiDocumentOut<'_>>()),
        Operation::new("getDocument", "Get a document, without its content.")
            .read("/documents/{id}", get)
            .reply(object_doc::<ApiDocumentOut<'_>>(200)),
        Operation::new("updateDocument", "Update a document. Fields that are not sent stay unchanged.")
            .update("/documents/{id}", update)
            .reply(object_doc::<ApiDocumentOut<'_>>(200))
            .errors(&[409]),
        Operation::new("deleteDocument", "Delete a document. Its tools stay, unless tools is delete.")
            .delete("/documents/{id}", delete)
            .reply(deletion_doc::<ApiDocumentOut<'_>>()),
        Operation::new(
            "getDocumentContent",
            "Get the original content of a document. Collections and recordings are refused, because they contain credentials.",
        )
            .read("/documents/{id}/content", content)
            .reply(ReplyDoc::json(200, json!({})).format(Format::Document)),
    ]
}

arguments! {
    struct DocumentFields {
        name: Option<String> = arg::text(NAME_MAX, "Name of the document."),
        url: Change<String> =
            arg::text(URL_MAX, "URL from which the document is fetched; null if the document is always sent.").nullable(),
        url_headers: Option<JsonObject> =
            arg::object("Headers for fetching the document. All values are secret and returned as ********.")
                .with_schema(json!({"additionalProperties": {"type": "string"}})),
        overlay: Option<JsonObject> =
            arg::object("Changes to the tools, by operation. They apply to the stored tools and to later versions of the document."),
        credentials: Option<JsonObject> =
            arg::object("Write-only. Secret values by name of a credential of the server, in the form of auth_credentials."),
    }
}

arguments! {
    struct DeleteDocumentArgs {
        tools: Option<String> =
            arg::one_of_names(&["keep", "delete"], "Whether the tools of the document are deleted as well.")
                .in_query()
                .default("keep"),
    }
    ignoring {
        force = arg::boolean("Accepted for WordPress clients; deletions are always permanent.").in_query(),
    }
}

arguments! {
    struct ContentArgs {
        revision: Option<i64> =
            arg::integer(&(1..=i64::MAX), "One of the stored versions; the newest by default.").in_query(),
    }
}

async fn list_documents(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    let listing = request.storage().list_documents(request.visibility(), request.parent_server_id(), page).await?;
    ApiReply::list(&request, &listing, page, ApiDocumentOut::new)
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let document = request.storage().document(request.visibility(), request.id(DocumentId)).await?;
    ApiReply::ok(&ApiDocumentOut::new(&document))
}

async fn update(request: ApiRequest, fields: DocumentFields) -> Result<ApiReply, RestError> {
    let id = request.id(DocumentId);
    let document = request.storage().document(request.visibility(), id).await?;
    let server_id = document.server_id;
    require_role(&request, server_id, ServerRole::Editor).await?;
    let sent = fields.credentials.clone();
    let patch = patch(&request, fields)?;
    let credentials = match sent {
        Some(sent) => stored_credentials(&request, server_id, &sent).await?,
        None => Vec::new(),
    };
    let changes = match &patch.overlay {
        Some(overlay) => overlay_changes(&request, &document, overlay).await?,
        None => Vec::new(),
    };
    let (storage, actor) = (request.storage(), request.actor()?);
    let document = storage.update_document(&actor, request.visibility(), id, patch, changes, credentials).await?;
    ApiReply::ok(&ApiDocumentOut::new(&document))
}

/// The changes that a new overlay makes to the tools of a document. A tool whose operation the overlay hides is paused.
async fn overlay_changes(
    request: &ApiRequest,
    document: &ApiDocument,
    overlay: &JsonObject,
) -> Result<Vec<ToolChange>, RestError> {
    let user = request.principal()?.user_id();
    let permit = request.context.import_limit.try_acquire(user).ok_or_else(RestError::too_many_imports)?;
    let (comparison, permit) = compare(request, document, NewVersion::Overlay(overlay.clone()), permit).await?;
    let mut changes = Vec::new();
    for ToolComparison { tool, drift, update } in comparison.tools {
        let update = match (update, drift, &tool.origin) {
            (Some(update), ..) => {
                let update = tool_update(&update, &request.context.config.egress);
                update.map_err(|faults| faults.inside(&format!("overlay[{}]", tool.spec.name)))?
            }
            (None, ToolDrift::NotReadable { was_readable: true }, Some(origin)) => {
                let patch = ToolPatch { status: Some(ToolStatus::Paused), ..ToolPatch::default() };
                ToolUpdate { patch, operation: origin.operation.clone(), hash: origin.hash.clone() }
            }
            _ => continue,
        };
        let kind = ToolChangeKind::Edit(Box::new(update));
        changes.push(ToolChange { tool_id: tool.id, revision: tool.revision, kind });
    }
    drop(permit);
    Ok(changes)
}

fn patch(request: &ApiRequest, fields: DocumentFields) -> Result<DocumentPatch, Faults> {
    let mut faults = Faults::default();
    if let Change::Set(url) = &fields.url {
        let checked = check_document_url("url", url, &request.context.config.egress);
        faults.ok_or_record(checked.and_then(|()| Ok(check_stored_url("url", url, "url_headers")?)));
    }
    if let Some(overlay) = &fields.overlay
        && let Err(error) = api::check_overlay(overlay)
    {
        faults.push(Fault::invalid_value("overlay", error.to_string()));
    }
    let patch = DocumentPatch {
        name: fields.name.and_then(|name| faults.ok_or_record(text::display_name("name", &name))),
        url: fields.url,
        url_headers: fields
            .url_headers
            .and_then(|headers| faults.ok_or_record(SentHeaders::parse("url_headers", &headers))),
        overlay: fields.overlay,
    };
    faults.into_result(patch)
}

async fn delete(request: ApiRequest, args: DeleteDocumentArgs) -> Result<ApiReply, RestError> {
    let with_tools = args.tools.as_deref() == Some("delete");
    let (id, visibility) = (request.id(DocumentId), request.visibility());
    let document = request.storage().delete_document(&request.actor()?, visibility, id, with_tools).await?;
    ApiReply::deleted(&ApiDocumentOut::new(&document))
}

async fn content(request: ApiRequest, args: ContentArgs) -> Result<ApiReply, RestError> {
    let (id, visibility) = (request.id(DocumentId), request.visibility());
    let document = request.storage().document(visibility, id).await?;
    if api::contains_credentials(&document.format) {
        return Err(RestError::document_with_credentials(&document.format));
    }
    let version = request.storage().document_version(visibility, id, args.revision).await?;
    // `document.format` is the format of the newest version; an older one may have contained credentials.
    if version.revision != document.revision
        && tokio::task::block_in_place(|| api::may_hold_credentials(&version.content))
    {
        return Err(RestError::document_with_credentials("postman or har"));
    }
    Ok(ApiReply::stream(media_type(&version.content), Body::from(version.content)))
}

fn media_type(content: &[u8]) -> &'static str {
    match content.trim_ascii_start() {
        _ if archive::is_archive(content) => "application/zip",
        [b'{', ..] => "application/json",
        _ => "application/yaml",
    }
}
