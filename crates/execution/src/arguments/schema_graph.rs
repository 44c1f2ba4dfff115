//! The subschemas of a schema and the part of a value to which each applies. Building the graph enforces the size
//! limits before the schema is compiled; [`super::cost`] traverses it for each validation.

mod builder;

use std::collections::HashSet;

use ahash::HashMap;
use jsonschema::Draft;
use serde_json::Value;

use super::error::{SchemaError, SchemaLocation};
use super::keyword_costs::KeywordCosts;

/// The index of a subschema in [`SchemaGraph::nodes`].
pub(super) type NodeId = usize;

/// One step into a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum SchemaStep<'s> {
    /// Into a member of an object.
    Member(&'s str),
    /// Into an item of an array.
    Item(usize),
}

/// One subschema.
#[derive(Debug, Default)]
pub(super) struct SchemaNode {
    /// Its location as a JSON pointer.
    pub(super) pointer: String,
    /// Schemas applied to the same value: `allOf`, `$ref`, `if`...
    pub(super) in_place: Vec<NodeId>,
    /// Schemas of named properties.
    pub(super) properties: HashMap<String, NodeId>,
    /// Schemas that may apply to any property.
    pub(super) every_property: Vec<NodeId>,
    /// Schemas of property names.
    pub(super) property_names: Vec<NodeId>,
    /// Schemas of items by index.
    pub(super) items: Vec<NodeId>,
    /// Schemas that may apply to any item.
    pub(super) every_item: Vec<NodeId>,
    /// Whether the schema declares its value secret.
    pub(super) is_secret: bool,
    /// The cost of its own keywords.
    pub(super) costs: KeywordCosts,
}

/// All subschemas; the first node is the schema itself.
#[derive(Debug)]
pub(super) struct SchemaGraph {
    pub(super) nodes: Vec<SchemaNode>,
    /// The draft that the schema declares, or the newest.
    pub(super) draft: Draft,
}

/// The draft that the schema at `pointer` declares in `$schema`, if any.
fn declared_draft(schema: &Value, pointer: &str) -> Result<Option<Draft>, SchemaError> {
    let Some(name) = schema.get("$schema") else { return Ok(None) };
    match name.as_str().map(Draft::from_schema_uri) {
        None | Some(Draft::Unknown) => {
            Err(SchemaError::UnknownDraft { at: SchemaLocation(pointer.to_owned()), uri: name.to_string() })
        }
        draft => Ok(draft),
    }
}

impl SchemaGraph {
    /// Builds the graph of a schema within the limits, with all references resolved.
    pub(super) fn build(schema: &Value) -> Result<Self, SchemaError> {
        let draft = declared_draft(schema, "")?.unwrap_or(Draft::Draft202012);
        let graph = Self { nodes: builder::build(schema, draft)?, draft };
        graph.check_cycles()?;
        Ok(graph)
    }

    /// The names of all properties that the root schema and its in-place subschemas declare.
    pub(super) fn root_properties(&self) -> HashSet<&str> {
        let (mut names, mut visited, mut pending) = (HashSet::new(), HashSet::new(), vec![0]);
        while let Some(id) = pending.pop() {
            let Some(node) = self.nodes.get(id).filter(|_| visited.insert(id)) else { continue };
            names.extend(node.properties.keys().map(String::as_str));
            pending.extend(&node.in_place);
        }
        names
    }

    /// Whether the value at this path is secret, or part of a secret value.
    pub(super) fn is_secret_at<'s>(&self, path: impl Iterator<Item = SchemaStep<'s>>) -> bool {
        let is_secret = |ids: &[NodeId]| self.nodes_of(ids).any(|node| node.is_secret);
        let mut ids = self.with_in_place(vec![0]);
        for step in path {
            if is_secret(&ids) {
                return true;
            }
            let next = self.nodes_of(&ids).flat_map(|node| match step {
                SchemaStep::Member(name) => {
                    node.properties.get(name).into_iter().chain(&node.every_property).copied().collect::<Vec<_>>()
                }
                SchemaStep::Item(index) => node.items.get(index).into_iter().chain(&node.every_item).copied().collect(),
            });
            ids = self.with_in_place(next.collect());
        }
        is_secret(&ids)
    }

    fn nodes_of(&self, ids: &[NodeId]) -> impl Iterator<Item = &SchemaNode> {
        ids.iter().filter_map(|&id| self.nodes.get(id))
    }

    /// These schemas and their in-place subschemas, each once.
    fn with_in_place(&self, ids: Vec<NodeId>) -> Vec<NodeId> {
        let (mut visited, mut pending) = (HashSet::new(), ids);
        while let Some(id) = pending.pop() {
            if visited.insert(id) {
                pending.extend(self.nodes.get(id).into_iter().flat_map(|node| &node.in_place));
            }
        }
        visited.into_iter().collect()
    }

    /// Refuses schemas that apply themselves to the same value in an endless cycle.
    fn check_cycles(&self) -> Result<(), SchemaError> {
        let mut state = vec![VisitState::Pending; self.nodes.len()];
        (0..self.nodes.len()).try_for_each(|id| self.check_cycle(id, &mut state))
    }

    fn check_cycle(&self, id: NodeId, state: &mut [VisitState]) -> Result<(), SchemaError> {
        let (Some(node), Some(visit)) = (self.nodes.get(id), state.get_mut(id)) else { return Ok(()) };
        match visit {
            VisitState::Done => return Ok(()),
            VisitState::Active => {
                return Err(SchemaError::CyclicReference(SchemaLocation(node.pointer.clone())));
            }
            VisitState::Pending => *visit = VisitState::Active,
        }
        node.in_place.iter().try_for_each(|&next| self.check_cycle(next, state))?;
        if let Some(visit) = state.get_mut(id) {
            *visit = VisitState::Done;
        }
        Ok(())
    }
}

/// The state of a node in the depth-first search for cycles.
#[derive(Clone, Copy)]
enum VisitState {
    Pending,
    Active,
    Done,
}
