//! The tools of a server.

use std::collections::HashSet;
use std::sync::Arc;

use ahash::HashMap;
use toolgate_domain::ids::ToolId;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::Tool;
use toolgate_execution::content::write_json_string;
use toolgate_execution::tool::{CompiledTool, CredentialUnavailable};
use toolgate_storage::UnreadableSecrets;

use super::lists::{ListsByEra, write_raw_member, write_text_member};
use super::names::safe_name;
use crate::era::Era;

/// A tool, ready to be called.
#[derive(Debug)]
pub(crate) struct PublishedTool {
    pub(crate) id: ToolId,
    revision: i64,
    /// Whether its secrets could be decrypted.
    has_readable_secrets: bool,
    /// `None` if its schema cannot be compiled; the reason is logged.
    pub(crate) compiled: Option<CompiledTool>,
}

/// The active tools of a server.
#[derive(Debug)]
pub(crate) struct PublishedTools {
    by_id: HashMap<ToolId, Arc<PublishedTool>>,
    by_name: HashMap<String, Arc<PublishedTool>>,
    pub(crate) lists: ListsByEra,
}

impl PublishedTools {
    /// Compiles the tools. `paused_tool_names` are the names of inactive tools, which no safe name may use.
    pub(super) fn compile(
        stored: &[(Tool, Result<Secrets, UnreadableSecrets>)],
        paused_tool_names: Vec<String>,
        has_safe_names: bool,
        last: Option<&Self>,
    ) -> Self {
        let mut taken: HashSet<String> = stored.iter().map(|(tool, _)| tool.spec.name.clone()).collect();
        taken.extend(paused_tool_names);
        let mut by_id = HashMap::default();
        let (mut by_name, mut listed) = (HashMap::default(), Vec::with_capacity(stored.len()));
        for (tool, secrets) in stored {
            let unchanged = last.and_then(|last| last.reusable(tool.id, tool.revision)).filter(|_| secrets.is_ok());
            let published = unchanged.map_or_else(|| Arc::new(compile_tool(tool, secrets)), Arc::clone);
            by_id.insert(tool.id, Arc::clone(&published));
            // The safe name always works, so that clients can still use it after the owner disables safe names.
            let safe = safe_name(&tool.spec.name, &taken);
            taken.insert(safe.clone());
            by_name.insert(safe.clone(), Arc::clone(&published));
            by_name.insert(tool.spec.name.clone(), published);
            listed.push((if has_safe_names { safe } else { tool.spec.name.clone() }, tool));
        }
        Self {
            by_id,
            by_name,
            lists: ListsByEra::new("tools", &listed, |(name, tool), era, out| write_tool(name, tool, era, out)),
        }
    }

    /// The tool of this revision, for reuse in a new snapshot; `None` if its secrets could not be decrypted.
    pub(super) fn reusable(&self, id: ToolId, revision: i64) -> Option<&Arc<PublishedTool>> {
        self.by_id.get(&id).filter(|tool| tool.has_readable_secrets && tool.revision == revision)
    }

    /// The names and safe names of all active tools.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// The name of the tool that probably lists the objects that `tool` reads or changes.
    pub(crate) fn listing_tool(&self, tool: &CompiledTool) -> Option<&str> {
        let others = self.by_id.values().filter_map(|other| other.compiled.as_ref());
        let listing = others.filter_map(|other| Some((other.listing_rank(tool)?, other.name.as_str())));
        listing.min().map(|(_, name)| name)
    }

    /// The active tool with this name or safe name.
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<PublishedTool>> {
        self.by_name.get(name)
    }
}

fn compile_tool(tool: &Tool, secrets: &Result<Secrets, UnreadableSecrets>) -> PublishedTool {
    let has_readable_secrets = secrets.is_ok();
    let secrets = secrets.as_ref().map_err(|_| CredentialUnavailable);
    let compiled = CompiledTool::compile(tool, secrets);
    if let Err(error) = &compiled {
        tracing::error!(tool_id = %tool.id, %error, "cannot compile a stored tool");
    }
    PublishedTool { id: tool.id, revision: tool.revision, has_readable_secrets, compiled: compiled.ok() }
}

fn write_tool(name: &str, tool: &Tool, era: Era, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"name\":");
    write_json_string(name, out);
    write_text_member("description", &tool.spec.description, out);
    write_raw_member("inputSchema", tool.spec.input_schema.as_str(), out);
    if era != Era::Bare {
        if let Some(schema) = &tool.spec.output_schema
            // Older clients refuse the whole list because of a schema that is not for an object.
            && (era.is_modern() || is_object_schema(schema))
        {
            write_raw_member("outputSchema", schema.as_str(), out);
        }
        if let Some(annotations) = &tool.spec.annotations {
            write_raw_member("annotations", annotations.as_str(), out);
        }
    }
    out.push(b'}');
}

fn is_object_schema(schema: &toolgate_domain::json::JsonObject) -> bool {
    schema.members().get("type").is_some_and(|kind| kind.get() == "\"object\"")
}
