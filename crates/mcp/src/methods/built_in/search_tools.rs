//! `search_tools`: finds tools that the list does not show.

use std::sync::Arc;

use serde::Deserialize;
use tokio::task::spawn_blocking;
use toolgate_domain::call::FailureReason;
use toolgate_domain::time::Day;
use toolgate_execution::{Failure, ToolOutput};

use crate::mcp_request::MessageContext;

const LIMIT_DEFAULT: u64 = 8;
const LIMIT_MAX: u64 = 20;
/// The time whose calls decide between tools that match equally well, in days.
const CALL_DAYS: i64 = 30;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

#[derive(Deserialize)]
struct SearchArguments {
    query: String,
    group: Option<String>,
    limit: Option<u64>,
}

pub(super) async fn call(context: &MessageContext, arguments: Option<&str>) -> Result<ToolOutput, Failure> {
    let sent: SearchArguments = serde_json::from_str(arguments.unwrap_or("{}")).map_err(|_| missing_query())?;
    let limit = sent.limit.unwrap_or(LIMIT_DEFAULT).clamp(1, LIMIT_MAX);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let snapshot = Arc::clone(&context.mcp_request.snapshot);
    let server = snapshot.server.id;
    let tomorrow = Day::from_timestamp(context.service().clock.now()).start().plus_millis(DAY_MS);
    let catalog = &context.service().catalog;
    let load = || catalog.tool_calls(server, tomorrow.plus_millis(-CALL_DAYS * DAY_MS), tomorrow);
    let calls = snapshot.tools.discovery.calls(load).await.to_vec();
    let groups = context.mcp_request.groups.clone();
    let find = move || {
        let wanted: Option<Vec<String>> = sent.group.as_deref().map(split_groups).filter(|groups| !groups.is_empty());
        let search = snapshot.tools.search();
        let lines = search.find(&sent.query, [groups.as_deref(), wanted.as_deref()], limit, &calls);
        if lines.is_empty() { nothing_found(&search.groups()) } else { lines.join("\n") }
    };
    let found = spawn_blocking(find).await;
    found.map(ToolOutput::text).map_err(|_| Failure::new(FailureReason::Internal, "The search failed."))
}

fn split_groups(text: &str) -> Vec<String> {
    text.split(',').map(|group| group.trim().to_owned()).filter(|group| !group.is_empty()).collect()
}

fn nothing_found(groups: &str) -> String {
    let groups = if groups.is_empty() { String::new() } else { format!(" The groups are {groups}.") };
    format!("No tool matches. Try other words, or leave out the group.{groups}")
}

fn missing_query() -> Failure {
    Failure::new(FailureReason::BadArguments, "\"query\" is missing. It says what you want to do, in a few words.")
        .with_model_advice("Call again, for example with {\"query\":\"close an issue\"}.")
}
