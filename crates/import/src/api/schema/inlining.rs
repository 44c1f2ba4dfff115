//! Decides which definitions stay in `$defs`: those that are cyclic, or large and used more than once. Every other
//! definition replaces the references to it.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::graph::{DefinitionGraph, search};
use super::measure;
use super::merge::{annotate, is_bare_reference};
use super::vocabulary::{each_reference, reference, relation, subschemas, subschemas_mut};

/// A definition below this size, in bytes, is small: it replaces each reference to it.
const SMALL_BYTES: usize = 200;
/// Maximum number of subschemas of a small definition.
const SMALL_SUBSCHEMAS: usize = 3;
/// Deeper definitions stay in `$defs`, where the nesting starts again.
const INLINED_DEPTH_MAX: usize = 8;

/// Whether small definitions that are used more than once are repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SmallDefinitions {
    Repeated,
    Shared,
}

/// Joins the root and the definitions into one document.
pub(super) fn inline(mut graph: DefinitionGraph, small: SmallDefinitions) -> Value {
    let mut uses: HashMap<String, usize> = HashMap::new();
    let mut not_inlined: HashSet<String> = HashSet::new();
    for schema in graph.schemas() {
        each_reference(schema, &mut |name| *uses.entry(name.to_owned()).or_default() += 1);
        constrained_references(schema, &mut not_inlined);
    }
    let references = graph.references();
    let order = search(graph.definitions.keys().map(String::as_str), &references);
    not_inlined.extend(order.back_edges.into_iter().map(|(_, target)| target));
    let mut inlined: HashMap<String, Value> = HashMap::new();
    for name in &order.finished {
        let Some(schema) = graph.definitions.get_mut(name) else { continue };
        substitute(schema, &inlined);
        let is_used_once = uses.get(name).copied().unwrap_or(0) <= 1;
        let is_inlined = !not_inlined.contains(name)
            && (is_used_once || small == SmallDefinitions::Repeated && is_small(schema))
            && measure::schema_depth(schema) <= INLINED_DEPTH_MAX;
        if is_inlined {
            inlined.insert(name.clone(), std::mem::take(schema));
        }
    }
    substitute(&mut graph.root, &inlined);
    with_definitions(graph.root, graph.definitions, &inlined)
}

fn is_small(schema: &Value) -> bool {
    measure::bytes(schema) < SMALL_BYTES && measure::subschema_count(schema) <= SMALL_SUBSCHEMAS
}

/// Collects the definitions that stay in `$defs` because a reference to them has other keywords next to it.
fn constrained_references(schema: &Value, not_inlined: &mut HashSet<String>) {
    let Some(keywords) = schema.as_object() else { return };
    if let Some(name) = reference(keywords).filter(|_| !is_bare_reference(keywords)) {
        not_inlined.insert(name.to_owned());
    }
    for (keyword, value) in keywords.iter().filter(|(keyword, _)| relation(keyword).is_some()) {
        subschemas(keyword, value).for_each(|schema| constrained_references(schema, not_inlined));
    }
}

/// Replaces references to inlined definitions.
fn substitute(schema: &mut Value, inlined: &HashMap<String, Value>) {
    let Some(keywords) = schema.as_object_mut() else { return };
    if let Some(target) = reference(keywords).and_then(|name| inlined.get(name)) {
        let mut target = target.clone();
        if let Value::Object(replaced) = &mut target {
            annotate(replaced, keywords);
        }
        *schema = target;
        return;
    }
    for (keyword, value) in keywords.iter_mut().filter(|(keyword, _)| relation(keyword).is_some()) {
        subschemas_mut(keyword, value).for_each(|schema| substitute(schema, inlined));
    }
}

/// Adds the definitions that the schema still refers to.
fn with_definitions(
    mut root: Value,
    mut definitions: IndexMap<String, Value>,
    inlined: &HashMap<String, Value>,
) -> Value {
    let mut used = Map::new();
    let mut pending: Vec<String> = Vec::new();
    each_reference(&root, &mut |name| pending.push(name.to_owned()));
    pending.reverse();
    while let Some(name) = pending.pop() {
        if inlined.contains_key(&name) {
            continue;
        }
        if let Some(schema) = definitions.swap_remove(&name) {
            each_reference(&schema, &mut |name| pending.push(name.to_owned()));
            used.insert(name, schema);
        }
    }
    if let Some(keywords) = root.as_object_mut().filter(|_| !used.is_empty()) {
        keywords.insert("$defs".to_owned(), Value::Object(used));
    }
    root
}
