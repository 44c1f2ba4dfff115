//! The parts of the OpenAPI document that operations share by `$ref`.

use serde_json::{Map, Value, json};

/// One shared part.
struct Component {
    /// The section of `components`: `schemas`, `parameters`, …
    section: &'static str,
    name: String,
    /// The part without references.
    definition: Value,
}

/// The shared parts.
#[derive(Default)]
pub(crate) struct Components(Vec<Component>);

impl Components {
    /// Adds a part, unless one of that name exists.
    pub(crate) fn add(&mut self, section: &'static str, name: &str, definition: &Value) {
        if !self.0.iter().any(|part| part.section == section && part.name == name) {
            self.0.push(Component { section, name: name.to_owned(), definition: definition.clone() });
        }
    }

    /// Adds the definitions that occur several times. If a name has several of them, the first is added.
    pub(crate) fn add_repeated(&mut self, section: &'static str, definitions: &[(&str, &Value)]) {
        for (index, definition) in definitions.iter().enumerate() {
            if definitions[..index].contains(definition) {
                self.add(section, definition.0, definition.1);
            }
        }
    }

    /// A copy of `value` in which every shared part is a reference.
    pub(crate) fn with_references(&self, value: &Value) -> Value {
        let is_shared = |part: &&Component| value.is_object() && part.definition == *value;
        match self.0.iter().find(is_shared) {
            Some(part) => json!({"$ref": format!("#/components/{}/{}", part.section, part.name)}),
            None => self.with_references_inside(value),
        }
    }

    fn with_references_inside(&self, value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| self.with_references(item)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, member)| (name.clone(), self.with_references(member))).collect()
            }
            other => other.clone(),
        }
    }

    /// The shared parts by section and name.
    pub(crate) fn sections(&self) -> Map<String, Value> {
        let mut sections = Map::new();
        for part in &self.0 {
            let section = sections.entry(part.section).or_insert_with(|| json!({}));
            section[part.name.as_str()] = self.with_references_inside(&part.definition);
        }
        sections
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_parts_are_referenced_also_inside_each_other() {
        let user = json!({"type": "object", "properties": {"id": {"type": "integer"}}});
        let me = json!({"type": "object", "properties": {"user": user}});
        let mut components = Components::default();
        components.add("schemas", "Me", &me);
        components.add("schemas", "User", &user);
        let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        assert_eq!(components.with_references(&json!([me, user, 1])), json!([reference("Me"), reference("User"), 1]));
        let expected = json!({"Me": {"type": "object", "properties": {"user": reference("User")}}, "User": user});
        assert_eq!(components.sections()["schemas"], expected);
    }

    #[test]
    fn only_repeated_definitions_are_shared() {
        let [page, size, other_size] = [1, 2, 3].map(|n| json!({"minimum": n}));
        let mut components = Components::default();
        components.add_repeated(
            "parameters",
            &[("page", &page), ("size", &other_size), ("size", &size), ("size", &size), ("size", &size)],
        );
        assert_eq!(Value::Object(components.sections()), json!({"parameters": {"size": size}}));
    }
}
