//! How clients discover the tools of a server: lists that are narrowed or adapted to a client, and the search index.
//! All of it is derived from the whole list when it is first needed.

mod definitions;
mod lists;
mod names;

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use ahash::HashMap;
use bytes::Bytes;
use serde_json::Value;
use tokio::sync::OnceCell;
use toolgate_discovery::describe::describe_tool;
use toolgate_discovery::group::{describe_groups, tool_group};
use toolgate_discovery::search::{SearchDocument, SearchIndex};
use toolgate_discovery::signature::signature;
use toolgate_domain::client_profile::ClientProfile;
use toolgate_domain::closest::probable_names;
use toolgate_domain::discovery::{DiscoveryMode, DiscoveryRule};
use toolgate_domain::ids::ToolId;
use toolgate_domain::tokens::TokenCount;
use toolgate_domain::tool::Tool;

use crate::era::Era;
use definitions::ToolDefinition;
use names::ProfileNames;

/// The most derived lists of one server that are stored.
const CACHED_LISTS_MAX: usize = 32;
/// The most bytes of these lists together. Every caller can create further lists, by sending other groups or client
/// names.
const CACHED_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The properties of a client that determine its list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListViewer {
    pub(crate) era: Era,
    /// The rules of the client; `None` for clients without a name.
    pub(crate) profile: Option<ClientProfile>,
    /// Only tools of these groups, in lower case and sorted; `None` for all.
    pub(crate) groups: Option<Arc<[String]>>,
}

/// The properties of a tool that are not in the serialised list.
#[derive(Debug, PartialEq, Eq)]
struct ToolEntry {
    id: ToolId,
    /// Index in [`ToolDiscovery::groups`].
    group: usize,
    is_pinned: bool,
}

/// The derived lists and the search index of a server.
#[derive(Debug)]
pub(crate) struct ToolDiscovery {
    rule: DiscoveryRule,
    has_safe_names: bool,
    /// The owner's tools, in the order of the list.
    entries: Vec<ToolEntry>,
    groups: Vec<Box<str>>,
    lists: Mutex<Vec<(ListViewer, Bytes)>>,
    index: OnceLock<SearchIndex>,
    /// Where each definition is in the whole list.
    spans: OnceLock<Box<[Range<usize>]>>,
    tokens: OnceLock<Box<[TokenCount]>>,
    names: OnceLock<ProfileNames>,
    /// Calls of each tool in the last 30 days.
    calls: OnceCell<Vec<u64>>,
}

impl ToolDiscovery {
    pub(super) fn new<'a>(rule: DiscoveryRule, has_safe_names: bool, tools: impl Iterator<Item = &'a Tool>) -> Self {
        let mut groups: Vec<Box<str>> = Vec::new();
        let mut positions: HashMap<String, usize> = HashMap::default();
        let entries = tools.map(|tool| {
            let first_tag = tool.spec.tags.as_slice().first().map(String::as_str);
            let group = tool_group(first_tag, tool.spec.endpoint_url.as_str()).unwrap_or_default();
            let group = *positions.entry(group.to_lowercase()).or_insert_with(|| {
                groups.push(group.into());
                groups.len() - 1
            });
            ToolEntry { id: tool.id, group, is_pinned: tool.spec.pinned }
        });
        Self {
            rule,
            has_safe_names,
            entries: entries.collect(),
            groups,
            lists: Mutex::default(),
            index: OnceLock::new(),
            spans: OnceLock::new(),
            tokens: OnceLock::new(),
            names: OnceLock::new(),
            calls: OnceCell::new(),
        }
    }

    /// Whether some clients search for tools.
    pub(super) fn has_search(&self) -> bool {
        self.rule.mode != DiscoveryMode::All
    }

    /// The profile of a client type; `None` if lists depend on no profile.
    pub(crate) fn profile(&self, client_type: impl FnOnce() -> String) -> Option<ClientProfile> {
        let is_used = self.rule.adapts_schemas || self.rule.mode == DiscoveryMode::Auto;
        is_used.then(|| self.rule.profile(&client_type())).flatten()
    }

    /// Whether the lists of two snapshots may differ although their tools are the same.
    pub(crate) fn may_list_differently(&self, other: &Self) -> bool {
        let shows_entries = self.has_search() || other.has_search();
        let listing = |discovery: &Self| (discovery.rule.clone(), discovery.has_safe_names);
        listing(self) != listing(other)
            || shows_entries && (self.entries != other.entries || self.groups != other.groups)
    }

    /// The groups with the number of their tools, the largest first.
    pub(super) fn describe_groups(&self) -> String {
        let mut counts: Vec<(usize, &str)> = self.groups.iter().map(|group| (0, &**group)).collect();
        for entry in &self.entries {
            counts[entry.group].0 += 1;
        }
        describe_groups(counts)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(ListViewer, Bytes)>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The derived list of a viewer, if it is stored.
    fn cached(&self, viewer: &ListViewer) -> Option<Bytes> {
        self.lock().iter().find(|(other, _)| other == viewer).map(|(_, list)| list.clone())
    }

    /// Stores a derived list, and removes the oldest ones if the limits are exceeded.
    fn store(&self, viewer: ListViewer, list: Bytes) {
        let mut lists = self.lock();
        if list.len() > CACHED_BYTES_MAX || lists.iter().any(|(other, _)| *other == viewer) {
            return;
        }
        lists.push((viewer, list));
        let mut bytes: usize = lists.iter().map(|(_, list)| list.len()).sum();
        while lists.len() > CACHED_LISTS_MAX || bytes > CACHED_BYTES_MAX {
            bytes -= lists.remove(0).1.len();
        }
    }

    /// Whether a tool is in one of the groups; without groups, every tool is.
    fn is_in_groups(&self, position: usize, groups: Option<&[String]>) -> bool {
        let Some(entry) = self.entries.get(position) else { return false };
        let group = &self.groups[entry.group];
        groups.is_none_or(|groups| groups.iter().any(|wanted| wanted.to_lowercase() == group.to_lowercase()))
    }

    /// The calls of each tool, from `load` when they are first needed.
    pub(crate) async fn calls<F: Future<Output = HashMap<ToolId, u64>>>(&self, load: impl FnOnce() -> F) -> &[u64] {
        let load = async {
            let calls = load().await;
            self.entries.iter().map(|entry| calls.get(&entry.id).copied().unwrap_or(0)).collect()
        };
        self.calls.get_or_init(|| load).await
    }
}

