//! More than a command says: which of its values are arguments, of which type, and what to call the tool.

use serde::Serialize;

use super::draft::Draft;
use super::request::Request;

/// A tool, or several where several commands were pasted.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Inferred {
    /// Of one command.
    One(Box<InferredTool>),
    /// Of several commands, those of one endpoint merged.
    Several {
        /// The tools, in the order of the text.
        tools: Vec<InferredTool>,
    },
}

/// A tool with a name and a description.
#[derive(Debug, Serialize)]
pub struct InferredTool {
    pub(super) name: String,
    pub(super) description: String,
    #[serde(flatten)]
    pub(super) draft: Draft,
}

/// Reads requests as tools.
pub(super) fn infer(_requests: &[Request]) -> Inferred {
    Inferred::Several { tools: Vec::new() }
}
