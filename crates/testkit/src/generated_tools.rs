//! 800 generated tools: ten actions on each of eighty resources of eight products. Descriptions use several wordings,
//! so that a search cannot rely on the words of the names.

mod actions;
mod held_out;
mod resources;
mod tuned;

use serde_json::{Map, Value, json};

use actions::GeneratedAction;
use held_out::{HELD_OUT_QUERIES, UNSEEN_QUERIES};
use resources::{GeneratedResource, RESOURCES};
use tuned::TUNED_QUERIES;

/// A tool as an import of an API would create it.
#[derive(Debug, Clone)]
pub struct GeneratedTool {
    /// Its name, such as `list_invoices`.
    pub name: String,
    /// Its group.
    pub group: &'static str,
    /// Its description.
    pub description: String,
    /// Its input schema.
    pub input_schema: Value,
}

/// All generated tools, always the same ones in the same order.
pub fn generated_tools() -> Vec<GeneratedTool> {
    let tools = (0..).zip(&RESOURCES).flat_map(|(row, resource)| {
        let actions = GeneratedAction::COMMON.into_iter().chain(resource.actions);
        (0..).zip(actions).map(move |(column, action)| generate(resource, action, row + 3 * column))
    });
    tools.collect()
}

/// Queries with which the search was developed, each with the name of the wanted tool.
pub fn tuned_queries() -> &'static [(&'static str, &'static str)] {
    &TUNED_QUERIES
}

/// Queries that the search was never tuned with, each with the name of the wanted tool.
pub fn held_out_queries() -> &'static [(&'static str, &'static str)] {
    &HELD_OUT_QUERIES
}

/// Further queries that the search was never tuned with: written before its last improvement, and run only after it.
pub fn unseen_queries() -> &'static [(&'static str, &'static str)] {
    &UNSEEN_QUERIES
}

/// One tool; `wording` selects one of the wordings of its description.
fn generate(resource: &GeneratedResource, action: GeneratedAction, wording: usize) -> GeneratedTool {
    let noun = if action.is_plural() { resource.plural } else { resource.singular };
    let spaced = |name: &str| name.replace('_', " ");
    let wordings = action.wordings();
    let text = wordings[wording % wordings.len()]
        .replace("{one}", &spaced(resource.singular))
        .replace("{many}", &spaced(resource.plural));
    let (one, about) = (spaced(resource.singular), resource.about);
    let description = match wording % 3 {
        0 => format!("{text} A {one} is {about}."),
        1 => format!("{text} ({one}: {about})"),
        _ => format!("{text}\n\nFor {about}."),
    };
    GeneratedTool {
        name: format!("{}_{noun}", action.verb()),
        group: resource.group,
        description,
        input_schema: input_schema(resource, action),
    }
}

fn input_schema(resource: &GeneratedResource, action: GeneratedAction) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let id = format!("{}_id", resource.singular);
    if action.needs_id() {
        properties.insert(id.clone(), json!({"type": "string", "description": "The id."}));
        required.push(id);
    }
    for (name, schema) in action.arguments() {
        properties.insert(name.to_owned(), schema);
    }
    if action.has_fields() {
        let (field, values) = resource.choice;
        properties.insert(field.to_owned(), json!({"type": "string", "enum": values}));
        for field in resource.fields {
            properties.insert((*field).to_owned(), json!({"type": "string"}));
        }
    }
    json!({"type": "object", "properties": properties, "required": required})
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn there_are_800_tools_with_distinct_names() {
        let tools = generated_tools();
        assert_eq!(tools.len(), 800);
        let names: HashSet<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names.len(), 800);
        assert!(tools.iter().all(|tool| !tool.description.contains(['{', '_'])));
        for (query, wanted) in tuned_queries().iter().chain(held_out_queries()).chain(unseen_queries()) {
            assert!(names.contains(wanted), "{query}: there is no tool {wanted}");
        }
    }
}
