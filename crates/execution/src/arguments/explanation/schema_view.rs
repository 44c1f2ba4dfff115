//! Finds the declarations of properties in a schema, through references and combinations.

use serde_json::{Map, Value};

use super::path::{ArgumentPath, PathStep};
use crate::arguments::InputSchema;
use crate::arguments::schema_graph::SchemaStep;

/// How many references are followed in a row.
const REFERENCES_MAX: usize = 8;
/// How deep combinations of schemas are searched.
const COMBINATIONS_DEPTH_MAX: usize = 4;
/// How many schemas one search visits.
const VISITS_MAX: usize = 200;
/// How many names are collected.
const NAMES_MAX: usize = 500;

/// The keywords whose schemas apply to the same value.
const COMBINATIONS: [&str; 6] = ["allOf", "anyOf", "oneOf", "if", "then", "else"];

/// A schema as JSON, and the compiled schema.
pub(super) struct SchemaView<'a> {
    pub(super) document: &'a Value,
    pub(super) compiled: &'a InputSchema,
}

impl<'a> SchemaView<'a> {
    pub(super) fn new(document: &'a Value, compiled: &'a InputSchema) -> Self {
        Self { document, compiled }
    }

    /// The schema that contains the keyword at this pointer.
    pub(super) fn schema_of_keyword(&self, pointer: &str) -> Option<&'a Value> {
        let (parent, _) = pointer.rsplit_once('/')?;
        self.document.pointer(parent)
    }

    /// The target of a schema that is a reference within the document, else the schema.
    pub(super) fn resolve(&self, schema: &'a Value) -> &'a Value {
        let mut schema = schema;
        for _ in 0..REFERENCES_MAX {
            let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
            match target.and_then(|pointer| self.document.pointer(pointer)) {
                Some(target) => schema = target,
                None => break,
            }
        }
        schema
    }

    /// The schema of a member.
    pub(super) fn property(&self, schema: &'a Value, name: &str) -> Option<&'a Value> {
        let mut found = None;
        self.visit(schema, &mut |schema| {
            found = found.or_else(|| schema.get("properties")?.get(name));
            found.is_none()
        });
        found
    }

    /// The names of all declared members.
    pub(super) fn property_names(&self, schema: &'a Value) -> Vec<&'a str> {
        let mut names: Vec<&'a str> = Vec::new();
        self.visit(schema, &mut |schema| {
            let properties = schema.get("properties").and_then(Value::as_object);
            for name in properties.into_iter().flat_map(Map::keys).take(NAMES_MAX) {
                if names.len() < NAMES_MAX && !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
            names.len() < NAMES_MAX
        });
        names
    }

    /// The names of the members that every value must have.
    pub(super) fn required_names(&self, schema: &'a Value) -> Vec<&'a str> {
        let schema = self.resolve(schema);
        let all_of = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        let schemas = [schema].into_iter().chain(all_of.map(|schema| self.resolve(schema)));
        let required = schemas.filter_map(|schema| schema.get("required")?.as_array()).flatten();
        required.filter_map(Value::as_str).take(NAMES_MAX).collect()
    }

    /// The schema of a part of the arguments.
    pub(super) fn schema_at(&self, path: &ArgumentPath) -> Option<&'a Value> {
        path.0.iter().try_fold(self.document, |schema, step| match step {
            PathStep::Member(name) => self.property(schema, name),
            PathStep::Item(_) => self.resolve(schema).get("items").filter(|items| !items.is_array()),
        })
    }

    /// Whether the value at this path is secret, or part of a secret value.
    pub(super) fn is_secret(&self, path: &ArgumentPath) -> bool {
        let steps = path.0.iter().map(|step| match step {
            PathStep::Member(name) => SchemaStep::Member(name),
            PathStep::Item(index) => SchemaStep::Item(*index),
        });
        self.compiled.graph.is_secret_at(steps)
    }

    /// Visits a schema and those that it combines, until `visit` returns false.
    fn visit(&self, schema: &'a Value, visit: &mut dyn FnMut(&'a Value) -> bool) {
        let mut pending = vec![(schema, 0)];
        let mut visits = 0;
        while let Some((schema, depth)) = pending.pop() {
            let schema = self.resolve(schema);
            visits += 1;
            if visits > VISITS_MAX || !visit(schema) {
                return;
            }
            if depth == COMBINATIONS_DEPTH_MAX {
                continue;
            }
            // Added in reverse, because `pop` takes the last one: schemas are visited in document order.
            for keyword in COMBINATIONS.iter().rev() {
                match schema.get(*keyword) {
                    Some(Value::Array(schemas)) => {
                        pending.extend(schemas.iter().take(VISITS_MAX).rev().map(|schema| (schema, depth + 1)));
                    }
                    Some(schema) => pending.push((schema, depth + 1)),
                    None => {}
                }
            }
        }
    }
}
