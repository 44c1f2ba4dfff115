//! The results of methods. Each is written once, directly into the buffer of the response.

use bytes::Bytes;
use toolgate_domain::json::JsonObject;
use toolgate_execution::content::{ContentBlock, write_json, write_json_string};
use toolgate_execution::{Failure, ToolOutput};

use crate::catalog::snapshot::{Freshness, ServerSnapshot};
use crate::era::{Era, Revision};

/// The result of a request.
#[derive(Debug)]
pub(crate) enum MethodOutcome {
    /// A JSON object.
    Object {
        json: Bytes,
        /// How long it may be cached; `None` if the result does not state it.
        freshness: Option<Freshness>,
        /// The id of the session that `initialize` began.
        session_id: Option<String>,
    },
    /// The result of a tool call.
    ToolCall(Result<ToolOutput, Failure>),
}

/// Smaller results are copied into the buffer of the reply, which costs less than sending them separately.
const SPLIT_BYTES_MIN: usize = 4096;
/// Room for the members that surround the content, in bytes.
const OTHER_MEMBERS_SIZE: usize = 256;

impl MethodOutcome {
    /// A result that does not state how long a client may cache it.
    pub(crate) fn object(json: impl Into<Bytes>) -> Self {
        Self::Object { json: json.into(), freshness: None, session_id: None }
    }

    /// A result that states how long a client may cache it.
    pub(crate) fn cacheable(json: impl Into<Bytes>, freshness: Freshness) -> Self {
        Self::Object { json: json.into(), freshness: Some(freshness), session_id: None }
    }

    /// The approximate size of the serialised result, in bytes.
    pub(crate) fn len_hint(&self) -> usize {
        match self {
            Self::Object { json, .. } => json.len() + OTHER_MEMBERS_SIZE,
            Self::ToolCall(Ok(ToolOutput::Content { block: ContentBlock::Text(text), structured, .. })) => {
                // An eighth more, because JSON escapes lengthen the text.
                text.as_bytes().len() * 9 / 8 + structured.as_ref().map_or(0, Bytes::len) + OTHER_MEMBERS_SIZE
            }
            Self::ToolCall(_) => 1024,
        }
    }

    /// The result in two parts: stored bytes, which are not copied, and the rest; `None` if it is too small for that.
    pub(crate) fn split(&self, era: Era, snapshot: &ServerSnapshot) -> Option<(Bytes, Vec<u8>)> {
        let Self::Object { json, freshness, .. } = self else { return None };
        if json.len() < SPLIT_BYTES_MIN {
            return None;
        }
        if !era.is_modern() {
            return Some((json.clone(), Vec::new()));
        }
        let mut end = Vec::with_capacity(OTHER_MEMBERS_SIZE);
        end.push(b',');
        end_modern_result(*freshness, snapshot, &mut end);
        Some((json.slice(..json.len() - 1), end))
    }

    /// Writes the result for a caller of this era.
    pub(crate) fn write(&self, era: Era, snapshot: &ServerSnapshot, out: &mut Vec<u8>) {
        let start = out.len();
        let freshness = match self {
            Self::Object { json, freshness, .. } => {
                out.extend_from_slice(json);
                *freshness
            }
            Self::ToolCall(Ok(ToolOutput::McpResult(result))) => {
                // `tools/call` has already adapted it to the era.
                out.extend_from_slice(JsonObject::from_members(&result.members).as_str().as_bytes());
                return;
            }
            Self::ToolCall(Ok(ToolOutput::Content { block, structured, further })) => {
                write_content(block, further, structured.as_ref(), era, out);
                None
            }
            Self::ToolCall(Err(failure)) => {
                write_failure(failure, out);
                None
            }
        };
        if era.is_modern() {
            add_modern_members(freshness, snapshot, start, out);
        }
    }
}

/// The result of a call as JSON, without the members that modern callers get in addition; `None` for an MCP result of
/// the upstream.
pub(crate) fn content_json(output: &ToolOutput, era: Era) -> Option<Vec<u8>> {
    let ToolOutput::Content { block, structured, further } = output else { return None };
    let mut out = Vec::new();
    write_content(block, further, structured.as_ref(), era, &mut out);
    Some(out)
}

fn write_content(
    block: &ContentBlock,
    further: &[ContentBlock],
    structured: Option<&Bytes>,
    era: Era,
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(b"{\"content\":[");
    write_json(block, out);
    for block in further {
        out.push(b',');
        write_json(block, out);
    }
    out.push(b']');
    if let Some(json) = structured.filter(|json| allows_structured_content(era, json)) {
        out.extend_from_slice(b",\"structuredContent\":");
        out.extend_from_slice(json);
    }
    out.push(b'}');
}

/// The text for the model. The message is a separate block, so that clients can compare it; the advice follows.
fn write_failure(failure: &Failure, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"content\":[{\"type\":\"text\",\"text\":");
    write_json_string(&failure.for_model.message, out);
    out.extend_from_slice(b"},{\"type\":\"text\",\"text\":");
    write_json_string(&failure.for_model.advice, out);
    out.extend_from_slice(b"}],\"isError\":true}");
}

/// Whether a result for this era may have this `structuredContent`. Bare callers get only the keys of the product's
/// specification; before 2026-07-28 the value must be an object.
pub(crate) fn allows_structured_content(era: Era, json: &[u8]) -> bool {
    match era {
        Era::Bare => false,
        Era::Legacy(revision) => revision >= Revision::V2025_06_18 && json.trim_ascii_start().starts_with(b"{"),
        Era::Modern => true,
    }
}

/// Adds the members that revision 2026-07-28 requires in every result to the object that begins at `start`.
fn add_modern_members(freshness: Option<Freshness>, snapshot: &ServerSnapshot, start: usize, out: &mut Vec<u8>) {
    // Removes the closing brace, which is written again at the end.
    out.pop();
    if out.len() > start + 1 {
        out.push(b',');
    }
    end_modern_result(freshness, snapshot, out);
}

/// Writes the last members of a result, which revision 2026-07-28 requires, and its closing brace.
fn end_modern_result(freshness: Option<Freshness>, snapshot: &ServerSnapshot, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"resultType\":\"complete\"");
    if let Some(Freshness { ttl_ms, is_private }) = freshness {
        let scope = if is_private { "private" } else { "public" };
        out.extend_from_slice(format!(",\"ttlMs\":{ttl_ms},\"cacheScope\":\"{scope}\"").as_bytes());
    }
    out.extend_from_slice(b",\"_meta\":");
    out.extend_from_slice(snapshot.server_meta_json.as_bytes());
    out.push(b'}');
}
