//! Conversion of `oneOf`, `anyOf` and `discriminator`.

use serde_json::{Map, Value, json};

use super::Conversion;
use crate::api::reference::Located;
use crate::api::schema::merge;
use crate::api::schema::vocabulary::Keywords;

impl<'a> Conversion<'_, 'a> {
    /// Applies the discriminator, and merges unions of one branch into the schema.
    pub(super) fn simplify_unions(&mut self, schema: &Located<'a>, mut keywords: Keywords) -> Keywords {
        for union in ["oneOf", "anyOf"] {
            self.discriminate(schema, union, &mut keywords);
            let is_single = |value: &Value| value.as_array().is_some_and(|list| list.len() == 1 && list[0].is_object());
            if keywords.get(union).is_some_and(is_single)
                && let Some(Value::Array(mut branches)) = keywords.remove(union)
                && let Some(Value::Object(branch)) = branches.pop()
            {
                keywords = merge::all(vec![branch], keywords);
            }
        }
        keywords
    }

    /// Makes the discriminator property a constant in each branch that the mapping names.
    fn discriminate(&mut self, schema: &Located<'a>, union: &str, keywords: &mut Keywords) {
        let Some(discriminator) = schema.member("discriminator") else { return };
        let (Some(property), Some(mapping)) = (discriminator.text("propertyName"), discriminator.member("mapping"))
        else {
            return;
        };
        let Some(Value::Array(branches)) = keywords.get_mut(union) else { return };
        let sources: Vec<Located<'a>> = schema.member(union).iter().flat_map(Located::items).collect();
        let targets = self.mapping_targets(&mapping);
        for (branch, source) in branches.iter_mut().zip(sources) {
            let (Some(keywords), Ok(target)) = (branch.as_object_mut(), self.context.resolver().resolve(source)) else {
                continue;
            };
            let pointer = target.pointer.to_string();
            let values: Vec<&str> =
                targets.iter().filter(|(other, _)| *other == pointer).map(|(_, value)| *value).collect();
            if !values.is_empty() && allows(&target, property, &values) && !keywords.contains_key("properties") {
                let constant = if let [value] = values[..] { json!({"const": value}) } else { json!({"enum": values}) };
                let properties = Map::from_iter([(property.to_owned(), constant)]);
                keywords.insert("properties".to_owned(), Value::Object(properties));
            }
        }
    }

    /// The pointers of the schemas that the mapping names, each with its value.
    fn mapping_targets(&self, mapping: &Located<'a>) -> Vec<(String, &'a str)> {
        let resolver = self.context.resolver();
        let schemas = ["/components/schemas", "/definitions"];
        let schemas = schemas.iter().find_map(|path| resolver.root().value.pointer(path).map(|_| *path));
        let target = |value: &'a str, name: &'a Value| {
            let name = name.as_str()?;
            let is_name = !name.contains(['/', '#']);
            let located = if is_name { None } else { resolver.follow(name, &mapping.pointer).ok() };
            let located = located.and_then(|located| resolver.resolve(located).ok());
            let named = schemas.filter(|_| is_name).map(|path| format!("#{path}/{name}"));
            Some((located.map(|located| located.pointer.to_string()).or(named)?, value))
        };
        let members = mapping.value.as_object().into_iter().flatten();
        members.filter_map(|(value, name)| target(value, name)).collect()
    }
}

/// Whether the property, as the branch itself describes it, can have one of these values.
fn allows(branch: &Located<'_>, property: &str, values: &[&str]) -> bool {
    let Some(schema) = branch.value.get("properties").and_then(|properties| properties.get(property)) else {
        return true;
    };
    let listed = schema.get("enum").and_then(Value::as_array);
    let is_listed = listed.is_none_or(|list| list.iter().any(|item| values.iter().any(|value| item == value)));
    let is_constant = schema.get("const").is_none_or(|constant| values.iter().any(|value| constant == value));
    is_listed && is_constant
}
