//! Finds the operations of an earlier version of a document in a new one.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use serde_json::Value;

use crate::api::candidate::Candidate;
use crate::api::drift::tool_state::member;
use crate::api::report::ApiImport;

/// Keywords of a schema that do not change which values it accepts.
const TEXT_KEYWORDS: [&str; 4] = ["description", "title", "examples", "default"];

/// The position in `new` of each candidate of `old`.
pub(super) fn positions(old: &ApiImport, new: &ApiImport) -> Vec<Option<usize>> {
    let mut positions = vec![None; old.candidates.len()];
    let is_any = |_: &Candidate| true;
    assign(&mut positions, old, new, (is_any, is_any), |candidate| Some(candidate.temp_id.clone()));
    // An operation that both versions have did not move, even if it cannot be a tool in one of them.
    let old_operations: HashSet<&str> = old.operations.iter().map(String::as_str).collect();
    let new_operations: HashSet<&str> = new.operations.iter().map(String::as_str).collect();
    let is_gone = |candidate: &Candidate| !new_operations.contains(candidate.operation.as_str());
    let is_added = |candidate: &Candidate| !old_operations.contains(candidate.operation.as_str());
    assign(&mut positions, old, new, (is_gone, is_added), |candidate| candidate.operation_id.clone());
    assign(&mut positions, old, new, (is_gone, is_added), input_key);
    positions
}

/// Assigns candidates without a position to those that have the same key, if the key is unique on both sides.
fn assign<K: Eq + Hash>(
    positions: &mut [Option<usize>],
    old: &ApiImport,
    new: &ApiImport,
    (is_gone, is_added): (impl Fn(&Candidate) -> bool, impl Fn(&Candidate) -> bool),
    key: impl Fn(&Candidate) -> Option<K>,
) {
    let taken: HashSet<usize> = positions.iter().flatten().copied().collect();
    let unassigned = new.candidates.iter().enumerate();
    let unassigned = unassigned.filter(|(position, candidate)| !taken.contains(position) && is_added(candidate));
    let added = unique(unassigned, &key);
    let unassigned = old.candidates.iter().enumerate();
    let unassigned = unassigned.filter(|(at, candidate)| positions.get(*at) == Some(&None) && is_gone(candidate));
    let found: Vec<(usize, usize)> =
        unique(unassigned, &key).into_iter().filter_map(|(key, at)| Some((at, *added.get(&key)?))).collect();
    for (at, position) in found {
        if let Some(entry) = positions.get_mut(at) {
            *entry = Some(position);
        }
    }
}

/// The positions of candidates by key, without those that share one.
fn unique<'a, K: Eq + Hash>(
    candidates: impl Iterator<Item = (usize, &'a Candidate)>,
    key: impl Fn(&Candidate) -> Option<K>,
) -> HashMap<K, usize> {
    let mut positions: HashMap<K, Option<usize>> = HashMap::new();
    for (position, candidate) in candidates {
        if let Some(key) = key(candidate) {
            positions.entry(key).and_modify(|entry| *entry = None).or_insert(Some(position));
        }
    }
    positions.into_iter().filter_map(|(key, position)| Some((key, position?))).collect()
}

/// The key by which an operation is recognised after a change of its path: method, last word of the path, and arguments
/// without texts. `None` if there are no arguments, because method and word alone fit several operations.
fn input_key(candidate: &Candidate) -> Option<(String, String, String)> {
    let path = candidate.operation.split_once(' ')?.1;
    let word = path.split('/').rev().find(|segment| !segment.is_empty() && !segment.contains('{'))?;
    let mut schema = candidate.input_schema.to_value();
    if member(&schema, "properties").as_object().is_none_or(serde_json::Map::is_empty) {
        return None;
    }
    normalize(&mut schema);
    let mut mapping = candidate.parameter_mapping.to_value();
    normalize(&mut mapping);
    Some((candidate.http_method.clone(), word.to_owned(), format!("{schema}{mapping}")))
}

/// Removes texts, and sorts members and lists of names.
fn normalize(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|key, value| !TEXT_KEYWORDS.contains(&key.as_str()) || value.is_object());
            members.sort_keys();
            for (key, value) in members {
                normalize(value);
                if let ("required" | "enum" | "type", Value::Array(items)) = (key.as_str(), value) {
                    items.sort_by_key(Value::to_string);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(normalize),
        _ => {}
    }
}
