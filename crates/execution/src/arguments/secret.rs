//! Arguments that a schema declares secret (`writeOnly`, `format: password`, `x-secret`). They are masked in every
//! stored copy of a call. If the search for secrets exceeds its limits, everything is masked.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashSet;

use secrecy::SecretString;
use serde::Deserialize;
use serde_json::value::RawValue;
use toolgate_domain::headers::MASK;
use toolgate_domain::json::{self, Members};

use super::schema_graph::{NodeId, SchemaGraph, SchemaNode};

/// The limit on steps to find the secrets of one call.
const STEPS_MAX: usize = 200_000;
/// The limit on bytes parsed to find them: nested values are parsed once for each level.
const READ_BYTES_MAX: usize = 16 << 20;
/// The limit on secret values that are searched for in the response.
const SECRETS_MAX: usize = 64;
/// The limit on the bytes of these values: the search takes time proportional to secret bytes times response bytes.
const SECRET_BYTES_MAX: usize = 4 << 10;

/// The subschemas that lead to a secret. Values of other subschemas are not inspected.
#[derive(Debug)]
pub(super) struct SecretPaths {
    /// By node id; empty if the schema declares no secret.
    leads_to_secret: Vec<bool>,
    /// Nodes that lead to a secret through a member of an object.
    through_members: HashSet<NodeId>,
    /// Nodes that lead to a secret through an item of an array.
    through_items: HashSet<NodeId>,
}

/// The arguments of a call with secrets masked.
#[derive(Debug)]
pub(crate) struct MaskedArguments<'a> {
    /// The JSON text.
    pub(crate) json: Cow<'a, str>,
    /// The masked values, because an upstream may repeat them; `None` if they could not be determined.
    pub(crate) secrets: Option<Vec<SecretString>>,
}

impl SecretPaths {
    pub(super) fn from_graph(graph: &SchemaGraph) -> Self {
        let leads_to_secret =
            if graph.nodes.iter().any(|node| node.is_secret) { leads_to_secret(graph) } else { Vec::new() };
        let nodes_through = |children: fn(&SchemaNode) -> Vec<NodeId>| {
            let has_secret =
                |node: &SchemaNode| children(node).into_iter().any(|child| is_set(&leads_to_secret, child));
            (0..).zip(&graph.nodes).filter(|(_, node)| has_secret(node)).map(|(id, _)| id).collect()
        };
        let through_members =
            nodes_through(|node| node.properties.values().chain(&node.every_property).copied().collect());
        let through_items = nodes_through(|node| node.items.iter().chain(&node.every_item).copied().collect());
        Self { leads_to_secret, through_members, through_items }
    }

    /// Whether the schema declares no secret.
    pub(super) fn is_empty(&self) -> bool {
        self.leads_to_secret.is_empty()
    }

    pub(super) fn mask<'a>(&self, graph: &SchemaGraph, arguments: &'a str) -> MaskedArguments<'a> {
        if self.is_empty() {
            return MaskedArguments { json: Cow::Borrowed(arguments), secrets: Some(Vec::new()) };
        }
        let mut masker = SecretMasker {
            paths: self,
            graph,
            steps: 0,
            read_bytes: 0,
            out: String::new(),
            secrets: Vec::new(),
            secret_bytes: 0,
        };
        match serde_json::from_str(arguments).ok().and_then(|arguments| masker.mask_value(arguments, &[0])) {
            Some(()) => MaskedArguments { json: Cow::Owned(masker.out), secrets: Some(masker.secrets) },
            None => MaskedArguments { json: Cow::Owned(json_mask()), secrets: None },
        }
    }
}

/// Whether each node leads to a secret.
fn leads_to_secret(graph: &SchemaGraph) -> Vec<bool> {
    let mut leads_to_secret: Vec<bool> = graph.nodes.iter().map(|node| node.is_secret).collect();
    // References can form cycles, so the search repeats until it finds no further node.
    loop {
        let found: Vec<NodeId> = (0..leads_to_secret.len())
            .filter(|&id| {
                !is_set(&leads_to_secret, id)
                    && applied_subschemas(graph, id).any(|child| is_set(&leads_to_secret, child))
            })
            .collect();
        if found.is_empty() {
            return leads_to_secret;
        }
        for id in found {
            leads_to_secret.get_mut(id).into_iter().for_each(|flag| *flag = true);
        }
    }
}

fn is_set(leads_to_secret: &[bool], id: NodeId) -> bool {
    leads_to_secret.get(id).copied().unwrap_or(false)
}

/// The subschemas that a node applies to its value or to parts of it.
fn applied_subschemas(graph: &SchemaGraph, id: NodeId) -> impl Iterator<Item = NodeId> {
    graph.nodes.get(id).into_iter().flat_map(|node| {
        let lists = [&node.in_place, &node.every_property, &node.items, &node.every_item];
        lists.into_iter().flatten().chain(node.properties.values()).copied()
    })
}

fn json_mask() -> String {
    format!("\"{MASK}\"")
}

/// Rewrites arguments with their secrets masked.
struct SecretMasker<'a> {
    paths: &'a SecretPaths,
    graph: &'a SchemaGraph,
    steps: usize,
    /// Bytes parsed so far.
    read_bytes: usize,
    out: String,
    secrets: Vec<SecretString>,
    secret_bytes: usize,
}

