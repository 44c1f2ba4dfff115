//! `describe_tool`: the input schemas of tools that the list does not show, with an example for each.

use std::sync::Arc;

use serde::Deserialize;
use tokio::task::spawn_blocking;
use toolgate_domain::call::FailureReason;
use toolgate_domain::ids::ToolId;
use toolgate_execution::{Failure, ToolOutput};

use super::{find_tool, unknown_tool};
use crate::mcp_request::MessageContext;

/// The most tools of one call.
const NAMES_MAX: usize = 5;

#[derive(Deserialize)]
struct DescribeArguments {
    #[serde(alias = "name")]
    names: NameList,
}

/// Models often send one name without a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum NameList {
    One(String),
    Several(Vec<String>),
}

pub(super) async fn call(context: &MessageContext, arguments: Option<&str>) -> Result<ToolOutput, Failure> {
    let sent: DescribeArguments = serde_json::from_str(arguments.unwrap_or("{}")).map_err(|_| missing_names())?;
    let names = match sent.names {
        NameList::One(name) => vec![name],
        NameList::Several(names) => names,
    };
    if names.is_empty() || names.len() > NAMES_MAX {
        return Err(missing_names());
    }
    let found: Vec<Result<ToolId, Failure>> = names
        .iter()
        .map(|name| find_tool(context, name).map(|tool| tool.id).ok_or_else(|| unknown_tool(context, name)))
        .collect();
    if found.iter().all(Result::is_err) {
        let failures = found.into_iter().filter_map(Result::err);
        let joined = failures.reduce(|mut first, next| {
            first.for_model.message = format!("{} {}", first.for_model.message, next.for_model.message);
            first
        });
        return Err(joined.unwrap_or_else(missing_names));
    }
    let snapshot = Arc::clone(&context.mcp_request.snapshot);
    let describe = move || {
        let search = snapshot.tools.search();
        let lines = found.into_iter().filter_map(|found| match found {
            Ok(id) => search.describe(id),
            Err(failure) => Some(failure.for_model.message),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let text = spawn_blocking(describe).await;
    text.map(ToolOutput::text).map_err(|_| Failure::new(FailureReason::Internal, "The tools cannot be described."))
}

fn missing_names() -> Failure {
    Failure::new(FailureReason::BadArguments, format!("\"names\" must be a list of 1 to {NAMES_MAX} names of tools."))
        .with_model_advice("Call again, for example with {\"names\":[\"list_issues\"]}.")
}
