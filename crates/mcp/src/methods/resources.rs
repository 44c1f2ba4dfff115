//! `resources/read`, `resources/subscribe` and `resources/unsubscribe`.

mod stored_response;

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
use crate::catalog::resources::{PublishedResource, ResourceSource, ResourceVariables};
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::params::RpcParams;
use crate::mcp_request::MessageContext;
use crate::outcome::MethodOutcome;
use crate::overflow::STORED_RESPONSE_SCHEME;

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ResourceParams {
    uri: String,
}

pub(super) async fn read(context: &MessageContext, params: &RpcParams) -> Result<MethodOutcome, RpcError> {
    let uri = params.read::<ResourceParams>()?.uri;
    if let Some(reference) = uri.strip_prefix(STORED_RESPONSE_SCHEME) {
        return stored_response::read(context, &uri, reference);
    }
    let resource = context.snapshot().resources.find(&uri);
    let (resource, variables) = resource.ok_or_else(|| RpcError::resource_not_found(&uri, context.era))?;
    let body = read_content(context, resource, &variables).await.map_err(|failure| {
        RpcError::internal(format!("The resource could not be read: {}", failure.for_model.full_text()))
    })?;
    // Content from an upstream can change at any time without a notification, so it must not be cached.
    let is_static = matches!(resource.source, ResourceSource::Static { .. });
    let freshness = if is_static { context.snapshot().list_freshness() } else { context.snapshot().freshness(0) };
    Ok(MethodOutcome::cacheable(write_result(&uri, &resource.mime_type, &body), freshness))
}

/// Whether reading a resource changes nothing at its upstream. Faults of the request are reported later.
pub(super) fn only_reads(context: &MessageContext, params: &RpcParams) -> bool {
    let Ok(ResourceParams { uri }) = params.read() else { return true };
    let snapshot = context.snapshot();
    snapshot.resources.find(&uri).is_none_or(|(resource, _)| match &resource.source {
        ResourceSource::Static { .. } | ResourceSource::Broken => true,
        ResourceSource::Fetch(fetch) => fetch.only_reads(),
        ResourceSource::Tool { name, .. } => snapshot.tools.get(name).is_none_or(|tool| tool.only_reads),
    })
}

/// The content of a resource. Bytes can have another MIME type than the resource.
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
            let value_in_uri =
                |name: &str| variables.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
            // A variable of the template that is not in the URI is empty.
            let value_of = |name: &str| value_in_uri(name).or_else(|| resource.declares_variable(name).then_some(""));
            let filled = prompt_template::fill(content, value_of);
            filled.map(ResourceContent::Text).map_err(|error| {
                Failure::new(FailureReason::TooLarge, error.to_string())
                    .with_advice("Use shorter values in the URI of the resource.")
                    .with_model_advice("Use shorter values in the URI of the resource.")
            })
        }
        ResourceSource::Fetch(fetch) => {
            let response = context.service().executor.fetch(fetch, variables, context.call_trace()).await?;
            Ok(match toolgate_execution::content::to_text(&response) {
                Some(text) => ResourceContent::Text(to_string(&text)),
                None => ResourceContent::Blob { mime: None, base64: STANDARD.encode(&response.body) },
            })
        }
        ResourceSource::Tool { name, arguments } => {
            content_from_output(tools::call_for_resource(context, name, arguments, variables).await?)
        }
        ResourceSource::Broken => Err(Failure::new(FailureReason::Internal, "its data_source_config is invalid")
            .with_advice("The owner of the resource must correct its data_source_config.")
            .with_model_text("it is not defined correctly", tools::RESOURCE_ADVICE)),
    }
}

fn to_string(text: &Utf8) -> String {
    String::from_utf8_lossy(text.as_bytes()).into_owned()
}

fn content_from_output(output: ToolOutput) -> Result<ResourceContent, Failure> {
    Ok(match output {
        ToolOutput::Content { block: ContentBlock::Text(text), .. } => ResourceContent::Text(to_string(&text)),
        ToolOutput::Content { block: ContentBlock::Media { data, mime, .. }, .. } => {
            ResourceContent::Blob { mime: Some(mime), base64: STANDARD.encode(data) }
        }
        ToolOutput::Content { block: ContentBlock::ResourceLink { uri, .. }, .. } => ResourceContent::Text(uri),
        ToolOutput::McpResult(result) if result.is_error() || result.needs_input() => {
            return Err(Failure::new(FailureReason::UpstreamError, "its tool returned an error or requested input")
                .with_advice("Call the tool directly to see its response.")
                .with_model_advice("Call the tool directly to see its response."));
        }
        ToolOutput::McpResult(result) => {
            ResourceContent::Text(JsonObject::from_members(&result.members).as_str().to_owned())
        }
    })
}

fn write_result(uri: &str, default_mime: &str, content: &ResourceContent) -> Vec<u8> {
    let mut out = b"{\"contents\":[{\"uri\":".to_vec();
    write_json_string(uri, &mut out);
    out.extend_from_slice(b",\"mimeType\":");
    let (mime, key, text) = match content {
        ResourceContent::Text(text) => (None, "text", text),
        ResourceContent::Blob { mime, base64 } => (mime.as_deref(), "blob", base64),
    };
    write_json_string(mime.unwrap_or(default_mime), &mut out);
    out.extend_from_slice(format!(",\"{key}\":").as_bytes());
    write_json_string(text, &mut out);
    out.extend_from_slice(b"}]}");
    out
}

/// Subscribes to a resource. This needs a session, because changes are announced on its stream.
pub(super) async fn subscribe(context: &MessageContext, params: &RpcParams) -> Result<MethodOutcome, RpcError> {
    let uri = params.read::<ResourceParams>()?.uri;
    if uri.len() > URL_MAX || context.snapshot().resources.find(&uri).is_none() {
        return Err(RpcError::resource_not_found(&uri, context.era));
    }
    let session = context.session().ok_or_else(|| {
        RpcError::invalid_params(
            "Invalid params: a subscription needs a session; call initialize, then send its Mcp-Session-Id",
        )
    })?;
    if context.service().sessions.subscribe(session, &uri).await {
        return Ok(MethodOutcome::object("{}"));
    }
    Err(RpcError::invalid_params("Invalid params: this session has too many subscriptions; unsubscribe first"))
}

pub(super) async fn unsubscribe(context: &MessageContext, params: &RpcParams) -> Result<MethodOutcome, RpcError> {
    let uri = params.read::<ResourceParams>()?.uri;
    if let Some(session) = context.session() {
        context.service().sessions.unsubscribe(session, &uri).await;
    }
    Ok(MethodOutcome::object("{}"))
}
