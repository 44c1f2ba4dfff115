//! Whether a schema still accepts every value that an earlier one accepted.
//!
//! The comparison is conservative: a difference with an unknown effect is reported as narrowing.

use std::collections::HashSet;
use std::ptr;

use serde_json::{Map, Value};

use crate::api::drift::DriftChange;
use crate::api::drift::tool_state::member;
use crate::api::pointer::escape;

/// Maximum number of pairs of schemas that are compared for one tool; further ones count as narrowed.
const COMPARISONS_MAX: usize = 20_000;
/// Maximum depth of a comparison; deeper schemas count as narrowed. References can lead arbitrarily deep: two reference
/// cycles of different lengths repeat a pair only after the product of their lengths.
const DEPTH_MAX: usize = 64;
/// Number of enum values that count as one comparison in `COMPARISONS_MAX`.
const VALUES_PER_COMPARISON: usize = 10;
/// Maximum number of changes that are listed for one tool.
const CHANGES_MAX: usize = 50;
/// Upper limits: a lower value is narrower.
const UPPER_LIMITS: [&str; 5] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
/// Lower limits: a higher value is narrower.
const LOWER_LIMITS: [&str; 5] = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
/// Keywords for which every changed value is reported as narrower.
const RESTRICTIONS: [&str; 17] = [
    "pattern",
    "format",
    "multipleOf",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "minContains",
    "maxContains",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentEncoding",
];

/// Compares schemas of two documents, and resolves references against their roots.
pub(super) struct SchemaComparison<'a> {
    old_root: &'a Value,
    new_root: &'a Value,
    changes: Vec<DriftChange>,
    /// The memory addresses of the pairs under comparison. A recursive schema is not compared again within itself.
    open: HashSet<(usize, usize)>,
    comparisons: usize,
    depth: usize,
}

impl<'a> SchemaComparison<'a> {
    pub(super) fn new(old_root: &'a Value, new_root: &'a Value) -> Self {
        Self { old_root, new_root, changes: Vec::new(), open: HashSet::new(), comparisons: 0, depth: 0 }
    }

    pub(super) fn into_changes(self) -> Vec<DriftChange> {
        self.changes
    }

    /// Records where `new` is narrower than `old`.
    pub(super) fn compare(&mut self, old: &'a Value, new: &'a Value, pointer: &str) {
        self.comparisons += 1;
        if self.comparisons > COMPARISONS_MAX || self.depth >= DEPTH_MAX {
            self.record(old, new, pointer);
            return;
        }
        let (old, new) = (resolve(self.old_root, old), resolve(self.new_root, new));
        let pair = (ptr::from_ref(old).addr(), ptr::from_ref(new).addr());
        if self.open.insert(pair) {
            self.depth += 1;
            self.compare_resolved(old, new, pointer);
            self.depth -= 1;
            self.open.remove(&pair);
        }
    }

    fn compare_resolved(&mut self, old: &'a Value, new: &'a Value, pointer: &str) {
        match (old, new) {
            // Nothing was accepted, or everything is.
            (Value::Bool(false), _) | (_, Value::Bool(true)) => {}
            (_, Value::Object(new_members)) => {
                if new_members.is_empty() {
                    return;
                }
                self.compare_values(old, new, pointer);
                self.compare_limits(old, new, pointer);
                self.compare_members(old, new, pointer);
                self.compare_items(old, new, pointer);
                self.compare_combinations(old, new, pointer);
            }
            _ => self.record(old, new, pointer),
        }
    }

    fn record(&mut self, was: &Value, now: &Value, pointer: &str) {
        let is_known = self.changes.iter().any(|change| change.pointer == pointer);
        if !is_known && self.changes.len() < CHANGES_MAX {
            let (pointer, was, now) = (pointer.to_owned(), was.clone(), now.clone());
            self.changes.push(DriftChange { pointer, was, now });
        }
    }

    fn record_keyword(&mut self, old: &Value, new: &Value, pointer: &str, keyword: &str) {
        self.record(member(old, keyword), member(new, keyword), &format!("{pointer}/{keyword}"));
    }

