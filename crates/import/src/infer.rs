//! Infers tools from requests: arguments with their types, a name and a description.
//!
//! A tool created from the result sends the first of its requests if it is called with the `body` of the result. The
//! steps: `noise` removes headers and parameters that the API does not need; `example` splits a request into its parts
//! and finds its credentials and its operation; `tool_name` names the tool; `merge` combines the requests of one
//! endpoint into fixed parts and arguments, to which `argument_rules` apply.

mod annotations;
pub(crate) mod argument;
mod argument_rules;
pub(crate) mod body_arguments;
mod credentials;
mod example;
mod graphql;
mod merge;
mod noise;
mod operation;
mod payload;
mod query;
mod tool_description;
mod tool_name;
mod unfilled;
mod url_key;
mod webhook;

use indexmap::IndexMap;
use serde::Serialize;

use crate::draft::Draft;
use crate::naming::UniqueNames;
use crate::request::ImportedRequest;
use annotations::InferredAnnotations;
use example::Example;
use unfilled::UnfilledVariable;

/// The tools that are inferred from the requests of a text.
#[derive(Serialize)]
#[serde(untagged)]
pub enum InferredTools {
    /// The tool of a single request.
    One(Box<InferredTool>),
    /// The tools of several requests. Requests for the same endpoint are merged into one tool.
    Several {
        /// The tools, in the order of the text.
        tools: Vec<InferredTool>,
    },
}

/// A draft with an inferred name and description.
#[derive(Serialize)]
pub struct InferredTool {
    pub(crate) name: String,
    pub(crate) description: String,
    #[serde(flatten)]
    pub(crate) draft: Draft,
    pub(crate) annotations: InferredAnnotations,
    /// Shell variables whose values are unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variables: Vec<UnfilledVariable>,
}

impl InferredTools {
    /// The drafts of all tools.
    pub fn drafts_mut(&mut self) -> impl Iterator<Item = &mut Draft> {
        let (one, several) = match self {
            Self::One(tool) => (Some(&mut **tool), &mut [][..]),
            Self::Several { tools } => (None, &mut tools[..]),
        };
        one.into_iter().chain(several).map(|tool| &mut tool.draft)
    }
}

/// The tool of the requests for one endpoint.
pub(crate) struct RequestGroup {
    /// The index of the first of its requests.
    pub(crate) first: usize,
    /// Number of requests beyond the maximum, which were not considered.
    pub(crate) ignored: usize,
    pub(crate) tool: InferredTool,
}

/// Infers the tools of these requests.
pub(crate) fn infer(requests: Vec<ImportedRequest>) -> InferredTools {
    let is_one = requests.len() == 1;
    let mut names = UniqueNames::default();
    let mut tools: Vec<InferredTool> = infer_groups(requests, usize::MAX).into_iter().map(|group| group.tool).collect();
    for tool in &mut tools {
        tool.name = names.take(&tool.name);
    }
    match tools.pop() {
        Some(tool) if is_one => InferredTools::One(Box::new(tool)),
        last => {
            tools.extend(last);
            InferredTools::Several { tools }
        }
    }
}

/// Infers one tool for each endpoint, from up to `examples_max` of its requests. Names are not unique yet.
pub(crate) fn infer_groups(requests: Vec<ImportedRequest>, examples_max: usize) -> Vec<RequestGroup> {
    let mut groups: IndexMap<_, (usize, usize, Vec<Example>)> = IndexMap::new();
    for (index, example) in requests.into_iter().map(Example::from_request).enumerate() {
        let (_, ignored, examples) = groups.entry(example.group_key()).or_insert_with(|| (index, 0, Vec::new()));
        if examples.len() < examples_max {
            examples.push(example);
        } else {
            *ignored += 1;
        }
    }
    let tools = groups.into_values().filter_map(|(first, ignored, examples)| {
        Some(RequestGroup { first, ignored, tool: merge::merge_examples(&examples)? })
    });
    tools.collect()
}

#[cfg(test)]
mod tests;
