//! `resources/read`, and watching resources.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use toolgate_domain::call::FailureReason;
use toolgate_domain::endpoint_url::URL_MAX;
use toolgate_domain::json::JsonObject;
use toolgate_domain::prompt_template;
use toolgate_execution::content::{Block, Utf8, write_json_string};
use toolgate_execution::{Failure, ToolOutput};

use super::tools;
use crate::catalog::{PublishedResource, Source, Variables};
use crate::exchange::Context;
use crate::jsonrpc::{Params, RpcError};
use crate::outcome::Outcome;

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ResourceParams {
    uri: String,
}

pub(super) async fn read(context: &Context, params: &Params) -> Result<Outcome, RpcError> {
    let uri = params.read::<ResourceParams>()?.uri;
    let resource = context.published().resources.find(&uri);
    let (resource, variables) = resource.ok_or_else(|| RpcError::resource_not_found(&uri, context.era))?;
    let found = content(context, resource, &variables)
        .await
        .map_err(|failure| RpcError::internal(format!("The resource could not be read: {}", failure.in_full())))?;
    // What lies elsewhere may change at any time, unannounced.
    let is_here = matches!(resource.source, Source::Static { .. });
    let freshness = if is_here { context.published().list_freshness() } else { context.published().freshness(0) };
    Ok(Outcome::fresh(write(&uri, resource, &found), freshness))
}

/// Text, or bytes with their own type.
enum Content {
    Text(String),
    Blob { mime: Option<String>, base64: String },
}

async fn content(context: &Context, resource: &PublishedResource, variables: &Variables) -> Result<Content, Failure> {
    match &resource.source {
        Source::Static { content } if variables.is_empty() => Ok(Content::Text(content.clone())),
        Source::Static { content } => {
            let given = |name: &str| variables.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
            // A variable that the address leaves out is empty.
            let value_of = |name: &str| given(name).or_else(|| resource.declares(name).then_some(""));
            let filled = prompt_template::fill(content, value_of);
            filled.map(Content::Text).map_err(|error| {
                Failure::new(FailureReason::TooLarge, error.to_string())
                    .advising("Read the resource at an address with shorter values.")
            })
        }
        Source::Fetch(fetch) => {
            let response = context.gate().executor.fetch(fetch, variables).await?;
            Ok(match toolgate_execution::content::text(&response) {
                Some(text) => Content::Text(owned(&text)),
                None => Content::Blob { mime: None, base64: STANDARD.encode(&response.body) },
            })
        }
        Source::Tool { name, arguments } => {
            of_output(tools::call_for_resource(context, name, arguments, variables).await?)
        }
        Source::Broken => Err(Failure::new(FailureReason::Internal, "its configuration is damaged")
            .advising("The resource's owner has to write it again.")),
    }
}

fn owned(text: &Utf8) -> String {
    String::from_utf8_lossy(text.as_bytes()).into_owned()
}

fn of_output(output: ToolOutput) -> Result<Content, Failure> {
    Ok(match output {
        ToolOutput::Content { block: Block::Text(text), .. } => Content::Text(owned(&text)),
        ToolOutput::Content { block: Block::Image { data, mime } | Block::Audio { data, mime }, .. } => {
            Content::Blob { mime: Some(mime), base64: STANDARD.encode(data) }
        }
        ToolOutput::McpResult(result) if result.is_error() || result.needs_input() => {
            return Err(Failure::new(FailureReason::UpstreamError, "its tool did not give a result")
                .advising("Call the tool itself: what it answers says why."));
        }
        ToolOutput::McpResult(result) => Content::Text(JsonObject::from_members(&result.members).as_str().to_owned()),
    })
}

fn write(uri: &str, resource: &PublishedResource, content: &Content) -> Vec<u8> {
    let mut out = b"{\"contents\":[{\"uri\":".to_vec();
    write_json_string(uri, &mut out);
    out.extend_from_slice(b",\"mimeType\":");
    let (mime, key, text) = match content {
        Content::Text(text) => (None, "text", text),
        Content::Blob { mime, base64 } => (mime.as_deref(), "blob", base64),
    };
    write_json_string(mime.unwrap_or(&resource.mime_type), &mut out);
    out.extend_from_slice(format!(",\"{key}\":").as_bytes());
    write_json_string(text, &mut out);
    out.extend_from_slice(b"}]}");
    out
}

/// A session's stream tells of changes; without a session there is none to tell.
pub(super) fn subscribe(context: &Context, params: &Params) -> Result<Outcome, RpcError> {
    let uri = params.read::<ResourceParams>()?.uri;
    if uri.len() > URL_MAX || context.published().resources.find(&uri).is_none() {
        return Err(RpcError::resource_not_found(&uri, context.era));
    }
    let session = context.session().ok_or_else(|| {
        RpcError::invalid_params(
            "Invalid params: subscribing needs a session; initialize first and send Mcp-Session-Id",
        )
    })?;
    if context.gate().sessions.state(session).subscribe(&uri) {
        return Ok(Outcome::object("{}"));
    }
    Err(RpcError::invalid_params("Invalid params: this session watches too many resources"))
}

pub(super) fn unsubscribe(context: &Context, params: &Params) -> Result<Outcome, RpcError> {
    let uri = params.read::<ResourceParams>()?.uri;
    if let Some(session) = context.session() {
        context.gate().sessions.state(session).unsubscribe(&uri);
    }
    Ok(Outcome::object("{}"))
}
