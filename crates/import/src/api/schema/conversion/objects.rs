//! Conversion of `properties`, `required` and the other keywords of objects.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::Conversion;
use crate::api::reference::Located;
use crate::api::schema::SchemaDirection;
use crate::api::schema::object_members::is_read_only;
use crate::api::schema::vocabulary::{Keywords, mark_widened};

impl<'a> Conversion<'_, 'a> {
    /// The value of a keyword that holds schemas by name. `readOnly` properties are not part of a request.
    pub(super) fn schema_map(&mut self, keyword: &str, map: &Located<'a>, keywords: &mut Keywords) -> Option<Value> {
        if !map.value.is_object() {
            if !map.value.is_null() {
                self.warn_repaired(&map.pointer, "The keyword needs an object of schemas; it was left out.");
                mark_widened(keywords);
            }
            return None;
        }
        let mut schemas = Map::new();
        for (name, member) in map.members() {
            let is_left_out = match keyword {
                "properties" => self.is_left_out(&member),
                "patternProperties" => !self.context.accepts_pattern(name),
                _ => false,
            };
            if !is_left_out {
                schemas.insert(name.to_owned(), self.schema(&member, None));
            } else if keyword == "patternProperties" {
                self.warn_pattern(map, name);
                mark_widened(keywords);
            }
        }
        if schemas.is_empty() && keyword != "properties" { None } else { Some(Value::Object(schemas)) }
    }

    fn is_left_out(&self, property: &Located<'a>) -> bool {
        self.direction == SchemaDirection::Request && is_read_only(self.context.resolver(), property)
    }

    pub(super) fn repair_objects(&mut self, schema: &Located<'a>, keywords: &mut Keywords) {
        self.repair_required(schema, keywords);
        repair_additional(schema, keywords);
        self.repair_groups(schema, keywords);
    }

    fn repair_required(&mut self, schema: &Located<'a>, keywords: &mut Keywords) {
        let listed = keywords.remove("required");
        let mut names: Vec<String> = Vec::new();
        match listed {
            Some(Value::Array(items)) => names.extend(items.iter().filter_map(Value::as_str).map(str::to_owned)),
            // A boolean `required` concerns the enclosing property, or in Swagger 2.0 the parameter, not this schema.
            Some(Value::Bool(_) | Value::Null) | None => {}
            Some(_) => {
                self.warn_repaired(
                    &schema.pointer.member("required"),
                    "required must be a list of names; it was left out.",
                );
                mark_widened(keywords);
            }
        }
        let properties = schema.member("properties");
        for (name, property) in properties.iter().flat_map(Located::members) {
            if property.value.get("required") == Some(&Value::Bool(true)) {
                self.warn_repaired(&property.pointer, "required: true on a property; the property is required.");
                names.push(name.to_owned());
            }
        }
        let mut seen = HashSet::new();
        names.retain(|name| {
            let property = properties.as_ref().and_then(|all| all.member(name));
            !property.is_some_and(|property| self.is_left_out(&property)) && seen.insert(name.clone())
        });
        if !names.is_empty() {
            keywords.insert("required".to_owned(), names.into());
        }
    }

    /// Removes keywords that have no effect without another one, and checks `dependentRequired`.
    fn repair_groups(&mut self, schema: &Located<'a>, keywords: &mut Keywords) {
        for (needed, dependent) in
            [("if", "then"), ("if", "else"), ("contains", "minContains"), ("contains", "maxContains")]
        {
            if !keywords.contains_key(needed) {
                keywords.remove(dependent);
            }
        }
        let is_names = |value: &Value| value.as_array().is_some_and(|names| names.iter().all(Value::is_string));
        let dependent = keywords
            .get("dependentRequired")
            .map(|map| map.as_object().is_some_and(|members| members.values().all(is_names)));
        if dependent == Some(false) {
            self.warn_repaired(
                &schema.pointer.member("dependentRequired"),
                "dependentRequired is not valid; it was left out.",
            );
            keywords.remove("dependentRequired");
            mark_widened(keywords);
        }
    }
}

fn repair_additional(schema: &Located<'_>, keywords: &mut Keywords) {
    for keyword in ["additionalProperties", "unevaluatedProperties"] {
        let is_invalid = schema.value.get(keyword).is_some_and(|value| !value.is_object() && !value.is_boolean());
        // Without a dropped pattern, the names that it matched would be refused.
        let has_lost_patterns = has_fewer(schema, keywords, "patternProperties");
        if is_invalid || has_lost_patterns && keywords.contains_key(keyword) {
            keywords.remove(keyword);
            mark_widened(keywords);
        }
    }
}

fn has_fewer(schema: &Located<'_>, keywords: &Keywords, keyword: &str) -> bool {
    let count = |value: Option<&Value>| value.and_then(Value::as_object).map_or(0, Map::len);
    count(keywords.get(keyword)) < count(schema.value.get(keyword))
}
