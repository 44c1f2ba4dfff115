//! More than a command says: which of its values are arguments, of which type, and what to call the tool.
//!
//! A tool made of the answer and called with its `body` sends what the command sends. The way of a request, one module
//! a step: [`command`] takes it apart, [`merge`] puts those of one endpoint together as [`argument`]s and fixed parts,
//! [`tool_name`] and [`description`] say what it is.

mod argument;
mod command;
mod description;
mod discretion;
mod format;
mod merge;
mod names;
mod path;
mod payload;
mod query;
mod shape;
mod texts;
mod tool_name;
mod words;

use indexmap::IndexMap;
use serde::Serialize;

use super::draft::Draft;
use super::request::Request;
use command::{Command, Endpoint};
use names::Names;

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
pub(super) fn infer(requests: &[Request]) -> Inferred {
    if let [request] = requests {
        let command = Command::of(request);
        return Inferred::One(Box::new(merge::tool(&command, std::slice::from_ref(&command))));
    }
    let mut endpoints: IndexMap<Endpoint, Vec<Command>> = IndexMap::new();
    for request in requests {
        let command = Command::of(request);
        endpoints.entry(command.endpoint()).or_default().push(command);
    }
    let mut names = Names::default();
    let tools = endpoints.values().filter_map(|commands| {
        let tool = merge::tool(commands.first()?, commands);
        Some(InferredTool { name: names.take(&tool.name), ..tool })
    });
    Inferred::Several { tools: tools.collect() }
}

#[cfg(test)]
mod tests;
