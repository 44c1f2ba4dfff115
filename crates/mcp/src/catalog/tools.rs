//! The tools of a server.

use std::collections::HashSet;
use std::sync::Arc;

use ahash::HashMap;
use toolgate_domain::ids::ToolId;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::Tool;
use toolgate_execution::content::write_json_string;
use toolgate_execution::tool::{CompiledTool, CredentialUnavailable};
use toolgate_storage::SealedAway;

use super::lists::{ListFor, Lists, raw_member, text_member};
use super::names::safe_name;

/// A tool as it can be called.
#[derive(Debug)]
pub(crate) struct PublishedTool {
    pub(crate) id: ToolId,
    revision: i64,
    /// Whether its secrets could be opened.
    is_complete: bool,
    /// `None` when its schema cannot be compiled; the log says why.
    pub(crate) compiled: Option<CompiledTool>,
}

/// The active tools of a server.
#[derive(Debug)]
pub(crate) struct Tools {
    by_id: HashMap<ToolId, Arc<PublishedTool>>,
    by_name: HashMap<String, Arc<PublishedTool>>,
    pub(crate) lists: Lists,
}

impl Tools {
    /// `paused` are names of tools that are not shown: a copy must not answer to one of them.
    pub(super) fn compile(
        stored: &[(Tool, Result<Secrets, SealedAway>)],
        paused: Vec<String>,
        has_safe_names: bool,
        last: Option<&Self>,
    ) -> Self {
        let mut taken: HashSet<String> = stored.iter().map(|(tool, _)| tool.spec.name.clone()).collect();
        taken.extend(paused);
        let mut by_id = HashMap::default();
        let (mut by_name, mut listed) = (HashMap::default(), Vec::with_capacity(stored.len()));
        for (tool, secrets) in stored {
            let known = last.and_then(|last| last.compiled(tool.id, tool.revision)).filter(|_| secrets.is_ok());
            let published = known.map_or_else(|| Arc::new(publish(tool, secrets)), Arc::clone);
            by_id.insert(tool.id, Arc::clone(&published));
            // The safe form can always be called: whoever learned it goes on when the owner shows the other.
            let safe = safe_name(&tool.spec.name, &taken);
            taken.insert(safe.clone());
            by_name.insert(safe.clone(), Arc::clone(&published));
            by_name.insert(tool.spec.name.clone(), published);
            listed.push((if has_safe_names { safe } else { tool.spec.name.clone() }, tool));
        }
        Self {
            by_id,
            by_name,
            lists: Lists::new("tools", &listed, |(name, tool), list, out| write(name, tool, list, out)),
        }
    }

    /// This very version of a tool, where it is complete: a new snapshot need not compile it again.
    pub(super) fn compiled(&self, id: ToolId, revision: i64) -> Option<&Arc<PublishedTool>> {
        self.by_id.get(&id).filter(|tool| tool.is_complete && tool.revision == revision)
    }

    /// The active tool of this name, exact or in its safe form.
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<PublishedTool>> {
        self.by_name.get(name)
    }
}

fn publish(tool: &Tool, secrets: &Result<Secrets, SealedAway>) -> PublishedTool {
    let is_complete = secrets.is_ok();
    let secrets = secrets.as_ref().map_err(|_| CredentialUnavailable);
    let compiled = CompiledTool::compile(tool, secrets);
    if let Err(error) = &compiled {
        tracing::error!(tool_id = %tool.id, %error, "a stored tool cannot be compiled");
    }
    PublishedTool { id: tool.id, revision: tool.revision, is_complete, compiled: compiled.ok() }
}

fn write(name: &str, tool: &Tool, list: ListFor, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"name\":");
    write_json_string(name, out);
    text_member("description", &tool.spec.description, out);
    raw_member("inputSchema", tool.spec.input_schema.as_str(), out);
    if list != ListFor::Bare {
        if let Some(schema) = &tool.spec.output_schema
            // Older clients refuse the whole list over a schema that is not of an object.
            && (list == ListFor::Modern || is_of_object(schema))
        {
            raw_member("outputSchema", schema.as_str(), out);
        }
        if let Some(annotations) = &tool.spec.annotations {
            raw_member("annotations", annotations.as_str(), out);
        }
    }
    out.push(b'}');
}

fn is_of_object(schema: &toolgate_domain::json::JsonObject) -> bool {
    schema.members().get("type").is_some_and(|kind| kind.get() == "\"object\"")
}
