//! `/servers/{server_id}/tools` and `/tools`: the tools of a server.

use serde_json::json;
use serde_json::value::RawValue;
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::ToolId;
use toolgate_domain::tool::{TAG_CHARS_MAX, TOOLS_MAX, ToolSpec, ToolStatus};
use toolgate_execution::egress::EgressRule;
use toolgate_storage::{NewTool, ToolFilter};

use super::tool_fields::{ToolFields, mapping_rule_schema};
use super::{
    DeleteArgs, PagingArgs, deletion_doc, import_curl, imported_tool, object_doc, paged_list_doc, partial_object_doc,
    shaping_proposal, tool_test,
};
use crate::error::RestError;
use crate::params::{Items, arguments, integers, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, ReplyDoc, Route};
use crate::wire::tool::{OMITTED_BY_DUPLICATE, ToolOut};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new(
            "listTools",
            "List the tools of a server in their sort order: all of them, unless page or per_page is sent.",
        )
        .read("/servers/{server_id}/tools", list_tools)
        .reply(paged_list_doc::<ToolOut<'_>>()),
        Operation::new("createTool", "Create a tool.")
            .create("/servers/{server_id}/tools", create)
            .reply(object_doc::<ToolOut<'_>>(201))
            .body_part("MappingRule", mapping_rule_schema())
            .errors(&[409]),
        Operation::new(
            "reorderTools",
            "Move the given tools to the front, in the given order. The other tools follow in their current order.",
        )
        .create("/servers/{server_id}/tools/reorder", reorder)
        .reply(ReplyDoc::named(200, "ReorderedTools", reordered_schema())),
        import_curl::route(),
        Operation::new("getTool", "Get a tool.").read("/tools/{id}", get).reply(object_doc::<ToolOut<'_>>(200)),
        Operation::new("updateTool", "Update a tool. Fields that are not sent stay unchanged.")
            .update("/tools/{id}", update)
            .reply(object_doc::<ToolOut<'_>>(200))
            .errors(&[409]),
        Operation::new("deleteTool", "Delete a tool.")
            .delete("/tools/{id}", delete)
            .reply(deletion_doc::<ToolOut<'_>>()),
        Operation::new("toggleTool", "Pause an active tool, or activate a paused tool.")
            .create("/tools/{id}/toggle", toggle)
            .reply(object_doc::<ToolOut<'_>>(200)),
        Operation::new("duplicateTool", "Copy a tool, credentials included, to the end of the same server.")
            .create("/tools/{id}/duplicate", duplicate)
            .reply(partial_object_doc::<ToolOut<'_>>(201, "Copied", OMITTED_BY_DUPLICATE)),
        tool_test::route(),
        shaping_proposal::route(),
    ]
}

arguments! {
    struct ListToolsArgs {
        ..paging: PagingArgs,
        status: Option<ToolStatus> = arg::filter::<ToolStatus>("Only tools with this status; empty for all."),
        tag: Option<String> =
            arg::text(TAG_CHARS_MAX, "Only tools with this tag; empty for all.").in_query().may_be_empty(),
    }
}

arguments! {
    struct ReorderArgs {
        tool_ids: Option<Vec<Box<RawValue>>> =
            arg::array(Items::Integers, "Tools of this server, first to last.").required(),
    }
}

fn reordered_schema() -> serde_json::Value {
    json!({"type": "object", "required": ["reordered"], "properties": {"reordered": {"type": "boolean"}}})
}

async fn list_tools(
    request: ApiRequest,
    ListToolsArgs { paging, status, tag }: ListToolsArgs,
) -> Result<ApiReply, RestError> {
    let (page, filter) = (paging.page(), ToolFilter { status, tag });
    let listing = request.storage().list_tools(request.visibility(), request.parent_server_id(), &filter, page).await?;
    ApiReply::list(&request, &listing, page, ToolOut::new)
}

async fn create(request: ApiRequest, fields: ToolFields) -> Result<ApiReply, RestError> {
    let new = new_tool(fields, &request.context.config.egress)?;
    let tool =
        request.storage().create_tool(&request.actor()?, request.visibility(), request.parent_server_id(), new).await?;
    ApiReply::created(&ToolOut::new(&tool), &request.link(&format!("/tools/{}", tool.id)))
}

/// A tool to create.
pub(super) fn new_tool(fields: ToolFields, egress: &EgressRule) -> Result<NewTool, RestError> {
    let patch = fields.patch(egress)?;
    let Some(url) = patch.endpoint_url.clone() else {
        return Err(RestError::missing_params(&["endpoint_url"]));
    };
    Ok(NewTool { spec: ToolSpec::new(String::new(), url), patch, origin: None })
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    ApiReply::ok(&ToolOut::new(&request.storage().tool(request.visibility(), request.id(ToolId)).await?))
}

async fn update(request: ApiRequest, fields: ToolFields) -> Result<ApiReply, RestError> {
    let patch = fields.patch(&request.context.config.egress)?;
    let (storage, visibility, id) = (request.storage(), request.visibility(), request.id(ToolId));
    let edit = imported_tool::overlay_edit(&storage.tool(visibility, id).await?, &patch);
    let tool = match edit {
        Some(edit) => storage.update_tool_and_overlay(&request.actor()?, visibility, id, patch, edit).await?,
        None => storage.update_tool(&request.actor()?, visibility, id, patch).await?,
    };
    ApiReply::ok(&ToolOut::new(&tool))
}

async fn delete(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    let tool = request.storage().delete_tool(&request.actor()?, request.visibility(), request.id(ToolId)).await?;
    ApiReply::deleted(&ToolOut::new(&tool))
}

async fn toggle(request: ApiRequest) -> Result<ApiReply, RestError> {
    let tool = request.storage().toggle_tool(&request.actor()?, request.visibility(), request.id(ToolId)).await?;
    ApiReply::ok(&ToolOut::new(&tool))
}

async fn duplicate(request: ApiRequest) -> Result<ApiReply, RestError> {
    let tool = request.storage().duplicate_tool(&request.actor()?, request.visibility(), request.id(ToolId)).await?;
    let reply = ApiReply::created(&ToolOut::new(&tool), &request.link(&format!("/tools/{}", tool.id)))?;
    Ok(reply.without_fields(OMITTED_BY_DUPLICATE))
}

async fn reorder(request: ApiRequest, args: ReorderArgs) -> Result<ApiReply, RestError> {
    let ids = integers("tool_ids", &args.tool_ids.unwrap_or_default())?;
    let ids: Vec<ToolId> = ids.into_iter().map(ToolId).collect();
    if ids.is_empty() {
        return Err(Fault::new("tool_ids", FaultKind::TooFewItems, "tool_ids must contain at least 1 item.").into());
    }
    if i64::try_from(ids.len()).is_ok_and(|count| count > TOOLS_MAX) {
        let message = format!("tool_ids must contain at most {TOOLS_MAX} items.");
        return Err(Fault::new("tool_ids", FaultKind::TooManyItems, message).into());
    }
    request.storage().reorder_tools(&request.actor()?, request.visibility(), request.parent_server_id(), &ids).await?;
    ApiReply::ok(&json!({"reordered": true}))
}