    /// `type`, `enum` and `const`.
    fn compare_values(&mut self, old: &'a Value, new: &'a Value, pointer: &str) {
        let (old_values, new_values) = (values(old), values(new));
        if new_values.is_some()
            && old_values != new_values
            && !self.accepts_values(old_values.as_deref(), new_values.as_deref())
        {
            let keyword = if new.get("enum").is_some() { "enum" } else { "const" };
            self.record_keyword(old, new, pointer, keyword);
        }
        let Some(new_types) = types(new) else { return };
        let is_accepted =
            |name: &str| new_types.contains(&name) || (name == "integer" && new_types.contains(&"number"));
        let is_wider = match (types(old), &old_values) {
            (Some(old_types), _) => old_types.into_iter().all(is_accepted),
            (None, Some(values)) => values.iter().all(|value| is_accepted(type_name(value))),
            (None, None) => false,
        };
        // The branches of alternatives are compared later, including their types.
        if !is_wider && branches(old).is_none() && old.get("allOf").is_none() {
            self.record_keyword(old, new, pointer, "type");
        }
    }

    /// Whether the new values contain the old ones.
    fn accepts_values(&mut self, old: Option<&[&Value]>, new: Option<&[&Value]>) -> bool {
        let (Some(old), Some(new)) = (old, new) else { return new.is_none() };
        self.comparisons += (old.len() + new.len()) / VALUES_PER_COMPARISON;
        if self.comparisons > COMPARISONS_MAX {
            return false;
        }
        let new: HashSet<String> = new.iter().map(ToString::to_string).collect();
        old.iter().all(|value| new.contains(&value.to_string()))
    }

    fn compare_limits(&mut self, old: &'a Value, new: &'a Value, pointer: &str) {
        let limit = |schema: &Value, keyword: &str| member(schema, keyword).as_f64();
        for (keywords, is_upper) in [(UPPER_LIMITS, true), (LOWER_LIMITS, false)] {
            for keyword in keywords {
                let Some(now) = limit(new, keyword) else { continue };
                let is_narrower = |was: f64| if is_upper { now < was } else { now > was };
                if limit(old, keyword).is_none_or(is_narrower) {
                    self.record_keyword(old, new, pointer, keyword);
                }
            }
        }
        for keyword in RESTRICTIONS {
            if new.get(keyword).is_some_and(|now| now != member(old, keyword)) {
                self.record_keyword(old, new, pointer, keyword);
            }
        }
        let is_unique = |schema| member(schema, "uniqueItems") == &Value::Bool(true);
        if is_unique(new) && !is_unique(old) {
            self.record_keyword(old, new, pointer, "uniqueItems");
        }
    }

    /// The members of objects.
    fn compare_members(&mut self, old: &'a Value, new: &'a Value, pointer: &str) {
        let required = |schema: &'a Value| member(schema, "required").as_array();
        let was = required(old);
        if required(new).into_iter().flatten().any(|name| was.is_none_or(|was| !was.contains(name))) {
            self.record_keyword(old, new, pointer, "required");
        }
        let (old_members, new_members) = (object(old, "properties"), object(new, "properties"));
        let is_closed = member(new, "additionalProperties") == &Value::Bool(false);
        for (name, old_member) in old_members.into_iter().flatten() {
            let pointer = format!("{pointer}/properties/{}", escape(name));
            match new_members.and_then(|members| members.get(name)) {
                Some(new_member) => self.compare(old_member, new_member, &pointer),
                None if new_members.is_some() || is_closed => self.record(old_member, &Value::Null, &pointer),
                None => {}
            }
        }
        self.compare_subschema(old, new, pointer, "additionalProperties");
    }

    fn compare_items(&mut self, old: &'a Value, new: &'a Value, pointer: &str) {
        self.compare_subschema(old, new, pointer, "items");
        let items = |schema: &'a Value| member(schema, "prefixItems").as_array();
        for (index, new_item) in items(new).into_iter().flatten().enumerate() {
            let old_item = items(old).and_then(|items| items.get(index)).unwrap_or(&Value::Bool(true));
            self.compare(old_item, new_item, &format!("{pointer}/prefixItems/{index}"));
        }
    }

    /// Compares the schemas of one keyword, such as `items`; a missing one accepts everything.
    fn compare_subschema(&mut self, old: &'a Value, new: &'a Value, pointer: &str, keyword: &str) {
        if let Some(new) = new.get(keyword) {
            let old = old.get(keyword).unwrap_or(&Value::Bool(true));
            self.compare(old, new, &format!("{pointer}/{keyword}"));
        }
    }

