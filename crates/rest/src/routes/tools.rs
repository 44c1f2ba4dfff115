//! `/servers/{server_id}/tools` and `/tools`.

use serde_json::json;
use toolgate_domain::fault::{Fault, FaultKind, Faults};
use toolgate_domain::ids::ToolId;
use toolgate_domain::tool::{TOOLS_MAX, ToolPatch, ToolSpec, ToolStatus};
use toolgate_execution::egress::EgressRule;
use toolgate_storage::NewTool;

use super::{DEFAULT_PAGE_SIZE, deleted, force_arg, import_curl, list, one, only, paging_args, tool_fields, tool_test};
use crate::call::Call;
use crate::error::RestError;
use crate::params::{Arg, Args, Items};
use crate::reply::Reply;
use crate::route::{ReplyDoc, Route, handler};
use crate::wire::{COPIED_FIELDS, ToolOut};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read(
            "/servers/{server_id}/tools",
            "listTools",
            "List the tools of a server by their order; all of them, unless a page is asked for.",
            handler!(list_tools),
        )
        .args(list_args())
        .reply(list::<ToolOut<'_>>()),
        Route::create("/servers/{server_id}/tools", "createTool", "Create a tool.", handler!(create))
            .args(tool_fields::fields(true))
            .rules(|args, config| tool_fields::patch(args, &config.egress).map(drop))
            .reply(one::<ToolOut<'_>>(201))
            .errors(&[409]),
        Route::create(
            "/servers/{server_id}/tools/reorder",
            "reorderTools",
            "Put tools first, in the given order; the others follow in theirs.",
            handler!(reorder),
        )
        .args(vec![Arg::array("tool_ids", Items::Integers, "Tools of this server, first to last.").required()])
        .reply(ReplyDoc::json(200, reordered_schema())),
        import_curl::route(),
        Route::read("/tools/{id}", "getTool", "Get a tool.", handler!(get)).reply(one::<ToolOut<'_>>(200)),
        Route::update(
            "/tools/{id}",
            "updateTool",
            "Change fields of a tool; what is not sent stays as it is.",
            handler!(update),
        )
        .args(tool_fields::fields(false))
        .rules(|args, config| tool_fields::patch(args, &config.egress).map(drop))
        .reply(one::<ToolOut<'_>>(200))
        .errors(&[409]),
        Route::delete("/tools/{id}", "deleteTool", "Delete a tool.", handler!(delete))
            .args(vec![force_arg()])
            .reply(deleted::<ToolOut<'_>>()),
        Route::create(
            "/tools/{id}/toggle",
            "toggleTool",
            "Pause an active tool; activate a paused one.",
            handler!(toggle),
        )
        .reply(one::<ToolOut<'_>>(200)),
        Route::create(
            "/tools/{id}/duplicate",
            "duplicateTool",
            "Copy a tool, credentials included, to the end of the same server.",
            handler!(duplicate),
        )
        .reply(only::<ToolOut<'_>>(201, COPIED_FIELDS)),
        tool_test::route(),
    ]
}

fn list_args() -> Vec<Arg> {
    let mut args = paging_args().to_vec();
    args.push(Arg::filter("status", ToolStatus::NAMES, "Only tools of this status; empty for all."));
    args
}

fn reordered_schema() -> serde_json::Value {
    json!({"type": "object", "required": ["reordered"], "properties": {"reordered": {"type": "boolean"}}})
}

async fn list_tools(call: Call) -> Result<Reply, RestError> {
    let page = call.args.page(DEFAULT_PAGE_SIZE);
    let status = call.args.text("status").and_then(ToolStatus::parse);
    let listing = call.storage().list_tools(call.visibility(), call.server_id(), status, page).await?;
    Reply::list(&call, &listing, page, ToolOut::from)
}

async fn create(call: Call) -> Result<Reply, RestError> {
    let new = new_tool(&call.args, &call.context.config.egress)?;
    let tool = call.storage().create_tool(&call.actor()?, call.visibility(), call.server_id(), new).await?;
    Reply::created(&ToolOut::from(&tool), &call.link(&format!("/tools/{}", tool.id)))
}

/// A tool to be made.
pub(super) fn new_tool(args: &Args, egress: &EgressRule) -> Result<NewTool, RestError> {
    let patch = tool_fields::patch(args, egress)?;
    let Some(url) = patch.endpoint_url.clone() else {
        return Err(RestError::missing_params(&["endpoint_url"]));
    };
    Ok(NewTool { spec: ToolSpec::new(String::new(), url), patch })
}

fn tool_patch(call: &Call) -> Result<ToolPatch, Faults> {
    tool_fields::patch(&call.args, &call.context.config.egress)
}

async fn get(call: Call) -> Result<Reply, RestError> {
    Reply::ok(&ToolOut::from(&call.storage().tool(call.visibility(), call.tool_id()).await?))
}

async fn update(call: Call) -> Result<Reply, RestError> {
    let patch = tool_patch(&call)?;
    let tool = call.storage().update_tool(&call.actor()?, call.visibility(), call.tool_id(), patch).await?;
    Reply::ok(&ToolOut::from(&tool))
}

async fn delete(call: Call) -> Result<Reply, RestError> {
    let tool = call.storage().delete_tool(&call.actor()?, call.visibility(), call.tool_id()).await?;
    Reply::deleted(&ToolOut::from(&tool))
}

async fn toggle(call: Call) -> Result<Reply, RestError> {
    let tool = call.storage().toggle_tool(&call.actor()?, call.visibility(), call.tool_id()).await?;
    Reply::ok(&ToolOut::from(&tool))
}

async fn duplicate(call: Call) -> Result<Reply, RestError> {
    let tool = call.storage().duplicate_tool(&call.actor()?, call.visibility(), call.tool_id()).await?;
    let reply = Reply::created(&ToolOut::from(&tool), &call.link(&format!("/tools/{}", tool.id)))?;
    Ok(reply.only(COPIED_FIELDS))
}

async fn reorder(call: Call) -> Result<Reply, RestError> {
    let ids: Vec<ToolId> = call.args.integers("tool_ids")?.into_iter().map(ToolId).collect();
    if ids.is_empty() {
        return Err(Fault::new("tool_ids", FaultKind::TooFewItems, "tool_ids must contain at least 1 item.").into());
    }
    if i64::try_from(ids.len()).is_ok_and(|count| count > TOOLS_MAX) {
        let message = format!("tool_ids must contain at most {TOOLS_MAX} items.");
        return Err(Fault::new("tool_ids", FaultKind::TooManyItems, message).into());
    }
    call.storage().reorder_tools(&call.actor()?, call.visibility(), call.server_id(), &ids).await?;
    Reply::ok(&json!({"reordered": true}))
}
