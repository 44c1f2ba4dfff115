//! The tools of a server.

use std::collections::HashSet;
use std::sync::Arc;

use ahash::HashMap;
use toolgate_domain::ids::ToolId;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::shaping::Shaping;
use toolgate_domain::tool::Tool;
use toolgate_execution::content::write_json_string;
use toolgate_execution::tool::{CompiledTool, CredentialUnavailable};
use toolgate_storage::UnreadableSecrets;

use super::built_in::{BuiltInTool, NamedBuiltIn, write_built_in};
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
    /// The tools that the service adds.
    built_in: Vec<NamedBuiltIn>,
    pub(crate) lists: ListsByEra,
}

impl PublishedTools {
    /// Compiles the tools. `paused_tool_names` are the names of inactive tools, which no safe name may use.
    pub(super) fn compile(
        stored: &[(Tool, Result<Secrets, UnreadableSecrets>)],
        paused_tool_names: Vec<String>,
        has_safe_names: bool,
        default_shaping: Option<&Shaping>,
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
        let has_budget = by_id.values().any(|tool| has_token_budget(tool, default_shaping));
        let built_in = has_budget.then(|| BuiltInTool::ReadMore.with_unused_name(&taken)).into_iter().collect::<Vec<_>>();
        let entries: Vec<ListedTool<'_>> = listed
            .iter()
            .map(|(name, tool)| ListedTool::Published(name, tool))
            .chain(built_in.iter().map(ListedTool::BuiltIn))
            .collect();
        let lists = ListsByEra::new("tools", &entries, |entry, era, out| match entry {
            ListedTool::Published(name, tool) => write_tool(name, tool, era, out),
            ListedTool::BuiltIn(built_in) => write_built_in(built_in, out),
        });
        Self { by_id, by_name, built_in, lists }
    }

    /// The tool of this revision, for reuse in a new snapshot; `None` if its secrets could not be decrypted.
    pub(super) fn reusable(&self, id: ToolId, revision: i64) -> Option<&Arc<PublishedTool>> {
        self.by_id.get(&id).filter(|tool| tool.has_readable_secrets && tool.revision == revision)
    }

    /// The tool of the service with this name.
    pub(crate) fn built_in(&self, name: &str) -> Option<BuiltInTool> {
        self.built_in.iter().find(|built_in| built_in.name == name).map(|built_in| built_in.tool)
    }

    /// The active tool with this name or safe name.
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<PublishedTool>> {
        self.by_name.get(name)
    }
}

/// An entry of the list of tools.
enum ListedTool<'a> {
    Published(&'a str, &'a Tool),
    BuiltIn(&'a NamedBuiltIn),
}

impl PublishedTool {
    /// How its responses are shortened, if they are: by its own rules, else by the default of its server.
    pub(crate) fn shaping<'a>(&'a self, default: Option<&'a Shaping>) -> Option<&'a Shaping> {
        let own = self.compiled.as_ref().and_then(|tool| tool.shaping.as_ref());
        own.or(default).filter(|shaping| !shaping.is_off())
    }
}

fn has_token_budget(tool: &PublishedTool, default_shaping: Option<&Shaping>) -> bool {
    tool.shaping(default_shaping).is_some_and(|shaping| shaping.max_tokens.is_some())
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
