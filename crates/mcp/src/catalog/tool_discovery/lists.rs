//! Lists that are narrowed or adapted to a client.

use bytes::Bytes;
use toolgate_discovery::built_in::NamedBuiltIn;
use toolgate_discovery::profile::adapt_schema;
use toolgate_domain::client_profile::ClientProfile;
use toolgate_domain::discovery::DiscoveryMode;
use toolgate_domain::tokens::TokenCount;
use toolgate_domain::tool::PINNED_TOOLS_MAX;
use toolgate_execution::content::write_json_string;

use super::definitions::{self, ToolDefinition};
use super::names::ProfileNames;
use super::{ListViewer, ToolDiscovery};
use crate::catalog::built_in::write_built_in;
use crate::catalog::lists::{ListsByEra, write_array, write_raw_member, write_text_member};

/// An entry of a derived list.
enum DerivedEntry<'a> {
    Tool(&'a ToolDefinition<'a>),
    BuiltIn(&'a NamedBuiltIn),
}

impl ToolDiscovery {
    /// The list of a viewer if it is the whole list or already derived.
    pub(crate) fn ready_list(&self, whole: &ListsByEra, viewer: &ListViewer) -> Option<Bytes> {
        let is_adapted = self.rule.adapts_schemas && viewer.profile.is_some();
        if self.rule.mode == DiscoveryMode::All && viewer.groups.is_none() && !is_adapted {
            return Some(whole.for_era(viewer.era).clone());
        }
        self.cached(viewer)
    }

    /// Derives the list of a viewer and stores it.
    pub(crate) fn derive_list(&self, whole: &ListsByEra, built_in: &[NamedBuiltIn], viewer: ListViewer) -> Bytes {
        let list = whole.for_era(viewer.era);
        let definitions = definitions::parse(list, self.entries.len());
        let groups = viewer.groups.as_deref();
        let visible: Vec<usize> =
            (0..definitions.len()).filter(|position| self.is_in_groups(*position, groups)).collect();
        let has_search = self.uses_search(&definitions, &visible, viewer.profile);
        let pinned_max = usize::try_from(PINNED_TOOLS_MAX).unwrap_or(usize::MAX);
        let pinned = visible.iter().filter(|position| self.entries[**position].is_pinned).take(pinned_max);
        let shown: Vec<usize> = if has_search { pinned.copied().collect() } else { visible };
        let tools = shown.into_iter().map(|position| DerivedEntry::Tool(&definitions[position]));
        let built_in = built_in.iter().filter(|built_in| has_search || !built_in.tool.is_for_search());
        let entries: Vec<DerivedEntry<'_>> = tools.chain(built_in.map(DerivedEntry::BuiltIn)).collect();
        let profile = viewer.profile.filter(|_| self.rule.adapts_schemas);
        let written = self.write(&entries, profile, &definitions);
        let written = if written == **list { list.clone() } else { Bytes::from(written) };
        self.store(viewer, written.clone());
        written
    }

    /// Whether clients of this profile search instead of reading the whole list.
    fn uses_search(
        &self,
        definitions: &[ToolDefinition<'_>],
        visible: &[usize],
        profile: Option<ClientProfile>,
    ) -> bool {
        match self.rule.mode {
            DiscoveryMode::All => false,
            DiscoveryMode::Search => true,
            DiscoveryMode::Auto => {
                let tools_max = profile.and_then(ClientProfile::tools_max);
                if tools_max.is_some_and(|tools_max| visible.len() > tools_max) {
                    return true;
                }
                let is_over_budget = || {
                    let counts = self
                        .tokens
                        .get_or_init(|| definitions.iter().map(|tool| TokenCount::from_text(tool.json)).collect());
                    let total: TokenCount = visible.iter().filter_map(|position| counts.get(*position)).copied().sum();
                    total.tokens() > self.rule.list_budget as usize
                };
                !profile.is_some_and(ClientProfile::defers_tools) && is_over_budget()
            }
        }
    }

    fn write(
        &self,
        entries: &[DerivedEntry<'_>],
        profile: Option<ClientProfile>,
        definitions: &[ToolDefinition<'_>],
    ) -> Vec<u8> {
        let names = profile.filter(|_| self.has_safe_names).map(|_| self.profile_names(definitions));
        let mut out = b"{".to_vec();
        let write_entry = |entry: &DerivedEntry<'_>, out: &mut Vec<u8>| match entry {
            DerivedEntry::BuiltIn(built_in) => write_built_in(built_in, out),
            DerivedEntry::Tool(tool) => match profile {
                None => out.extend_from_slice(tool.json.as_bytes()),
                Some(profile) => {
                    let name = names.map_or(&*tool.name, |names| names.listed(profile, &tool.name));
                    write_adapted(tool, name, profile, out);
                }
            },
        };
        write_array("tools", entries, write_entry, &mut out);
        out.push(b'}');
        out.shrink_to_fit();
        out
    }

    fn profile_names(&self, definitions: &[ToolDefinition<'_>]) -> &ProfileNames {
        self.names.get_or_init(|| ProfileNames::new(definitions))
    }

    /// The name of the tool that an adapted list shows under another name.
    pub(crate) fn original_name(&self, whole: &[u8], profile: Option<ClientProfile>, listed: &str) -> Option<&str> {
        if !self.has_safe_names || !self.rule.adapts_schemas {
            return None;
        }
        let names = match self.names.get() {
            Some(names) => names,
            None => self.profile_names(&definitions::parse(whole, self.entries.len())),
        };
        names.original(profile, listed)
    }
}

fn write_adapted(tool: &ToolDefinition<'_>, name: &str, profile: ClientProfile, out: &mut Vec<u8>) {
    let adapted = adapt_schema(profile, &tool.schema());
    if adapted.is_none() && *tool.name == *name {
        return out.extend_from_slice(tool.json.as_bytes());
    }
    out.extend_from_slice(b"{\"name\":");
    write_json_string(name, out);
    write_text_member("description", &tool.description, out);
    match adapted {
        Some(schema) => write_raw_member("inputSchema", &schema.to_string(), out),
        None => write_raw_member("inputSchema", tool.input_schema.get(), out),
    }
    for (key, value) in [("outputSchema", tool.output_schema), ("annotations", tool.annotations)] {
        if let Some(value) = value {
            write_raw_member(key, value.get(), out);
        }
    }
    out.push(b'}');
}
