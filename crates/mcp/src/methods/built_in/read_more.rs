//! `read_more`: reads on in a response whose result was shortened.

use serde::Deserialize;
use toolgate_domain::call::FailureReason;
use toolgate_execution::{Failure, ToolOutput};

use crate::mcp_request::MessageContext;
use crate::overflow::{Lookup, ResponseSource, StoredContent};

#[derive(Deserialize)]
struct ReadMoreArguments {
    #[serde(rename = "ref")]
    reference: String,
}

pub(super) async fn call(context: &MessageContext, arguments: Option<&str>) -> Result<ToolOutput, Failure> {
    let arguments: ReadMoreArguments = serde_json::from_str(arguments.unwrap_or("{}")).map_err(|_| bad_arguments())?;
    match context.service().overflow.find(context, &arguments.reference) {
        Lookup::Found(stored) => match &stored.content {
            StoredContent::Text(text) => Ok(ToolOutput::text(String::from_utf8_lossy(text).into_owned())),
            StoredContent::Binary(_) => Err(bad_arguments()),
        },
        Lookup::Expired(source) => Err(expired(&source)),
        Lookup::Unknown => Err(unknown_reference()),
    }
}

fn expired(source: &ResponseSource) -> Failure {
    let message = format!("This response is no longer stored ({} min).", source.minutes);
    Failure::new(FailureReason::BadArguments, message).with_advice(format!("Call {} again.", source.tool_name))
}

fn unknown_reference() -> Failure {
    Failure::new(FailureReason::BadArguments, "There is no stored response with this ref.")
        .with_advice("Use the ref of a note, or call the tool again.")
}

fn bad_arguments() -> Failure {
    Failure::new(FailureReason::BadArguments, "\"ref\" is missing. It is in the note of a shortened response.")
}
