//! Breaks reference cycles in which a schema is applied to the same value again, which no validator can evaluate. The
//! reference that closes the cycle is removed.

use std::collections::HashMap;

use serde_json::Value;

use super::graph::{DefinitionGraph, search};
use super::vocabulary::{DEFS_PREFIX, Relation, mark_widened, reference, relation, subschemas, subschemas_mut};

pub(super) fn break_cycles(graph: &mut DefinitionGraph) {
    let edges: HashMap<&str, Vec<&str>> = graph
        .definitions
        .iter()
        .map(|(name, schema)| {
            let mut targets = Vec::new();
            collect(schema, &mut targets);
            (name.as_str(), targets)
        })
        .collect();
    let order = search(graph.definitions.keys().map(String::as_str), &edges);
    for (source, target) in order.back_edges {
        if let Some(schema) = graph.definitions.get_mut(&source) {
            remove_reference(schema, &format!("{DEFS_PREFIX}{target}"));
        }
    }
}

/// Collects the definitions that a schema applies to the same value.
fn collect<'v>(schema: &'v Value, targets: &mut Vec<&'v str>) {
    let Some(keywords) = schema.as_object() else { return };
    targets.extend(reference(keywords));
    for (keyword, value) in keywords.iter().filter(|(keyword, _)| relation(keyword) == Some(Relation::InPlace)) {
        subschemas(keyword, value).for_each(|schema| collect(schema, targets));
    }
}

fn remove_reference(schema: &mut Value, target: &str) {
    let Some(keywords) = schema.as_object_mut() else { return };
    if keywords.get("$ref").is_some_and(|reference| reference == target) {
        keywords.remove("$ref");
        mark_widened(keywords);
    }
    for (keyword, value) in keywords.iter_mut().filter(|(keyword, _)| relation(keyword) == Some(Relation::InPlace)) {
        subschemas_mut(keyword, value).for_each(|schema| remove_reference(schema, target));
    }
}
