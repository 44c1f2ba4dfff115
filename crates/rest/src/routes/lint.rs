//! `/servers/{server_id}/lint`: what the list of tools of a server costs, and what makes models fail with it.

use std::collections::HashSet;

use serde_json::Value;
use toolgate_analytics::ToolsQuery;
use toolgate_discovery::group::tool_group;
use toolgate_discovery::lint::{LintReport, LintedServer, LintedTool, lint};
use toolgate_domain::discovery::{DiscoveryMode, DiscoveryRule};
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::server::Server;
use toolgate_domain::settings::default_shaping;
use toolgate_domain::shaping::Shaping;
use toolgate_domain::tokens::TokenCount;
use toolgate_domain::tool::{ResponseType, Tool, ToolStatus};
use toolgate_storage::{ToolFilter, UsageByTool};

use super::object_doc;
use super::range::TimeRange;
use crate::blocking;
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::lint::ServerLintOut;

/// Most tools that are checked inline: each takes less than a tenth of a millisecond.
const INLINE_TOOLS_MAX: usize = 20;

pub(super) fn route() -> Route {
    Operation::new(
        "lintServer",
        "Get the estimated tokens of the active tools of a server, and what makes models fail with them.",
    )
    .read("/servers/{server_id}/lint", lint_server)
    .reply(object_doc::<ServerLintOut>(200))
}

async fn lint_server(request: ApiRequest) -> Result<ApiReply, RestError> {
    let (server_id, visibility) = (request.parent_server_id(), request.visibility());
    let server = request.storage().server(visibility, server_id).await?;
    let filter = ToolFilter { status: Some(ToolStatus::Active), ..ToolFilter::default() };
    let tools = request.storage().list_tools(visibility, server_id, &filter, None).await?.items;
    let used = used_tools(&request, server_id).await?;
    let is_quick = tools.len() <= INLINE_TOOLS_MAX;
    let (report, mode) = blocking::run_blocking_unless(is_quick, || lint_tools(&server, &tools, used.as_ref()));
    ApiReply::ok(&ServerLintOut::new(report, mode))
}

/// The tools with calls in the last thirty days; `None` if a report cannot cover the server.
async fn used_tools(request: &ApiRequest, server_id: ServerId) -> Result<Option<HashSet<ToolId>>, RestError> {
    let (from, until) = TimeRange::default().with_defaults(request.now());
    let visibility = request.visibility();
    let query = ToolsQuery { visibility, server: Some(server_id), from, until, unused: Some(false) };
    request.context.services.recorder.flush().await;
    Ok(match toolgate_analytics::tools(request.storage(), &query).await? {
        UsageByTool::Tools(tools) => Some(tools.iter().map(|tool| tool.tool_id).collect()),
        UsageByTool::TooManyTools | UsageByTool::TooManyDays { .. } => None,
    })
}

fn lint_tools(server: &Server, tools: &[Tool], used: Option<&HashSet<ToolId>>) -> (LintReport, DiscoveryMode) {
    let settings = server.spec.settings.as_ref().map(JsonObject::members).unwrap_or_default();
    let default_shaping = default_shaping(server.spec.settings.as_ref());
    let schemas: Vec<Value> = tools.iter().map(|tool| tool.spec.input_schema.to_value()).collect();
    let linted = tools.iter().zip(&schemas).map(|(tool, input_schema)| LintedTool {
        id: tool.id,
        name: &tool.spec.name,
        description: &tool.spec.description,
        input_schema,
        has_output_schema: tool.spec.output_schema.is_some(),
        is_used: used.is_none_or(|used| used.contains(&tool.id)),
        group: tool_group(tool.spec.tags.as_slice().first().map(String::as_str), tool.spec.endpoint_url.as_str()),
        is_pinned: tool.spec.pinned,
        has_budget: budget(tool, default_shaping.as_ref()).is_some(),
        other_tokens: other_tokens(tool),
    });
    let discovery = DiscoveryRule::from_settings(&settings);
    let server = LintedServer {
        slug: server.slug.as_str(),
        discovery: &discovery,
        has_safe_names: settings.get("safe_tool_names").is_none_or(|value| value.get() != "false"),
    };
    (lint(&server, &linted.collect::<Vec<_>>()), discovery.mode)
}

/// The budget of the responses of a tool: its own, else that of its server.
fn budget(tool: &Tool, default: Option<&Shaping>) -> Option<usize> {
    if tool.spec.response_type == ResponseType::Mcp {
        return None;
    }
    match &tool.spec.shaping {
        Some(own) => Shaping::parse(own).ok()?.max_tokens,
        None => default?.max_tokens,
    }
}

fn other_tokens(tool: &Tool) -> TokenCount {
    let documents = [&tool.spec.output_schema, &tool.spec.annotations];
    documents.into_iter().flatten().map(|document| TokenCount::from_text(document.as_str())).sum()
}
