//! The root schema of a tool and the definitions it uses, before they become one document.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::Value;
use toolgate_domain::tool::{DOCUMENT_MAX, SUBSCHEMAS_MAX};

use super::measure;
use super::vocabulary::each_reference;

#[derive(Clone)]
pub(super) struct DefinitionGraph {
    pub(super) root: Value,
    pub(super) definitions: IndexMap<String, Value>,
}

/// The progress of a depth-first search at one definition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SearchState {
    Active,
    Done,
}

/// The result of a depth-first search over definitions.
pub(super) struct SearchOrder {
    /// The definitions in postorder: each after those it refers to, except along back edges.
    pub(super) finished: Vec<String>,
    /// Edges to a definition that was not finished. Each closes a cycle.
    pub(super) back_edges: Vec<(String, String)>,
}

impl DefinitionGraph {
    /// All schemas: the root and the definitions.
    pub(super) fn schemas_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        std::iter::once(&mut self.root).chain(self.definitions.values_mut())
    }

    pub(super) fn schemas(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(&self.root).chain(self.definitions.values())
    }

    /// Whether repeating small definitions could exceed the limits of a tool.
    pub(super) fn is_large(&self) -> bool {
        self.schemas().map(measure::subschema_count).sum::<usize>() > SUBSCHEMAS_MAX / 4
            || self.schemas().map(measure::bytes).sum::<usize>() > DOCUMENT_MAX / 2
    }

    /// The definitions that each definition refers to.
    pub(super) fn references(&self) -> HashMap<&str, Vec<&str>> {
        let targets = |schema| {
            let mut names = Vec::new();
            each_reference(schema, &mut |name| names.push(name));
            names
        };
        self.definitions.iter().map(|(name, schema)| (name.as_str(), targets(schema))).collect()
    }
}

/// Searches depth first along `edges`. It uses an explicit stack, because a chain of references may be long.
pub(super) fn search<'n>(names: impl Iterator<Item = &'n str>, edges: &HashMap<&'n str, Vec<&'n str>>) -> SearchOrder {
    let mut order = SearchOrder { finished: Vec::new(), back_edges: Vec::new() };
    let mut states: HashMap<&str, SearchState> = HashMap::new();
    for start in names {
        if states.contains_key(start) {
            continue;
        }
        states.insert(start, SearchState::Active);
        let mut stack = vec![(start, 0)];
        while let Some((name, position)) = stack.last_mut() {
            let (name, next) = (*name, edges.get(*name).and_then(|targets| targets.get(*position)).copied());
            *position += 1;
            let Some(next) = next else {
                states.insert(name, SearchState::Done);
                order.finished.push(name.to_owned());
                stack.pop();
                continue;
            };
            match states.get(next) {
                Some(SearchState::Active) => order.back_edges.push((name.to_owned(), next.to_owned())),
                Some(SearchState::Done) => {}
                None => {
                    states.insert(next, SearchState::Active);
                    stack.push((next, 0));
                }
            }
        }
    }
    order
}
