//! The members of an object schema, for bodies whose members are arguments of their own.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde_json::Value;

use crate::api::pointer::Pointer;
use crate::api::reference::{Located, ReferenceError, ReferenceResolver};
use crate::api::schema::{ObjectForm, ObjectProperty, SchemaDirection};

/// Maximum nesting of `allOf`.
const DEPTH_MAX: usize = 32;
/// A schema with one of these cannot be split into its members.
const UNSPLIT: [&str; 7] = ["oneOf", "anyOf", "not", "if", "dependentSchemas", "enum", "const"];

/// The members of a schema after `$ref` and `allOf`; `None` for every other schema.
pub(super) fn collect<'a>(
    resolver: &ReferenceResolver<'a>,
    schema: &Located<'a>,
    direction: SchemaDirection,
) -> Result<Option<ObjectForm<'a>>, ReferenceError> {
    let form = ObjectForm { properties: IndexMap::new(), required: Vec::new(), open: false, nullable: false };
    let mut collector = Collector { resolver, direction, form, read_only: Vec::new(), visited: HashSet::new() };
    if !collector.add(schema, 0)? || collector.form.properties.is_empty() && collector.read_only.is_empty() {
        return Ok(None);
    }
    let Collector { mut form, read_only, .. } = collector;
    form.required.retain(|name| form.properties.contains_key(name) || !read_only.contains(name));
    Ok(Some(form))
}

/// Whether a property is only received: declared on it, on its target, or in its `allOf`.
pub(super) fn is_read_only<'a>(resolver: &ReferenceResolver<'a>, property: &Located<'a>) -> bool {
    let is_marked = |located: &Located<'a>| located.value.get("readOnly") == Some(&Value::Bool(true));
    if is_marked(property) {
        return true;
    }
    if property.value.get("$ref").is_some() {
        return resolver.resolve(property.clone()).is_ok_and(|target| is_marked(&target));
    }
    property
        .value
        .get("allOf")
        .and_then(Value::as_array)
        .is_some_and(|branches| branches.iter().any(|branch| branch.get("readOnly") == Some(&Value::Bool(true))))
}

struct Collector<'r, 'a> {
    resolver: &'r ReferenceResolver<'a>,
    direction: SchemaDirection,
    form: ObjectForm<'a>,
    /// The names of the properties that are left out.
    read_only: Vec<String>,
    /// The schemas that were added; a schema that includes itself adds nothing new.
    visited: HashSet<Pointer>,
}

impl<'a> Collector<'_, 'a> {
    /// Adds a schema and its `allOf`; false if it is no object that can be split.
    fn add(&mut self, schema: &Located<'a>, depth: usize) -> Result<bool, ReferenceError> {
        if depth > DEPTH_MAX || !self.visited.insert(schema.pointer.clone()) {
            return Ok(depth <= DEPTH_MAX);
        }
        if !schema.value.is_object() || UNSPLIT.iter().any(|keyword| schema.value.get(keyword).is_some()) {
            return Ok(false);
        }
        self.note_null(schema);
        if let Some(reference) = schema.text("$ref") {
            let target = self.resolver.follow(reference, &schema.pointer)?;
            if !self.add(&target, depth + 1)? {
                return Ok(false);
            }
            if !self.resolver.kind().has_modern_schemas() {
                return Ok(true);
            }
        }
        if !is_object_type(schema.value.get("type")) {
            return Ok(false);
        }
        for branch in schema.member("allOf").iter().flat_map(Located::items) {
            if !self.add(&branch, depth + 1)? {
                return Ok(false);
            }
        }
        self.add_members(schema);
        Ok(true)
    }

    fn note_null(&mut self, schema: &Located<'a>) {
        let is_true = |name: &str| schema.value.get(name) == Some(&Value::Bool(true));
        let types = schema.value.get("type").and_then(Value::as_array);
        let lists_null = types.is_some_and(|names| names.iter().any(|name| name == "null"));
        self.form.nullable |= is_true("nullable") || is_true("x-nullable") || lists_null;
    }

    fn add_members(&mut self, schema: &Located<'a>) {
        for (name, source) in schema.member("properties").iter().flat_map(Located::members) {
            if self.direction == SchemaDirection::Request && is_read_only(self.resolver, &source) {
                self.read_only.push(name.to_owned());
                continue;
            }
            if source.value.get("required") == Some(&Value::Bool(true)) {
                self.require(name);
            }
            // The schema nearest to the body is the most specific one.
            if let Some(property) = self.form.properties.get_mut(name) {
                let previous = std::mem::replace(&mut property.source, source);
                property.others.push(previous);
            } else {
                let property = ObjectProperty { source, others: Vec::new() };
                self.form.properties.insert(name.to_owned(), property);
            }
        }
        let required = schema.value.get("required").and_then(Value::as_array);
        required.into_iter().flatten().filter_map(Value::as_str).for_each(|name| self.require(name));
        let additional = schema.value.get("additionalProperties");
        self.form.open |= additional.is_some_and(|value| *value != Value::Bool(false) && !value.is_null())
            || schema.value.get("patternProperties").is_some();
    }

    fn require(&mut self, name: &str) {
        if !self.form.required.iter().any(|known| known == name) {
            self.form.required.push(name.to_owned());
        }
    }
}

fn is_object_type(types: Option<&Value>) -> bool {
    match types {
        None | Some(Value::Null) => true,
        Some(Value::String(name)) => name == "object",
        Some(Value::Array(names)) => {
            names.iter().all(|name| name == "object" || name == "null") && names.iter().any(|name| name == "object")
        }
        Some(_) => false,
    }
}
