//! `resources/read`, and watching resources.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use toolgate_domain::call::FailureReason;
use toolgate_domain::endpoint_url::URL_MAX;
use toolgate_domain::json::JsonObject;
use toolgate_domain::prompt_template;
use toolgate_execution::content::{ContentBlock, Utf8, write_json_string};
use toolgate_execution::{Failure, ToolOutput};

use super::tools;
use crate::catalog::{PublishedResource, ResourceSource, ResourceVariables};
use crate::jsonrpc::{RpcError, RpcParams};
use crate::mcp_request::MessageContext;
use crate::outcome::MethodOutcome;

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ResourceParams {
    uri: String,
}

pub(super) async fn read(context: &MessageContext, params: &RpcParams) -> Result<MethodOutcome, RpcError> {
    let uri = params.read::<ResourceParams>()?.uri;
    let resource = context.snapshot().resources.find(&uri);
    let (resource, variables) = resource.ok_or_else(|| RpcError::resource_not_found(&uri, context.era))?;
    let body = read_content(context, resource, &variables)
        .await
        .map_err(|failure| RpcError::internal(format!("The resource could not be read: {}", failure.full_text())))?;
    // What lies elsewhere may change at any time, unannounced.
    let is_here = matches!(resource.source, ResourceSource::Static { .. });
    let freshness = if is_here { context.snapshot().list_freshness() } else { context.snapshot().freshness(0) };
    Ok(MethodOutcome::fresh(write(&uri, resource, &body), freshness))
}

/// Text, or bytes with their own type.
enum ResourceContent {
    Text(String),
    Blob { mime: Option<String>, base64: String },
}

async fn read_content(
    context: &MessageContext,
    resource: &PublishedResource,
    variables: &ResourceVariables,
) -> Result<ResourceContent, Failure> {
    match &resource.source {
        ResourceSource::Static { content } if variables.is_empty() => Ok(ResourceContent::Text(content.clone())),
        ResourceSource::Static { content } => {
            let given = |name: &str| variables.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
            // A variable that the address leaves out is empty.
            let value_of = |name: &str| given(name).or_else(|| resource.declares(name).then_some(""));
            let filled = prompt_template::fill(content, value_of);
            filled.map(ResourceContent::Text).map_err(|error| {
                Failure::new(FailureReason::TooLarge, error.to_string())
                    .with_advice("Read the resource at an address with shorter values.")
            })
        }
        ResourceSource::Fetch(fetch) => {
            let response = context.service().executor.fetch(fetch, variables).await?;
            Ok(match toolgate_execution::content::to_text(&response) {
                Some(text) => ResourceContent::Text(owned(&text)),
                None => ResourceContent::Blob { mime: None, base64: STANDARD.encode(&response.body) },
            })
        }
        ResourceSource::Tool { name, arguments } => {
            content_from_output(tools::call_for_resource(context, name, arguments, variables).await?)
        }
        ResourceSource::Broken => Err(Failure::new(FailureReason::Internal, "its configuration is damaged")
            .with_advice("The resource's owner has to write it again.")),
    }
}

fn owned(text: &Utf8) -> String {
    String::from_utf8_lossy(text.as_bytes()).into_owned()
}

fn content_from_output(output: ToolOutput) -> Result<ResourceContent, Failure> {
    Ok(match output {
        ToolOutput::Content { block: ContentBlock::Text(text), .. } => ResourceContent::Text(owned(&text)),
        ToolOutput::Content {
            block: ContentBlock::Image { data, mime } | ContentBlock::Audio { data, mime }, ..
        } => ResourceContent::Blob { mime: Some(mime), base64: STANDARD.encode(data) },
        ToolOutput::McpResult(result) if result.is_error() || result.needs_input() => {
            return Err(Failure::new(FailureReason::UpstreamError, "its tool did not give a result")
                .with_advice("Call the tool itself: what it answers says why."));
        }
        ToolOutput::McpResult(result) => {
            ResourceContent::Text(JsonObject::from_members(&result.members).as_str().to_owned())
        }
    })
}

fn write(uri: &str, resource: &PublishedResource, content: &ResourceContent) -> Vec<u8> {
    let mut out = b"{\"contents\":[{\"uri\":".to_vec();
    write_json_string(uri, &mut out);
    out.extend_from_slice(b",\"mimeType\":");
    let (mime, key, text) = match content {
        ResourceContent::Text(text) => (None, "text", text),
        ResourceContent::Blob { mime, base64 } => (mime.as_deref(), "blob", base64),
    };
    write_json_string(mime.unwrap_or(&resource.mime_type), &mut out);
    out.extend_from_slice(format!(",\"{key}\":").as_bytes());
    write_json_string(text, &mut out);
    out.extend_from_slice(b"}]}");
    out
}

/// A session's stream tells of changes; without a session there is none to tell.
pub(super) fn subscribe(context: &MessageContext, params: &RpcParams) -> Result<MethodOutcome, RpcError> {
    let uri = params.read::<ResourceParams>()?.uri;
    if uri.len() > URL_MAX || context.snapshot().resources.find(&uri).is_none() {
        return Err(RpcError::resource_not_found(&uri, context.era));
    }
    let session = context.session().ok_or_else(|| {
        RpcError::invalid_params(
            "Invalid params: subscribing needs a session; initialize first and send Mcp-Session-Id",
        )
    })?;
    if context.service().sessions.state(session).subscribe(&uri) {
        return Ok(MethodOutcome::object("{}"));
    }
    Err(RpcError::invalid_params("Invalid params: this session watches too many resources"))
}

pub(super) fn unsubscribe(context: &MessageContext, params: &RpcParams) -> Result<MethodOutcome, RpcError> {
    let uri = params.read::<ResourceParams>()?.uri;
    if let Some(session) = context.session() {
        context.service().sessions.state(session).unsubscribe(&uri);
    }
    Ok(MethodOutcome::object("{}"))
}
