//! `/servers/{server_id}/lint`: the token cost of a server's tools, and the problems that make models fail with them.

mod call_evidence;

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use toolgate_analytics::ToolsQuery;
use toolgate_discovery::group::tool_group;
use toolgate_discovery::lint::{CallEvidence, LintReport, LintedServer, LintedTool, lint};
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
use call_evidence::ObservedTool;

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
    let tools = blocking::run_blocking_unless(is_quick, || prepare(&server, &tools, used.as_ref()));
    let observed: Vec<ObservedTool<'_>> = tools.iter().map(PreparedTool::observed).collect();
    let evidence = call_evidence::read(&request, server_id, &observed).await?;
    let (report, mode) = blocking::run_blocking_unless(is_quick, || lint_tools(&server, &tools, &evidence));
    ApiReply::ok(&ServerLintOut::new(report, mode))
}

/// The tools with calls in the last thirty days; `None` if the server has too many tools for a report.
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

/// A tool with values derived from its fields.
struct PreparedTool<'a> {
    tool: &'a Tool,
    input_schema: Value,
    is_used: bool,
    /// How its responses are shortened: by its own rules, else by those of its server.
    shaping: Option<Shaping>,
}

impl PreparedTool<'_> {
    fn observed(&self) -> ObservedTool<'_> {
        let is_text = self.tool.spec.response_type == ResponseType::Text;
        ObservedTool { id: self.tool.id, input_schema: &self.input_schema, is_shaped: self.shaping.is_some(), is_text }
    }

    fn linted<'a>(&'a self, evidence: Option<&'a CallEvidence>) -> LintedTool<'a> {
        let spec = &self.tool.spec;
        LintedTool {
            id: self.tool.id,
            name: &spec.name,
            description: &spec.description,
            input_schema: &self.input_schema,
            has_output_schema: spec.output_schema.is_some(),
            is_used: self.is_used,
            group: tool_group(spec.tags.as_slice().first().map(String::as_str), spec.endpoint_url.as_str()),
            is_pinned: spec.pinned,
            budget: self.shaping.as_ref().and_then(|shaping| shaping.max_tokens),
            other_tokens: other_tokens(self.tool),
            evidence,
        }
    }
}

fn prepare<'a>(server: &Server, tools: &'a [Tool], used: Option<&HashSet<ToolId>>) -> Vec<PreparedTool<'a>> {
    let default_shaping = default_shaping(server.spec.settings.as_ref());
    let prepared = tools.iter().map(|tool| PreparedTool {
        tool,
        input_schema: tool.spec.input_schema.to_value(),
        is_used: used.is_none_or(|used| used.contains(&tool.id)),
        shaping: shaping(tool, default_shaping.as_ref()),
    });
    prepared.collect()
}

fn shaping(tool: &Tool, default: Option<&Shaping>) -> Option<Shaping> {
    let shaping = match &tool.spec.shaping {
        Some(own) => Shaping::parse(own).ok()?,
        None => default?.clone(),
    };
    Some(shaping).filter(|shaping| tool.spec.response_type == ResponseType::Text && !shaping.is_off())
}

fn other_tokens(tool: &Tool) -> TokenCount {
    let documents = [&tool.spec.output_schema, &tool.spec.annotations];
    documents.into_iter().flatten().map(|document| TokenCount::from_text(document.as_str())).sum()
}

fn lint_tools(
    server: &Server,
    tools: &[PreparedTool<'_>],
    evidence: &HashMap<ToolId, CallEvidence>,
) -> (LintReport, DiscoveryMode) {
    let settings = server.spec.settings.as_ref().map(JsonObject::members).unwrap_or_default();
    let discovery = DiscoveryRule::from_settings(&settings);
    let server = LintedServer {
        slug: server.slug.as_str(),
        discovery: &discovery,
        has_safe_names: settings.get("safe_tool_names").is_none_or(|value| value.get() != "false"),
    };
    let linted: Vec<LintedTool<'_>> = tools.iter().map(|tool| tool.linted(evidence.get(&tool.tool.id))).collect();
    (lint(&server, &linted), discovery.mode)
}