    /// `anyOf`, `oneOf` and `allOf`.
    fn compare_combinations(&mut self, old: &'a Value, new: &'a Value, pointer: &str) {
        match (branches(old), branches(new)) {
            (_, Some((keyword, new_branches))) => {
                let old_branches = branches(old).map_or_else(|| vec![old], |(_, branches)| branches.iter().collect());
                let is_accepted = |comparison: &mut Self, old: &'a Value| {
                    new_branches.iter().any(|new| comparison.is_accepted(old, new))
                };
                if !old_branches.into_iter().all(|branch| is_accepted(self, branch)) {
                    self.record_keyword(old, new, pointer, keyword);
                }
            }
            (Some((keyword, old_branches)), None) => {
                if !old_branches.iter().all(|branch| self.is_accepted(branch, new)) {
                    self.record_keyword(old, new, pointer, keyword);
                }
            }
            (None, None) => {}
        }
        let all = |schema: &'a Value| member(schema, "allOf").as_array();
        for branch in all(new).into_iter().flatten() {
            let is_known = all(old).is_some_and(|branches| branches.contains(branch));
            if !is_known && !self.is_accepted(old, branch) {
                self.record_keyword(old, new, pointer, "allOf");
            }
        }
    }

    /// Whether `new` accepts all that `old` accepts.
    fn is_accepted(&mut self, old: &'a Value, new: &'a Value) -> bool {
        let recorded = std::mem::take(&mut self.changes);
        self.compare(old, new, "");
        std::mem::replace(&mut self.changes, recorded).is_empty()
    }
}

fn reference(schema: &Value) -> Option<&str> {
    member(schema, "$ref").as_str()
}

/// The target of a reference into the root, or the schema itself. A reference to a reference, which candidates do not
/// have, is compared as it is.
fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    match reference(schema).and_then(|reference| reference.strip_prefix('#')) {
        Some(pointer) => root.pointer(pointer).unwrap_or(&Value::Bool(true)),
        None => schema,
    }
}

fn types(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The only values that a schema accepts.
fn values(schema: &Value) -> Option<Vec<&Value>> {
    match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(values)), _) => Some(values.iter().collect()),
        (_, Some(value)) => Some(vec![value]),
        _ => None,
    }
}

fn branches(schema: &Value) -> Option<(&'static str, &Vec<Value>)> {
    ["anyOf", "oneOf"].into_iter().find_map(|keyword| Some((keyword, schema.get(keyword)?.as_array()?)))
}

