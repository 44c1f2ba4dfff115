//! More than a command says: which of its values are arguments, of which type, and what to call the tool.
//!
//! A tool made of the answer and called with its `body` sends what the command sends. The way of a request, one module
//! a step: [`example`] takes it apart, [`merge`] puts those of one endpoint together as [`argument`]s and fixed parts,
//! [`tool_name`] and [`description`] say what it is.

mod argument;
mod description;
mod discretion;
mod example;
mod format;
mod merge;
mod names;
mod path;
mod payload;
mod query;
mod shape;
mod spelling;
mod texts;
mod tool_name;
mod variables;

use indexmap::IndexMap;
use serde::Serialize;

use super::draft::Draft;
use super::request::Request;
use example::{Endpoint, Example};
use names::Names;

/// A tool, or several where several commands were pasted.
#[derive(Serialize)]
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
#[derive(Serialize)]
pub struct InferredTool {
    pub(super) name: String,
    pub(super) description: String,
    #[serde(flatten)]
    pub(super) draft: Draft,
}

impl Inferred {
    /// The drafts of all tools.
    pub fn drafts_mut(&mut self) -> impl Iterator<Item = &mut Draft> {
        let (one, several) = match self {
            Self::One(tool) => (Some(&mut **tool), &mut [][..]),
            Self::Several { tools } => (None, &mut tools[..]),
        };
        one.into_iter().chain(several).map(|tool| &mut tool.draft)
    }
}

/// Reads requests as tools.
pub(super) fn infer(requests: Vec<Request>) -> Inferred {
    let is_one = requests.len() == 1;
    let mut endpoints: IndexMap<Endpoint, Vec<Example>> = IndexMap::new();
    for example in requests.into_iter().map(Example::of) {
        endpoints.entry(example.endpoint()).or_default().push(example);
    }
    let mut names = Names::default();
    let mut tools: Vec<InferredTool> = endpoints.values().filter_map(|examples| merge::tool(examples)).collect();
    for tool in &mut tools {
        tool.name = names.take(&tool.name);
    }
    match tools.pop() {
        Some(only) if is_one => Inferred::One(Box::new(only)),
        last => {
            tools.extend(last);
            Inferred::Several { tools }
        }
    }
}

#[cfg(test)]
mod tests;
