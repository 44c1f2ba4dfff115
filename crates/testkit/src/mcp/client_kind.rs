//! The headers and parameters that each kind of client adds to its messages.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::MODERN;

/// The kind of client.
#[derive(Debug, Clone)]
pub(super) enum McpClientKind {
    Bare,
    /// Both fields are `None` until the handshake is complete.
    Legacy {
        revision: Option<String>,
        session: Option<String>,
    },
    Modern {
        capabilities: Value,
    },
}

type HeaderList = Vec<(&'static str, String)>;

impl McpClientKind {
    /// Adds the parameters that every request of this kind has; values set by the test stay.
    pub(super) fn params(&self, mut params: Value, client_name: &str) -> Value {
        let (Self::Modern { capabilities }, Some(members)) = (self, params.as_object_mut()) else { return params };
        let meta = members.entry("_meta").or_insert_with(|| json!({}));
        if let Some(meta) = meta.as_object_mut() {
            let info = json!({"name": client_name, "version": "1.0.0"});
            for (name, value) in
                [("protocolVersion", json!(MODERN)), ("clientInfo", info), ("clientCapabilities", capabilities.clone())]
            {
                meta.entry(format!("io.modelcontextprotocol/{name}")).or_insert(value);
            }
        }
        params
    }

    pub(super) fn headers(&self, message: &Value) -> HeaderList {
        let mut headers = self.session_headers();
        if !matches!(self, Self::Bare) {
            headers.push(("accept", "application/json, text/event-stream".to_owned()));
        }
        if matches!(self, Self::Modern { .. }) {
            headers.push(("mcp-protocol-version", MODERN.to_owned()));
            headers.extend(message["method"].as_str().map(|method| ("mcp-method", method.to_owned())));
            headers.extend(name_or_uri(message).map(|name| ("mcp-name", header_value(name))));
        }
        headers
    }

    /// Revision and session, as agreed in the handshake.
    pub(super) fn session_headers(&self) -> HeaderList {
        let Self::Legacy { revision, session } = self else { return Vec::new() };
        let revision = revision.iter().map(|revision| ("mcp-protocol-version", revision.clone()));
        revision.chain(session.iter().map(|session| ("mcp-session-id", session.clone()))).collect()
    }
}

/// The name or URI in the parameters, which the header `Mcp-Name` repeats.
fn name_or_uri(message: &Value) -> Option<&str> {
    match message["method"].as_str()? {
        "tools/call" | "prompts/get" => message["params"]["name"].as_str(),
        "resources/read" => message["params"]["uri"].as_str(),
        _ => None,
    }
}

/// The text, or its base64 if it is not valid in a header.
fn header_value(text: &str) -> String {
    let is_plain = text.chars().all(|c| matches!(c, '!'..='~' | ' ')) && text.trim() == text;
    if is_plain && !text.starts_with("=?base64?") {
        return text.to_owned();
    }
    format!("=?base64?{}?=", STANDARD.encode(text))
}
