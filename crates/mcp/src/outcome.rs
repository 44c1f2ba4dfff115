//! What a method gives back, and how it is written: once, into the buffer that leaves.

use bytes::Bytes;
use toolgate_execution::content::{ContentBlock, write_json, write_json_string};
use toolgate_execution::{Failure, ToolOutput};

use crate::catalog::{Freshness, ServerSnapshot};
use crate::era::{Era, Revision};

/// The result of a request.
#[derive(Debug)]
pub(crate) enum MethodOutcome {
    /// A JSON object.
    Object {
        /// Its text.
        json: Bytes,
        /// How long it stays true.
        freshness: Option<Freshness>,
    },
    /// The start of a session.
    Initialized {
        /// Its text.
        json: Bytes,
        /// The session's id.
        session_id: Option<String>,
    },
    /// A call that was made, or at least tried.
    ToolCall(Result<ToolOutput, Failure>),
}

impl MethodOutcome {
    /// A result that does not say how long it stays true.
    pub(crate) fn object(json: impl Into<Bytes>) -> Self {
        Self::Object { json: json.into(), freshness: None }
    }

    /// A result that does.
    pub(crate) fn fresh(json: impl Into<Bytes>, freshness: Freshness) -> Self {
        Self::Object { json: json.into(), freshness: Some(freshness) }
    }

    /// About how long the text will be.
    pub(crate) fn len_hint(&self) -> usize {
        match self {
            Self::Object { json, .. } | Self::Initialized { json, .. } => json.len() + 256,
            Self::ToolCall(Ok(ToolOutput::Content { block: ContentBlock::Text(text), structured })) => {
                text.as_bytes().len() * 9 / 8 + structured.as_ref().map_or(0, Bytes::len) + 256
            }
            Self::ToolCall(_) => 1024,
        }
    }

    /// Writes the result as this caller reads it.
    pub(crate) fn write(&self, era: Era, snapshot: &ServerSnapshot, out: &mut Vec<u8>) {
        let start = out.len();
        let freshness = match self {
            Self::Object { json, freshness } => {
                out.extend_from_slice(json);
                *freshness
            }
            Self::Initialized { json, .. } => {
                out.extend_from_slice(json);
                None
            }
            Self::ToolCall(Ok(ToolOutput::McpResult(result))) => {
                // Written by the method, as a whole.
                out.extend_from_slice(
                    toolgate_domain::json::JsonObject::from_members(&result.members).as_str().as_bytes(),
                );
                return;
            }
            Self::ToolCall(result) => {
                write_tool_call(result, era, out);
                None
            }
        };
        if era.is_modern() {
            add_modern_members(freshness, snapshot, start, out);
        }
    }
}

fn write_tool_call(result: &Result<ToolOutput, Failure>, era: Era, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"content\":[");
    match result {
        Ok(ToolOutput::Content { block, structured }) => {
            write_json(block, out);
            out.push(b']');
            if let Some(json) = structured.as_ref().filter(|json| takes_structured(era, json)) {
                out.extend_from_slice(b",\"structuredContent\":");
                out.extend_from_slice(json);
            }
        }
        Ok(ToolOutput::McpResult(_)) => out.push(b']'),
        Err(failure) => {
            // What happened stands alone in the first block, for whoever compares it; what to do follows.
            out.extend_from_slice(b"{\"type\":\"text\",\"text\":");
            write_json_string(&failure.message, out);
            out.extend_from_slice(b"},{\"type\":\"text\",\"text\":");
            write_json_string(&failure.advice, out);
            out.extend_from_slice(b"}],\"isError\":true");
        }
    }
    out.push(b'}');
}

/// Bare callers get no key beyond the product's description; before 2026-07-28 it has to be an object.
pub(crate) fn takes_structured(era: Era, json: &[u8]) -> bool {
    match era {
        Era::Bare => false,
        Era::Legacy(revision) => revision >= Revision::V2025_06_18 && json.trim_ascii_start().starts_with(b"{"),
        Era::Modern => true,
    }
}

/// What every result says since 2026-07-28, before the closing brace of the object that begins at `start`.
fn add_modern_members(freshness: Option<Freshness>, snapshot: &ServerSnapshot, start: usize, out: &mut Vec<u8>) {
    out.pop();
    if out.len() > start + 1 {
        out.push(b',');
    }
    out.extend_from_slice(b"\"resultType\":\"complete\"");
    if let Some(Freshness { ttl_ms, is_private }) = freshness {
        let scope = if is_private { "private" } else { "public" };
        out.extend_from_slice(format!(",\"ttlMs\":{ttl_ms},\"cacheScope\":\"{scope}\"").as_bytes());
    }
    out.extend_from_slice(b",\"_meta\":");
    out.extend_from_slice(meta(snapshot).as_bytes());
    out.push(b'}');
}

/// Who answers, as `_meta`.
pub(crate) fn meta(snapshot: &ServerSnapshot) -> String {
    format!(r#"{{"io.modelcontextprotocol/serverInfo":{}}}"#, snapshot.info)
}
