//! `GET /tools/{id}/shaping/proposal`: proposes what to leave out of a tool's responses, based on the captured
//! responses of its last calls. All users who can read these calls can read the proposal.

use toolgate_domain::ids::ToolId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::settings::default_shaping_object;
use toolgate_domain::shaping::Shaping;
use toolgate_domain::tool::Tool;
use toolgate_execution::tool::without_truncation_note;
use toolgate_shaping::{PROPOSAL_RESPONSES_MAX, Proposal, ShapingInput, merge_omit, propose};
use toolgate_storage::{CallOutcome, CallQuery, StorageError};

use super::object_doc;
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::shaping_proposal::{ProposalTokensOut, ProposedPathOut, ShapingProposalOut};

/// Pages of the call log that are searched for captured calls.
const PAGES_MAX: usize = 5;
/// Calls of a page.
const PAGE_SIZE: u32 = 100;

const NO_CAPTURES: &str = "No captured response of this tool is JSON. Set capture to all in the settings of the server \
     (settings.capture), call the tool a few times, and ask again.";
const NOTHING_TO_OMIT: &str = "The captured responses show nothing that could be left out.";
const TRUNCATED: &str = "Some responses were captured only in part: raise capture_max_bytes in the settings of the server \
     for better figures.";

pub(super) fn route() -> Route {
    Operation::new(
        "proposeShaping",
        "Propose a shaping from the captured responses of the last 50 successful calls. Nothing is changed.",
    )
    .read("/tools/{id}/shaping/proposal", get)
    .reply(
        object_doc::<ShapingProposalOut<'_>>(200).part_type::<ProposedPathOut<'_>>().part_type::<ProposalTokensOut>(),
    )
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let tool = request.storage().tool(request.visibility(), request.id(ToolId)).await?;
    let current = current_shaping(&request, &tool).await?;
    let captured = captured_responses(&request, &tool).await?;
    let proposal = tokio::task::block_in_place(|| {
        let rules = current.as_ref().and_then(|current| Shaping::parse(current).ok());
        let bodies = captured.iter().map(|text| without_truncation_note(text));
        let inputs: Vec<ShapingInput<'_>> =
            bodies.map(|body| ShapingInput { body, media_type: "", reference: None }).collect();
        propose(&inputs, rules.as_ref(), tool.spec.endpoint_url.as_str())
    });
    let shaping = if proposal.omit.is_empty() { current } else { Some(merge_omit(current.as_ref(), &proposal.omit)) };
    ApiReply::ok(&ShapingProposalOut::new(&proposal, shaping.as_ref(), message(&proposal)))
}

/// The shaping that the tool has now: its own, else the default of its server.
async fn current_shaping(request: &ApiRequest, tool: &Tool) -> Result<Option<JsonObject>, RestError> {
    if tool.spec.shaping.is_some() {
        return Ok(tool.spec.shaping.clone());
    }
    let server = request.storage().server(request.visibility(), tool.server_id).await?;
    Ok(default_shaping_object(server.spec.settings.as_ref()))
}

/// The captured responses of the last successful calls, newest first.
async fn captured_responses(request: &ApiRequest, tool: &Tool) -> Result<Vec<String>, RestError> {
    request.context.services.recorder.flush().await;
    let mut query = CallQuery {
        server: Some(tool.server_id),
        tool: Some(tool.id),
        outcome: Some(CallOutcome::Success),
        ..CallQuery::all(request.visibility(), PAGE_SIZE)
    };
    let mut responses = Vec::new();
    for _ in 0..PAGES_MAX {
        let page = request.storage().calls(&query).await?;
        for call in page.calls.iter().filter(|call| call.is_captured) {
            match request.storage().call(request.visibility(), call.id).await {
                Ok(call) => responses.extend(call.record.captured.map(|captured| captured.response)),
                // Retention may have deleted the call since.
                Err(StorageError::NotFound(_)) => {}
                Err(error) => return Err(error.into()),
            }
            if responses.len() == PROPOSAL_RESPONSES_MAX {
                return Ok(responses);
            }
        }
        match page.next {
            Some(before) => query.before = Some(before),
            None => break,
        }
    }
    Ok(responses)
}

fn message(proposal: &Proposal) -> Option<&'static str> {
    if proposal.responses == 0 {
        Some(NO_CAPTURES)
    } else if proposal.truncated > 0 {
        Some(TRUNCATED)
    } else {
        proposal.omit.is_empty().then_some(NOTHING_TO_OMIT)
    }
}
