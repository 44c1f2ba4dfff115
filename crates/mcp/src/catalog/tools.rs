//! The tools of a server.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ahash::HashMap;
use bytes::Bytes;
use toolgate_analytics::{AccessCounters, ToolCalls};
use toolgate_discovery::built_in::{BuiltInTool, NamedBuiltIn, built_in_tools};
use toolgate_domain::client_profile::ClientProfile;
use toolgate_domain::discovery::DiscoveryRule;
use toolgate_domain::ids::ToolId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::shaping::Shaping;
use toolgate_domain::tool::{Tool, valid_annotations};
use toolgate_execution::ToolShaping;
use toolgate_execution::content::write_json_string;
use toolgate_execution::tool::{CompiledTool, CredentialUnavailable};
use toolgate_storage::UnreadableSecrets;

use super::built_in::write_built_in;
use super::lists::{ListsByEra, write_raw_member, write_text_member};
use super::names::safe_name;
use super::tool_discovery::{ListViewer, ToolDiscovery, ToolSearch};
use crate::era::{Era, Revision};

/// The [id](PublishedTool::compile_id) of the tool that is compiled next.
static NEXT_COMPILE_ID: AtomicU64 = AtomicU64::new(0);

/// A tool, ready to be called.
#[derive(Debug)]
pub(crate) struct PublishedTool {
    pub(crate) id: ToolId,
    revision: i64,
    /// Whether its calls only read, so that the scope for reading suffices.
    pub(crate) only_reads: bool,
    /// Whether its secrets could be decrypted.
    has_readable_secrets: bool,
    /// `None` if its schema cannot be compiled; the reason is logged.
    pub(crate) compiled: Option<CompiledTool>,
    /// Counts its calls, if calls are counted per tool.
    pub(crate) calls: Option<Arc<ToolCalls>>,
    /// Identifies this compiled form of the tool: it is unique within the process.
    pub(crate) compile_id: u64,
}

impl PublishedTool {
    /// Its name; empty if its schema cannot be compiled.
    pub(crate) fn name(&self) -> &str {
        self.compiled.as_ref().map_or("", |compiled| compiled.name.as_str())
    }
}

/// The active tools of a server.
#[derive(Debug)]
pub(crate) struct PublishedTools {
    by_id: HashMap<ToolId, Arc<PublishedTool>>,
    by_name: HashMap<String, Arc<PublishedTool>>,
    /// The shaping of each tool that has rules for it.
    shapings: HashMap<ToolId, Arc<ToolShaping>>,
    /// The tools that the service provides.
    built_in: Vec<NamedBuiltIn>,
    pub(crate) lists: ListsByEra,
    /// How clients discover the tools.
    pub(crate) discovery: ToolDiscovery,
}

impl PublishedTools {
    /// Compiles the tools. `paused_tool_names` are the names of inactive tools, which no safe name may use.
    pub(super) fn compile(
        stored: &[(Tool, Result<Secrets, UnreadableSecrets>)],
        paused_tool_names: Vec<String>,
        has_safe_names: bool,
        default_shaping: Option<&Shaping>,
        discovery: DiscoveryRule,
        last: Option<&Self>,
        counters: &AccessCounters,
    ) -> Self {
        let mut taken: HashSet<String> = stored.iter().map(|(tool, _)| tool.spec.name.clone()).collect();
        taken.extend(paused_tool_names);
        let mut by_id = HashMap::default();
        let (mut by_name, mut listed) = (HashMap::default(), Vec::with_capacity(stored.len()));
        for (tool, secrets) in stored {
            let unchanged = last.and_then(|last| last.reusable(tool.id, tool.revision)).filter(|_| secrets.is_ok());
            let published = unchanged.map_or_else(|| Arc::new(compile_tool(tool, secrets, counters)), Arc::clone);
            by_id.insert(tool.id, Arc::clone(&published));
            // The safe name always works, so that clients can still use it after the owner disables safe names.
            let safe = safe_name(&tool.spec.name, &taken);
            taken.insert(safe.clone());
            by_name.insert(safe.clone(), Arc::clone(&published));
            by_name.insert(tool.spec.name.clone(), published);
            listed.push((if has_safe_names { safe } else { tool.spec.name.clone() }, tool));
        }
        let shapings = stored.iter().filter_map(|(tool, _)| {
            ToolShaping::compile(tool, default_shaping).map(|shaping| (tool.id, Arc::new(shaping)))
        });
        let shapings: HashMap<ToolId, Arc<ToolShaping>> = shapings.collect();
        let has_budget = shapings.values().any(|shaping| shaping.rules.max_tokens.is_some());
        let discovery = ToolDiscovery::new(discovery, has_safe_names, stored.iter().map(|(tool, _)| tool));
        let groups = discovery.has_search().then(|| discovery.describe_groups());
        let built_in = built_in_tools(has_budget, groups.as_deref(), |name| taken.contains(name));
        let entries: Vec<ListedTool<'_>> = listed
            .iter()
            .map(|(name, tool)| ListedTool::Published(name, tool))
            .chain(built_in.iter().filter(|built_in| !built_in.tool.is_for_search()).map(ListedTool::BuiltIn))
            .collect();
        let lists = ListsByEra::new("tools", &entries, |entry, era, out| match entry {
            ListedTool::Published(name, tool) => {
                let shaped_schema = shapings.get(&tool.id).and_then(|shaping| shaping.output_schema.as_ref());
                write_tool(name, tool, shaped_schema.or(tool.spec.output_schema.as_ref()), era, out);
            }
            ListedTool::BuiltIn(built_in) => write_built_in(built_in, out),
        });
        Self { by_id, by_name, shapings, built_in, lists, discovery }
    }