/// The searchable tools of a server: the whole list, and the index and spans derived from it.
#[derive(Clone, Copy)]
pub(crate) struct ToolSearch<'a> {
    pub(super) discovery: &'a ToolDiscovery,
    /// The whole list for legacy clients.
    pub(super) list: &'a [u8],
}

impl ToolSearch<'_> {
    fn definitions(&self) -> Vec<ToolDefinition<'_>> {
        definitions::parse(self.list, self.discovery.entries.len())
    }

    /// Builds the index if there is none yet.
    pub(crate) fn build_index(&self) -> &SearchIndex {
        self.discovery.index.get_or_init(|| {
            let definitions = self.definitions();
            let schemas: Vec<Value> = definitions.iter().map(ToolDefinition::schema).collect();
            let titles: Vec<String> = definitions.iter().map(ToolDefinition::title).collect();
            let documents = definitions.iter().enumerate().map(|(position, tool)| SearchDocument {
                name: &tool.name,
                group: self.discovery.entries.get(position).map_or("", |entry| &self.discovery.groups[entry.group]),
                title: &titles[position],
                description: &tool.description,
                input_schema: &schemas[position],
            });
            SearchIndex::new(documents)
        })
    }

    /// The signatures of the tools that match a query best. `groups` are the groups in the URL of the endpoint and
    /// those in the arguments of the search; a tool must be in one of each.
    pub(crate) fn find(&self, query: &str, groups: [Option<&[String]>; 2], limit: usize, calls: &[u64]) -> Vec<String> {
        let is_wanted = |position: usize| groups.iter().all(|groups| self.discovery.is_in_groups(position, *groups));
        let calls_of = |position: usize| calls.get(position).copied().unwrap_or(0);
        let hits = self.build_index().search(query, limit, is_wanted, calls_of);
        hits.iter().filter_map(|hit| self.definition(hit.document)).map(|tool| write_signature(&tool)).collect()
    }

    /// The description of a tool, as JSON.
    pub(crate) fn describe(&self, id: ToolId) -> Option<String> {
        let tool = self.definition(self.position(id)?)?;
        Some(describe_tool(&tool.name, &tool.description, &tool.schema()).to_string())
    }

    /// The signature of a tool.
    pub(crate) fn signature(&self, id: ToolId) -> Option<String> {
        self.definition(self.position(id)?).map(|tool| write_signature(&tool))
    }

    /// Names that a misspelt one probably means.
    pub(crate) fn closest(&self, name: &str) -> Vec<String> {
        let definitions = self.definitions();
        let names = definitions.iter().map(|tool| &*tool.name);
        probable_names(name, names, 3).into_iter().map(str::to_owned).collect()
    }

    /// The names of the groups, in words.
    pub(crate) fn groups(&self) -> String {
        self.discovery.describe_groups()
    }

    fn position(&self, id: ToolId) -> Option<usize> {
        self.discovery.entries.iter().position(|entry| entry.id == id)
    }

    fn definition(&self, position: usize) -> Option<ToolDefinition<'_>> {
        let spans = self.discovery.spans.get_or_init(|| definitions::spans(self.list, self.discovery.entries.len()));
        definitions::at(self.list, spans.get(position)?.clone())
    }
}

fn write_signature(tool: &ToolDefinition<'_>) -> String {
    signature(&tool.name, &tool.description, &tool.schema())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer(group: usize) -> ListViewer {
        ListViewer { era: Era::Bare, profile: None, groups: Some(vec![group.to_string()].into()) }
    }

    #[test]
    fn derived_lists_are_bounded_in_number_and_size() {
        let rule = DiscoveryRule::from_settings(&toolgate_domain::json::Members::default());
        let discovery = ToolDiscovery::new(rule, true, std::iter::empty());
        for group in 0..100 {
            discovery.store(viewer(group), Bytes::from_static(b"{}"));
        }
        assert_eq!(discovery.lock().len(), CACHED_LISTS_MAX);
        assert!(discovery.cached(&viewer(99)).is_some() && discovery.cached(&viewer(67)).is_none());
        let large = Bytes::from(vec![b' '; CACHED_BYTES_MAX / 3]);
        for group in 100..110 {
            discovery.store(viewer(group), large.clone());
        }
        assert!(discovery.lock().iter().map(|(_, list)| list.len()).sum::<usize>() <= CACHED_BYTES_MAX);
        assert!(discovery.cached(&viewer(109)).is_some() && discovery.cached(&viewer(106)).is_none());
        discovery.store(viewer(110), Bytes::from(vec![b' '; CACHED_BYTES_MAX + 1]));
        assert!(discovery.cached(&viewer(110)).is_none() && discovery.cached(&viewer(109)).is_some());
    }
}
