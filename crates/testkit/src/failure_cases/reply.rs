//! The reply that a caller gets to a failing call.

use serde_json::{Value, json};

use super::FailureCase;
use crate::mcp::McpClient;

/// The reply to a failing call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureReply {
    /// Whether the reply is marked as a failure.
    pub is_marked: bool,
    /// The text that says what is wrong.
    pub message: String,
    /// The text that says what to do.
    pub advice: String,
}

impl FailureReply {
    /// Makes the call. The error of a tool that does not exist is both message and advice.
    pub async fn request(mcp: &McpClient, case: &FailureCase) -> Self {
        let params = json!({"name": case.tool, "arguments": case.arguments});
        let reply = mcp.send("tools/call", params).await.json();
        match reply["error"]["message"].as_str() {
            Some(error) => Self { is_marked: true, message: error.to_owned(), advice: error.to_owned() },
            None => Self::from_result(&reply["result"]),
        }
    }

    /// Reads the result of a call.
    pub fn from_result(result: &Value) -> Self {
        let text = |index: usize| result["content"][index]["text"].as_str().unwrap_or_default().to_owned();
        Self { is_marked: result["isError"] == true, message: text(0), advice: text(1) }
    }
}