    /// The tool of this revision, for reuse in a new snapshot; `None` if its secrets could not be decrypted.
    pub(super) fn reusable(&self, id: ToolId, revision: i64) -> Option<&Arc<PublishedTool>> {
        self.by_id.get(&id).filter(|tool| tool.has_readable_secrets && tool.revision == revision)
    }

    /// How the responses of a tool are shortened; `None` if they are not.
    pub(crate) fn shaping(&self, id: ToolId) -> Option<&Arc<ToolShaping>> {
        self.shapings.get(&id)
    }

    /// The active tool with this id.
    pub(crate) fn get_by_id(&self, id: ToolId) -> Option<&Arc<PublishedTool>> {
        self.by_id.get(&id)
    }

    /// The name of the tool that reads on in shortened responses.
    pub(crate) fn read_more_name(&self) -> Option<&str> {
        let read_more = self.built_in.iter().find(|built_in| built_in.tool == BuiltInTool::ReadMore);
        read_more.map(|built_in| built_in.name.as_str())
    }

    /// The built-in tool with this name.
    pub(crate) fn built_in(&self, name: &str) -> Option<BuiltInTool> {
        self.built_in.iter().find(|built_in| built_in.name == name).map(|built_in| built_in.tool)
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

    /// The active tool that a list adapted to a client shows under this name.
    pub(crate) fn get_adapted(&self, profile: Option<ClientProfile>, name: &str) -> Option<&Arc<PublishedTool>> {
        let whole = self.lists.for_era(Era::Bare);
        self.get(self.discovery.original_name(whole, profile, name)?)
    }

    /// The list of a viewer; `None` if it must be derived first.
    pub(crate) fn ready_list(&self, viewer: &ListViewer) -> Option<Bytes> {
        self.discovery.ready_list(&self.lists, viewer)
    }

    /// Derives the list of a viewer. Hostile schemas can take long to adapt.
    pub(crate) fn derive_list(&self, viewer: ListViewer) -> Bytes {
        self.discovery.derive_list(&self.lists, &self.built_in, viewer)
    }

    /// The search over all tools.
    pub(crate) fn search(&self) -> ToolSearch<'_> {
        ToolSearch { discovery: &self.discovery, list: self.lists.for_era(Era::Legacy(Revision::NEWEST_LEGACY)) }
    }

    /// The name of a built-in tool on this server.
    pub(crate) fn built_in_name(&self, tool: BuiltInTool) -> &str {
        self.built_in.iter().find(|built_in| built_in.tool == tool).map_or("", |built_in| &built_in.name)
    }
}

/// An entry of the list of tools.
enum ListedTool<'a> {
    Published(&'a str, &'a Tool),
    BuiltIn(&'a NamedBuiltIn),
}

fn compile_tool(tool: &Tool, secrets: &Result<Secrets, UnreadableSecrets>, counters: &AccessCounters) -> PublishedTool {
    let has_readable_secrets = secrets.is_ok();
    let secrets = secrets.as_ref().map_err(|_| CredentialUnavailable);
    let compiled = CompiledTool::compile(tool, secrets);
    if let Err(error) = &compiled {
        tracing::error!(tool_id = %tool.id, %error, "cannot compile a stored tool");
    }
    let calls = counters.tool(tool.server_id, tool.id, &tool.spec.name);
    PublishedTool {
        id: tool.id,
        revision: tool.revision,
        only_reads: tool.spec.only_reads(),
        has_readable_secrets,
        compiled: compiled.ok(),
        calls,
        compile_id: NEXT_COMPILE_ID.fetch_add(1, Ordering::Relaxed),
    }
}

fn write_tool(name: &str, tool: &Tool, output_schema: Option<&JsonObject>, era: Era, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"name\":");
    write_json_string(name, out);
    write_text_member("description", &tool.spec.description, out);
    write_raw_member("inputSchema", tool.spec.input_schema.as_str(), out);
    if era != Era::Bare {
        if let Some(schema) = output_schema
            // Older clients refuse the whole list because of a schema that is not for an object.
            && (era.is_modern() || is_object_schema(schema))
        {
            write_raw_member("outputSchema", schema.as_str(), out);
        }
        if let Some(annotations) = &tool.spec.annotations {
            write_raw_member("annotations", valid_annotations(annotations).as_str(), out);
        }
    }
    out.push(b'}');
}

fn is_object_schema(schema: &JsonObject) -> bool {
    schema.members().get("type").is_some_and(|kind| kind.get() == "\"object\"")
}

#[cfg(test)]
mod tests {
    use toolgate_domain::endpoint_url::EndpointUrl;
    use toolgate_domain::ids::ServerId;
    use toolgate_domain::time::Timestamp;
    use toolgate_domain::tool::ToolSpec;

    use super::*;

    #[test]
    fn stored_annotations_of_the_wrong_type_are_not_listed() {
        let mut spec = ToolSpec::new("t".into(), EndpointUrl::parse("endpoint_url", "https://a.example/").unwrap());
        let stored = r#"{"readOnlyHint":"false","title":5,"x":1}"#;
        spec.annotations = Some(JsonObject::from_stored(stored.to_owned()));
        let (id, server_id, at) = (ToolId(1), ServerId(1), Timestamp::from_millis(0));
        let (credential_id, credential, origin) = (None, None, None);
        let (sort_order, revision, created_at, updated_at) = (0, 1, at, at);
        let tool = Tool {
            id,
            server_id,
            sort_order,
            credential_id,
            credential,
            revision,
            origin,
            created_at,
            updated_at,
            spec,
        };
        let mut listed = Vec::new();
        write_tool("t", &tool, None, Era::Modern, &mut listed);
        let listed: serde_json::Value = serde_json::from_slice(&listed).unwrap();
        assert_eq!(listed["annotations"], serde_json::json!({"readOnlyHint": false, "x": 1}));
    }
}
