//! `read_more`: reads on in a response whose result was shortened. It is recorded as a call of the tool that returned
//! the response.

use std::sync::Arc;

use serde::Deserialize;
use tokio::task::spawn_blocking;
use toolgate_domain::call::FailureReason;
use toolgate_domain::shaping::BUDGET_RANGE;
use toolgate_domain::sync::lock;
use toolgate_execution::content::ContentBlock;
use toolgate_execution::{Failure, ToolOutput};
use toolgate_shaping::{Part, ShapedText, ShapingFailure, ShapingInput, shape};

use super::super::shaped_call;
use crate::call_scope::CallScope;
use crate::mcp_request::MessageContext;
use crate::overflow::{ResponseSource, StoredLookup, StoredResponse};

#[derive(Deserialize)]
struct ReadMoreArguments {
    #[serde(rename = "ref")]
    reference: String,
    path: Option<String>,
    from: Option<usize>,
    max_tokens: Option<i64>,
}

/// Reads the next part, or the part at a path.
pub(super) async fn call(context: &MessageContext, arguments: Option<&Arc<str>>) -> Result<ToolOutput, Failure> {
    let parsed: ReadMoreArguments = serde_json::from_str(arguments.map_or("{}", |arguments| arguments))
        .map_err(|_| bad_arguments("\"ref\" is missing or an argument has the wrong type."))?;
    let stored = match context.service().overflow.find(&context.response_owner(), &parsed.reference) {
        StoredLookup::Found(stored) => stored,
        StoredLookup::Expired(source) => return Err(expired(&source)),
        StoredLookup::Unknown => return Err(unknown_reference()),
    };
    let tool = context.snapshot().tools.get_by_id(stored.source.tool_id).ok_or_else(|| expired(&stored.source))?;
    let mut scope = CallScope::begin(context, tool, arguments);
    let result = read(context, &stored, parsed).await.map(|(output, shaped)| {
        scope.record_stored_response(shaped_call::tokens(&shaped));
        output
    });
    scope.record_result(&result);
    result
}

async fn read(
    context: &MessageContext,
    stored: &Arc<StoredResponse>,
    arguments: ReadMoreArguments,
) -> Result<(ToolOutput, ShapedText), Failure> {
    let reference = arguments.reference.clone();
    let shaped = {
        let stored = Arc::clone(stored);
        // Responses that were shortened are large enough for a blocking thread.
        spawn_blocking(move || next_part(&stored, &arguments)).await
    };
    let mut shaped = shaped.map_err(|_| unreadable())??;
    let read_more = context.snapshot().tools.read_more_name();
    let further = stored.shaping.note(&shaped, Some(&reference), read_more).into_iter().collect();
    let block = ContentBlock::text(std::mem::take(&mut shaped.text));
    Ok((ToolOutput::Content { block, structured: None, further }, shaped))
}

fn next_part(stored: &StoredResponse, arguments: &ReadMoreArguments) -> Result<ShapedText, Failure> {
    let input =
        ShapingInput { body: stored.as_str(), media_type: &stored.media_type, reference: Some(&arguments.reference) };
    let max_tokens = arguments.max_tokens.map(|tokens| tokens.clamp(*BUDGET_RANGE.start(), *BUDGET_RANGE.end()));
    let max_tokens = max_tokens.and_then(|tokens| usize::try_from(tokens).ok());
    let rules = &stored.shaping.rules;
    let shaped = if arguments.path.is_some() || arguments.from.is_some() {
        let path = arguments.path.as_deref().unwrap_or_default();
        let from = arguments.from.unwrap_or(0);
        shape(&input, rules, Part::At { path, from }, max_tokens).map_err(|failure| not_found(failure, path, from))?
    } else {
        // The lock is held while the part is shaped, so that two parallel calls get different parts.
        let mut next = lock(&stored.next);
        let continuation = next.take().ok_or_else(all_read)?;
        let Ok(shaped) = shape(&input, rules, Part::Rest(&continuation), max_tokens) else {
            *next = Some(continuation);
            return Err(unreadable());
        };
        next.clone_from(&shaped.next);
        shaped
    };
    Ok(shaped)
}

fn bad_arguments(message: impl Into<String>) -> Failure {
    Failure::new(FailureReason::BadArguments, message.into())
        .with_model_advice("Call again with the ref of the note, for example {\"ref\":\"r_7Kq2mD\"}.")
}

fn not_found(failure: ShapingFailure, path: &str, from: usize) -> Failure {
    match failure {
        ShapingFailure::NotFound if path.is_empty() => bad_arguments(format!("There is nothing at \"from\" {from}.")),
        ShapingFailure::NotFound => {
            let shown: String = path.chars().take(40).collect();
            bad_arguments(format!("There is nothing at \"path\" {shown}, \"from\" {from}."))
        }
        ShapingFailure::Unreadable => unreadable(),
    }
}

fn all_read() -> Failure {
    Failure::new(FailureReason::BadArguments, "The whole response was already read.")
        .with_model_advice("Give \"from\" (0 is the beginning) or \"path\" to read a part again.")
}

fn expired(source: &ResponseSource) -> Failure {
    let message = format!("This response is no longer stored ({} min).", source.minutes);
    Failure::new(FailureReason::BadArguments, message).with_model_advice(format!("Call {} again.", source.tool_name))
}

fn unknown_reference() -> Failure {
    Failure::new(FailureReason::BadArguments, "There is no stored response with this ref.")
        .with_model_advice("Use the ref of a note, or call the tool again.")
}

fn unreadable() -> Failure {
    Failure::new(FailureReason::Internal, "The rest of this response cannot be read.")
        .with_model_advice("Call the tool again.")
}
