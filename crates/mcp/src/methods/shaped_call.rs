//! Shortens the result of a call, and stores the whole response for reading on if something was left out.

use std::sync::{Arc, Mutex};

use tokio::task::spawn_blocking;
use toolgate_domain::call::ResultTokens;
use toolgate_domain::trace::TraceSpan;
use toolgate_execution::content::{ContentBlock, Utf8};
use toolgate_execution::egress::UpstreamResponse;
use toolgate_execution::{Execution, ShapedOutput, ToolOutput, ToolShaping, media_type};
use toolgate_shaping::ShapedText;

use crate::catalog::tools::PublishedTool;
use crate::era::{Era, Revision};
use crate::mcp_request::MessageContext;
use crate::overflow::{ResponseSource, STORED_RESPONSE_SCHEME, StoredResponse};

/// Longer texts are shaped on a blocking thread.
const INLINE_BYTES_MAX: usize = 64 * 1024;
/// The most links to binary content in one result.
const BLOB_LINKS_MAX: usize = 10;

/// Shortens the output if the tool has rules for it, and returns the tokens of the result; `None` if nothing was
/// shaped.
pub(super) async fn shape_result(
    context: &MessageContext,
    tool: &Arc<PublishedTool>,
    execution: &mut Execution,
) -> Option<ResultTokens> {
    let shaping = context.snapshot().tools.shaping(tool.id)?;
    let (Ok(output), Some(response)) = (&execution.output, &execution.response) else { return None };
    let ToolOutput::Content { block: ContentBlock::Text(text), .. } = output else { return None };
    let _span = TraceSpan::step(context.span.0.scope(), "shape result");
    let text = text.clone();
    let store = &context.service().overflow;
    let is_stored = shaping.rules.overflow_minutes > 0;
    let reference = is_stored.then(|| store.new_reference(text.as_bytes().len())).flatten();
    let ShapedOutput { mut output, shaped } = run(shaping, output, response, reference.as_deref()).await?;
    let has_blob_links = shaped.blobs.iter().any(|blob| blob.reference.is_some());
    let reference = reference.filter(|_| shaped.next.is_some() || has_blob_links);
    if let ToolOutput::Content { further, .. } = &mut output {
        further.extend(blocks(context, shaping, &shaped, reference.as_deref(), &text));
    }
    let tokens = tokens(&shaped);
    if let Some(reference) = reference {
        let source = Arc::new(ResponseSource {
            owner: context.response_owner(),
            tool_id: tool.id,
            tool_name: tool.name().to_owned(),
            minutes: shaping.rules.overflow_minutes,
        });
        let media_type = media_type(response).to_owned();
        let next = Mutex::new(shaped.next);
        store.insert(reference, StoredResponse { source, text, media_type, shaping: Arc::clone(shaping), next });
    }
    execution.output = Ok(output);
    Some(tokens)
}

async fn run(
    shaping: &Arc<ToolShaping>,
    output: &ToolOutput,
    response: &Arc<UpstreamResponse>,
    reference: Option<&str>,
) -> Option<ShapedOutput> {
    if response.body.len() <= INLINE_BYTES_MAX {
        return shaping.apply(output, response, reference);
    }
    let (shaping, output, response) = (Arc::clone(shaping), output.clone(), Arc::clone(response));
    let reference = reference.map(str::to_owned);
    // If shaping panics, the output stays unchanged.
    spawn_blocking(move || shaping.apply(&output, &response, reference.as_deref())).await.ok().flatten()
}

/// The blocks after the text: the note, a link to the whole response, links to binary content.
fn blocks(
    context: &MessageContext,
    shaping: &ToolShaping,
    shaped: &ShapedText,
    reference: Option<&str>,
    text: &Utf8,
) -> Vec<ContentBlock> {
    let read_more = context.snapshot().tools.read_more_name();
    let mut blocks: Vec<ContentBlock> = shaping.note(shaped, reference, read_more).into_iter().collect();
    if !has_resource_links(context.era) {
        return blocks;
    }
    let link = |reference: &str, mime: &str, bytes: usize| ContentBlock::ResourceLink {
        uri: format!("{STORED_RESPONSE_SCHEME}{reference}"),
        name: reference.to_owned(),
        mime: mime.to_owned(),
        bytes,
    };
    if shaped.next.is_some() {
        blocks.extend(reference.map(|reference| link(reference, "", text.as_bytes().len())));
    }
    let linked_blobs = shaped.blobs.iter().filter_map(|blob| Some((blob.reference.as_deref()?, blob)));
    blocks.extend(
        linked_blobs.take(BLOB_LINKS_MAX).map(|(reference, blob)| link(reference, &blob.media_type, blob.bytes)),
    );
    blocks
}

/// Whether results of this era can have links to resources.
fn has_resource_links(era: Era) -> bool {
    match era {
        Era::Bare => false,
        Era::Legacy(revision) => revision >= Revision::V2025_06_18,
        Era::Modern => true,
    }
}

/// The estimated tokens of a shaped text.
pub(super) fn tokens(shaped: &ShapedText) -> ResultTokens {
    let (before, out) = (shaped.tokens_before as u64, shaped.tokens_after as u64);
    ResultTokens { out, saved: before.saturating_sub(out) }
}
