//! `/servers/{server_id}/tools` and `/tools`.

use serde_json::json;
use toolgate_domain::fault::{Fault, FaultKind, Faults};
use toolgate_domain::ids::ToolId;
use toolgate_domain::tool::{TOOLS_MAX, ToolPatch, ToolSpec, ToolStatus};
use toolgate_execution::egress::EgressRule;
use toolgate_storage::NewTool;

use super::{
    DEFAULT_PAGE_SIZE, deletion_doc, force_arg, import_curl, object_doc, paged_list_doc, paging_args,
    partial_object_doc, tool_fields, tool_test,
};
use crate::error::RestError;
use crate::params::{Arg, Args, Items};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{ReplyDoc, Route, handler};
use crate::wire::{COPIED_FIELDS, ToolOut};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read(
            "/servers/{server_id}/tools",
            "listTools",
            "List the tools of a server in their sort order: all of them, unless page or per_page is sent.",
            handler!(list_tools),
        )
        .args(list_args())
        .reply(paged_list_doc::<ToolOut<'_>>()),
        Route::create("/servers/{server_id}/tools", "createTool", "Create a tool.", handler!(create))
            .args(tool_fields::fields(true))
            .rules(|args, config| tool_fields::patch(args, &config.egress).map(drop))
            .reply(object_doc::<ToolOut<'_>>(201))
            .errors(&[409]),
        Route::create(
            "/servers/{server_id}/tools/reorder",
            "reorderTools",
            "Move the given tools to the front, in the given order. The other tools follow in their current order.",
            handler!(reorder),
        )
        .args(vec![Arg::array("tool_ids", Items::Integers, "Tools of this server, first to last.").required()])
        .reply(ReplyDoc::json(200, reordered_schema())),
        import_curl::route(),
        Route::read("/tools/{id}", "getTool", "Get a tool.", handler!(get)).reply(object_doc::<ToolOut<'_>>(200)),
        Route::update(
            "/tools/{id}",
            "updateTool",
            "Update a tool. Fields that are not sent stay unchanged.",
            handler!(update),
        )
        .args(tool_fields::fields(false))
        .rules(|args, config| tool_fields::patch(args, &config.egress).map(drop))
        .reply(object_doc::<ToolOut<'_>>(200))
        .errors(&[409]),
        Route::delete("/tools/{id}", "deleteTool", "Delete a tool.", handler!(delete))
            .args(vec![force_arg()])
            .reply(deletion_doc::<ToolOut<'_>>()),
        Route::create(
            "/tools/{id}/toggle",
            "toggleTool",
            "Pause an active tool, or activate a paused tool.",
            handler!(toggle),
        )
        .reply(object_doc::<ToolOut<'_>>(200)),
        Route::create(
            "/tools/{id}/duplicate",
            "duplicateTool",
            "Copy a tool, credentials included, to the end of the same server.",
            handler!(duplicate),
        )
        .reply(partial_object_doc::<ToolOut<'_>>(201, COPIED_FIELDS)),
        tool_test::route(),
    ]
}

fn list_args() -> Vec<Arg> {
    let mut args = paging_args().to_vec();
    args.push(Arg::filter("status", ToolStatus::NAMES, "Only tools with this status; empty for all."));
    args
}

fn reordered_schema() -> serde_json::Value {
    json!({"type": "object", "required": ["reordered"], "properties": {"reordered": {"type": "boolean"}}})
}

async fn list_tools(request: ApiRequest) -> Result<ApiReply, RestError> {
    let page = request.args.page(DEFAULT_PAGE_SIZE);
    let status = request.args.text("status").and_then(ToolStatus::parse);
    let listing = request.storage().list_tools(request.visibility(), request.parent_server_id(), status, page).await?;
    ApiReply::list(&request, &listing, page, ToolOut::from)
}

async fn create(request: ApiRequest) -> Result<ApiReply, RestError> {
    let new = new_tool(&request.args, &request.context.config.egress)?;
    let tool =
        request.storage().create_tool(&request.actor()?, request.visibility(), request.parent_server_id(), new).await?;
    ApiReply::created(&ToolOut::from(&tool), &request.link(&format!("/tools/{}", tool.id)))
}

/// A tool to create.
pub(super) fn new_tool(args: &Args, egress: &EgressRule) -> Result<NewTool, RestError> {
    let patch = tool_fields::patch(args, egress)?;
    let Some(url) = patch.endpoint_url.clone() else {
        return Err(RestError::missing_params(&["endpoint_url"]));
    };
    Ok(NewTool { spec: ToolSpec::new(String::new(), url), patch })
}

fn tool_patch(request: &ApiRequest) -> Result<ToolPatch, Faults> {
    tool_fields::patch(&request.args, &request.context.config.egress)
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    ApiReply::ok(&ToolOut::from(&request.storage().tool(request.visibility(), request.tool_id()).await?))
}

async fn update(request: ApiRequest) -> Result<ApiReply, RestError> {
    let patch = tool_patch(&request)?;
    let tool = request.storage().update_tool(&request.actor()?, request.visibility(), request.tool_id(), patch).await?;
    ApiReply::ok(&ToolOut::from(&tool))
}

async fn delete(request: ApiRequest) -> Result<ApiReply, RestError> {
    let tool = request.storage().delete_tool(&request.actor()?, request.visibility(), request.tool_id()).await?;
    ApiReply::deleted(&ToolOut::from(&tool))
}

async fn toggle(request: ApiRequest) -> Result<ApiReply, RestError> {
    let tool = request.storage().toggle_tool(&request.actor()?, request.visibility(), request.tool_id()).await?;
    ApiReply::ok(&ToolOut::from(&tool))
}

async fn duplicate(request: ApiRequest) -> Result<ApiReply, RestError> {
    let tool = request.storage().duplicate_tool(&request.actor()?, request.visibility(), request.tool_id()).await?;
    let reply = ApiReply::created(&ToolOut::from(&tool), &request.link(&format!("/tools/{}", tool.id)))?;
    Ok(reply.retain_fields(COPIED_FIELDS))
}

async fn reorder(request: ApiRequest) -> Result<ApiReply, RestError> {
    let ids: Vec<ToolId> = request.args.integers("tool_ids")?.into_iter().map(ToolId).collect();
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