fn object<'v>(schema: &'v Value, keyword: &str) -> Option<&'v Map<String, Value>> {
    schema.get(keyword)?.as_object()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changes(old: &Value, new: &Value) -> Vec<String> {
        let mut comparison = SchemaComparison::new(old, new);
        comparison.compare(old, new, "");
        comparison.into_changes().into_iter().map(|change| change.pointer).collect()
    }

    #[test]
    fn a_wider_schema_is_not_a_change() {
        for (old, new) in [
            (json!({"type": "integer"}), json!({"type": "number"})),
            (json!({"type": "string"}), json!({"type": ["string", "null"]})),
            (json!({"type": "string"}), json!({})),
            (json!({"type": "string"}), json!(true)),
            (json!({"enum": ["a"]}), json!({"enum": ["b", "a"]})),
            (json!({"const": "a"}), json!({"enum": ["a", "b"]})),
            (json!({"enum": ["a"]}), json!({"type": "string"})),
            (json!({"type": "string", "maxLength": 5}), json!({"type": "string", "maxLength": 6})),
            (json!({"minimum": 2}), json!({"minimum": 1})),
            (json!({"pattern": "a"}), json!({"description": "text"})),
            (json!({"properties": {"a": {}}}), json!({"properties": {"a": {}, "b": {"type": "string"}}})),
            (json!({"properties": {"a": {}}, "required": ["a"]}), json!({"properties": {"a": {}}})),
            (json!({"type": "string"}), json!({"anyOf": [{"type": "integer"}, {"type": "string"}]})),
            (json!({"oneOf": [{"type": "string"}, {"type": "null"}]}), json!({"type": ["string", "null"]})),
            (json!({"anyOf": [{"type": "string"}]}), json!({"anyOf": [{"type": "integer"}, {"type": "string"}]})),
            (json!({"items": {"type": "integer"}}), json!({"items": {"type": "number"}})),
            (json!(false), json!({"type": "string"})),
        ] {
            assert_eq!(changes(&old, &new), Vec::<String>::new(), "{old} {new}");
        }
    }

    #[test]
    fn a_narrower_schema_is_a_change_with_its_position() {
        for (old, new, expected) in [
            (json!({"type": "number"}), json!({"type": "integer"}), "/type"),
            (json!({}), json!({"type": "integer"}), "/type"),
            (json!({"enum": ["a", "b"]}), json!({"enum": ["a"]}), "/enum"),
            (json!({"type": "string"}), json!({"type": "string", "enum": ["a"]}), "/enum"),
            (json!({"type": "string"}), json!({"type": "string", "const": "a"}), "/const"),
            (json!({"maximum": 5}), json!({"maximum": 4}), "/maximum"),
            (json!({}), json!({"minLength": 1}), "/minLength"),
            (json!({"pattern": "a"}), json!({"pattern": "b"}), "/pattern"),
            (json!({"type": "array"}), json!({"type": "array", "uniqueItems": true}), "/uniqueItems"),
            (json!({"properties": {"a": {}, "b": {}}}), json!({"properties": {"b": {}}}), "/properties/a"),
            (json!({"properties": {"a": {}}}), json!({"properties": {"a": {}}, "required": ["a"]}), "/required"),
            (json!({"items": {"type": "number"}}), json!({"items": {"type": "integer"}}), "/items/type"),
            (json!({}), json!({"additionalProperties": false}), "/additionalProperties"),
            (
                json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
                json!({"anyOf": [{"type": "string"}]}),
                "/anyOf",
            ),
            (json!({"oneOf": [{"type": "string"}, {"type": "null"}]}), json!({"type": "string"}), "/oneOf"),
            (json!({"type": "object"}), json!({"type": "object", "allOf": [{"required": ["a"]}]}), "/allOf"),
        ] {
            assert_eq!(changes(&old, &new), [expected], "{old} {new}");
        }
    }

    #[test]
    fn comparison_ends_for_reference_cycles_and_large_enums() {
        let cycle = |length: usize| {
            let definition = |index: usize| {
                let next = json!({"$ref": format!("#/$defs/S{}", (index + 1) % length)});
                (format!("S{index}"), json!({"properties": {"a": next, "b": next}}))
            };
            json!({"$ref": "#/$defs/S0", "$defs": (0..length).map(definition).collect::<Map<_, _>>()})
        };
        assert!(!changes(&cycle(199), &cycle(198)).is_empty());
        assert_eq!(changes(&cycle(3), &cycle(2)), Vec::<String>::new());
        let values = |numbers: &mut dyn Iterator<Item = i32>| json!({"enum": numbers.collect::<Vec<_>>()});
        let arguments = |schema: Value| {
            let reference = |index: usize| (format!("p{index}"), json!({"$ref": "#/$defs/E"}));
            json!({"properties": (0..900).map(reference).collect::<Map<_, _>>(), "$defs": {"E": schema}})
        };
        let (old, new) = (values(&mut (0..38_000)), values(&mut (0..38_000).rev()));
        assert_eq!(changes(&old, &new), Vec::<String>::new());
        assert_eq!(changes(&arguments(old), &arguments(new)).len(), CHANGES_MAX);
    }

    #[test]
    fn a_reference_is_compared_with_each_schema_that_replaces_it() {
        let tree = |inner: &str| json!({"$ref": "#/$defs/T", "$defs": {"T": {"properties": {"next": {"$ref": "#/$defs/T"}, "n": {"type": inner}}}}});
        let inlined = json!({"properties": {"n": {"type": "number"}, "next": {"properties": {"n": {"type": "integer"}, "next": {}}}}});
        assert_eq!(changes(&tree("number"), &inlined), ["/properties/next/properties/n/type"]);
    }

    #[test]
    fn recursive_schemas_are_compared_once() {
        let tree = |value: &str| {
            json!({"$ref": "#/$defs/T", "$defs": {"T": {"properties": {
                "value": {"type": value}, "next": {"$ref": "#/$defs/T"}}}}})
        };
        assert_eq!(changes(&tree("string"), &tree("string")), Vec::<String>::new());
        assert_eq!(changes(&tree("number"), &tree("integer")), ["/properties/value/type"]);
    }
}