impl SecretMasker<'_> {
    /// Writes a value with its secrets masked. `None` if a limit is exceeded, the text is not JSON, or the location of
    /// a secret is unclear.
    fn mask_value(&mut self, value: &RawValue, schemas: &[NodeId]) -> Option<()> {
        let schemas = self.applicable_schemas(schemas)?;
        let nodes = || schemas.iter().filter_map(|&id| self.graph.nodes.get(id));
        if schemas.is_empty() {
            self.out.push_str(value.get());
        } else if nodes().any(|node| node.is_secret) {
            self.out.push_str(&json_mask());
            self.collect_secrets(value)?;
        } else {
            self.mask_parts(value, &schemas)?;
        }
        Some(())
    }

    /// Masks inside a value that leads to a secret. `None` if the value does not have the declared shape: the secret
    /// may be anywhere in it.
    fn mask_parts(&mut self, value: &RawValue, schemas: &[NodeId]) -> Option<()> {
        let nodes = || schemas.iter().filter_map(|&id| self.graph.nodes.get(id));
        let leads_through = |paths: &HashSet<NodeId>| schemas.iter().any(|id| paths.contains(id));
        match value.get().as_bytes().first()? {
            b'{' if leads_through(&self.paths.through_members) => {
                let for_every_member: Vec<NodeId> =
                    nodes().flat_map(|node| node.every_property.iter().copied()).collect();
                self.mask_object(value, schemas, &for_every_member)
            }
            b'[' if leads_through(&self.paths.through_items) => {
                let for_every_item: Vec<NodeId> =
                    nodes().flat_map(|node| node.items.iter().chain(&node.every_item).copied()).collect();
                self.mask_array(value, &for_every_item)
            }
            // `null`, `true` and `false` contain no secret.
            b'n' | b't' | b'f' => {
                self.out.push_str(value.get());
                Some(())
            }
            _ => None,
        }
    }

    fn mask_object(&mut self, value: &RawValue, schemas: &[NodeId], for_every_member: &[NodeId]) -> Option<()> {
        let members: Members = self.parse(value)?;
        self.out.push('{');
        for (index, (name, member)) in members.iter().enumerate() {
            self.out.push_str(if index == 0 { "" } else { "," });
            self.out.push_str(json::raw_string(name).get());
            self.out.push(':');
            let nodes = schemas.iter().filter_map(|&id| self.graph.nodes.get(id));
            let by_name: Vec<NodeId> = nodes.filter_map(|node| node.properties.get(name).copied()).collect();
            self.mask_value(member, &[&by_name, for_every_member].concat())?;
        }
        self.out.push('}');
        Some(())
    }

    fn mask_array(&mut self, value: &RawValue, for_every_item: &[NodeId]) -> Option<()> {
        let items: Vec<&RawValue> = self.parse(value)?;
        self.out.push('[');
        for (index, item) in items.into_iter().enumerate() {
            self.out.push_str(if index == 0 { "" } else { "," });
            self.mask_value(item, for_every_item)?;
        }
        self.out.push(']');
        Some(())
    }

    /// Those of `schemas` and of their in-place subschemas that lead to a secret; `None` above the limit on steps.
    fn applicable_schemas(&mut self, schemas: &[NodeId]) -> Option<Vec<NodeId>> {
        let (mut pending, mut visited, mut applicable) = (schemas.to_vec(), HashSet::new(), Vec::new());
        self.steps += 1;
        while let Some(id) = pending.pop() {
            self.steps += 1;
            if is_set(&self.paths.leads_to_secret, id) && visited.insert(id) {
                applicable.push(id);
                pending.extend(self.graph.nodes.get(id).into_iter().flat_map(|node| &node.in_place));
            }
        }
        (self.steps <= STEPS_MAX).then_some(applicable)
    }

    /// Collects every string and number in a secret value.
    fn collect_secrets(&mut self, value: &RawValue) -> Option<()> {
        match value.get().as_bytes().first()? {
            b'"' => self.collect_text(&json::as_string(value)?),
            b'{' => {
                let members: Members = self.parse(value)?;
                members.values().try_for_each(|member| self.collect_secrets(member))
            }
            b'[' => {
                let items: Vec<&RawValue> = self.parse(value)?;
                items.into_iter().try_for_each(|item| self.collect_secrets(item))
            }
            b'-' | b'0'..=b'9' => self.collect_text(value.get()),
            _ => Some(()),
        }
    }

    fn collect_text(&mut self, text: &str) -> Option<()> {
        self.secret_bytes += text.len();
        if self.secrets.len() >= SECRETS_MAX || self.secret_bytes > SECRET_BYTES_MAX {
            return None;
        }
        self.secrets.push(text.into());
        Some(())
    }

    /// Parses the members of an object or the items of an array.
    fn parse<'v, T: Deserialize<'v>>(&mut self, value: &'v RawValue) -> Option<T> {
        self.read_bytes += value.get().len();
        if self.read_bytes > READ_BYTES_MAX {
            return None;
        }
        serde_json::from_str(value.get()).ok()
    }
}
