//! Prevents a schema from refusing more values because a part of it was widened: if a branch of `oneOf` accepts more
//! values, two branches can match, and `not` refuses all values that its schema accepts.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::graph::DefinitionGraph;
use super::vocabulary::{Keywords, WIDENED_MARK, each_reference, reference, relation, subschemas, subschemas_mut};

/// Relaxes all schemas that contain a schema marked as widened, and removes the marks.
pub(super) fn relax(graph: &mut DefinitionGraph) {
    let widened = widened_definitions(graph);
    for schema in graph.schemas_mut() {
        relax_schema(schema, &widened);
    }
}

/// The definitions with a mark, and those that refer to one.
fn widened_definitions(graph: &DefinitionGraph) -> HashSet<String> {
    let mut users: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, schema) in &graph.definitions {
        each_reference(schema, &mut |target| users.entry(target).or_default().push(name));
    }
    let marked = graph.definitions.iter().filter(|(_, schema)| has_mark(schema));
    let mut pending: Vec<&str> = marked.map(|(name, _)| name.as_str()).collect();
    let mut widened = HashSet::new();
    while let Some(name) = pending.pop() {
        if widened.insert(name.to_owned()) {
            pending.extend(users.get(name).into_iter().flatten());
        }
    }
    widened
}

fn has_mark(schema: &Value) -> bool {
    let Some(keywords) = schema.as_object() else { return false };
    keywords.contains_key(WIDENED_MARK)
        || keywords
            .iter()
            .filter(|(keyword, _)| relation(keyword).is_some())
            .any(|(keyword, value)| subschemas(keyword, value).any(has_mark))
}

/// Relaxes a schema and its subschemas. Returns whether the schema accepts more values than the document says.
fn relax_schema(schema: &mut Value, widened: &HashSet<String>) -> bool {
    let Some(keywords) = schema.as_object_mut() else { return false };
    let mut is_widened =
        keywords.remove(WIDENED_MARK).is_some() || reference(keywords).is_some_and(|name| widened.contains(name));
    let mut relaxed = Vec::new();
    for (keyword, value) in keywords.iter_mut().filter(|(keyword, _)| relation(keyword).is_some()) {
        // All schemas are visited, because each may have a mark to remove.
        let mut is_any_widened = false;
        for schema in subschemas_mut(keyword, value) {
            is_any_widened |= relax_schema(schema, widened);
        }
        if is_any_widened {
            relaxed.push(keyword.clone());
            is_widened = true;
        }
    }
    for keyword in &relaxed {
        relax_keyword(keywords, keyword);
    }
    if is_widened {
        // Properties and items that a wider schema no longer names would be refused.
        keywords.remove("unevaluatedProperties");
        keywords.remove("unevaluatedItems");
    }
    is_widened
}

/// Replaces a keyword that would refuse values because its schemas accept more.
fn relax_keyword(keywords: &mut Keywords, keyword: &str) {
    match keyword {
        "not" => drop(keywords.remove("not")),
        "if" => ["if", "then", "else"].iter().for_each(|name| drop(keywords.remove(*name))),
        "contains" => drop(keywords.remove("maxContains")),
        "oneOf" => {
            let Some(branches) = keywords.remove("oneOf") else { return };
            if !keywords.contains_key("anyOf") {
                keywords.insert("anyOf".to_owned(), branches);
            } else if let Value::Array(list) = keywords.entry("allOf").or_insert_with(|| json!([])) {
                list.push(json!({"anyOf": branches}));
            }
        }
        _ => {}
    }
}
