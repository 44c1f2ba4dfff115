//! The members of an object schema, for bodies whose members become separate arguments.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde_json::Value;

use crate::api::pointer::Pointer;
use crate::api::reference::{Located, ReferenceError, ReferenceResolver};
use crate::api::schema::{ObjectMembers, ObjectProperty, SchemaDirection};

/// Maximum nesting of `allOf`.
const DEPTH_MAX: usize = 32;
/// A schema with one of these keywords cannot be split into its members.
const UNSPLITTABLE_KEYWORDS: [&str; 7] = ["oneOf", "anyOf", "not", "if", "dependentSchemas", "enum", "const"];

/// The members of an object schema after its `$ref` and `allOf` are merged; `None` for a schema that cannot be split.
pub(super) fn collect<'a>(
    resolver: &ReferenceResolver<'a>,
    schema: &Located<'a>,
    direction: SchemaDirection,
) -> Result<Option<ObjectMembers<'a>>, ReferenceError> {
    let members =
        ObjectMembers { properties: IndexMap::new(), required: Vec::new(), is_open: false, is_nullable: false };
    let mut collector = Collector { resolver, direction, members, read_only: Vec::new(), visited: HashSet::new() };
    if !collector.add(schema, 0)? || collector.members.properties.is_empty() && collector.read_only.is_empty() {
        return Ok(None);
    }
    let Collector { mut members, read_only, .. } = collector;
    members.required.retain(|name| members.properties.contains_key(name) || !read_only.contains(name));
    Ok(Some(members))
}

/// Whether a property is `readOnly`: on the property, on the target of its reference, or in its `allOf`.
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
    members: ObjectMembers<'a>,
    /// The names of the properties that are left out.
    read_only: Vec<String>,
    /// The schemas that were added; a schema that includes itself adds nothing new.
    visited: HashSet<Pointer>,
}

impl<'a> Collector<'_, 'a> {
    /// Adds a schema and its `allOf`. Returns false if it is not an object that can be split.
    fn add(&mut self, schema: &Located<'a>, depth: usize) -> Result<bool, ReferenceError> {
        if depth > DEPTH_MAX || !self.visited.insert(schema.pointer.clone()) {
            return Ok(depth <= DEPTH_MAX);
        }
        if !schema.value.is_object() || UNSPLITTABLE_KEYWORDS.iter().any(|keyword| schema.value.get(keyword).is_some())
        {
            return Ok(false);
        }
        self.record_nullable(schema);
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

    fn record_nullable(&mut self, schema: &Located<'a>) {
        let is_true = |name: &str| schema.value.get(name) == Some(&Value::Bool(true));
        let types = schema.value.get("type").and_then(Value::as_array);
        let lists_null = types.is_some_and(|names| names.iter().any(|name| name == "null"));
        self.members.is_nullable |= is_true("nullable") || is_true("x-nullable") || lists_null;
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
            // `allOf` branches are added before the schema that contains them, so the last schema is the most specific.
            if let Some(property) = self.members.properties.get_mut(name) {
                let previous = std::mem::replace(&mut property.source, source);
                property.others.push(previous);
            } else {
                let property = ObjectProperty { source, others: Vec::new() };
                self.members.properties.insert(name.to_owned(), property);
            }
        }
        let required = schema.value.get("required").and_then(Value::as_array);
        required.into_iter().flatten().filter_map(Value::as_str).for_each(|name| self.require(name));
        let additional = schema.value.get("additionalProperties");
        self.members.is_open |= additional.is_some_and(|value| *value != Value::Bool(false) && !value.is_null())
            || schema.value.get("patternProperties").is_some();
    }

    fn require(&mut self, name: &str) {
        if !self.members.required.iter().any(|known| known == name) {
            self.members.required.push(name.to_owned());
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
