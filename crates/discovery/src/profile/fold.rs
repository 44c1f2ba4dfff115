//! Folds `oneOf`, `anyOf`, `allOf` and `$ref` of an object schema into one object, because model APIs refuse them in
//! the root schema.

use serde_json::{Map, Value, json};

use super::merge::{all_of, any_of};
use crate::schema::budget::WorkBudget;
use crate::schema::pointer::{LocalRef, resolve};

/// Keywords that combine schemas.
pub(super) const COMPOSITIONS: [&str; 3] = ["oneOf", "anyOf", "allOf"];
/// Maximum nesting of compositions that are folded.
const FOLD_DEPTH_MAX: usize = 8;
/// Maximum number of schemas that are folded into one.
const PARTS_MAX: usize = 2_000;
/// Maximum number of variants that the description lists.
const DESCRIBED_VARIANTS_MAX: usize = 8;
/// Maximum number of arguments of a variant that the description lists.
const DESCRIBED_ARGUMENTS_MAX: usize = 5;
/// The keywords that folding replaces.
const FOLDED_KEYWORDS: [&str; 10] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "discriminator",
    "oneOf",
    "properties",
    "required",
    "type",
    "unevaluatedProperties",
];

/// Whether the schema has a keyword that can be folded.
pub(super) fn is_composed(schema: &Value) -> bool {
    COMPOSITIONS.iter().chain(&["$ref"]).any(|keyword| schema.get(keyword).is_some())
}

/// The schema as one object with the properties of all variants. Properties are required if every variant requires
/// them; the description lists the variants.
pub(super) fn fold(schema: &Value) -> Value {
    let mut folder = Folder { root: schema, budget: WorkBudget::new(PARTS_MAX), notes: Vec::new() };
    let object = folder.object(schema, 0);
    let mut members = Map::new();
    members.insert("type".to_owned(), "object".into());
    let others = schema.as_object().into_iter().flatten();
    for (keyword, value) in others.filter(|(keyword, _)| !FOLDED_KEYWORDS.contains(&keyword.as_str())) {
        members.insert(keyword.clone(), value.clone());
    }
    if !folder.notes.is_empty() {
        let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        members.insert("description".to_owned(), format!("{description} {}", folder.notes.join(" ")).trim().into());
    }
    members.insert("properties".to_owned(), object.properties.into());
    if !object.required.is_empty() {
        members.insert("required".to_owned(), object.required.into());
    }
    match schema.get("additionalProperties") {
        _ if object.is_closed => drop(members.insert("additionalProperties".to_owned(), false.into())),
        Some(additional @ Value::Object(_)) => {
            members.insert("additionalProperties".to_owned(), additional.clone());
        }
        _ => {}
    }
    members.into()
}

/// The members of an object schema.
#[derive(Debug, Default, Clone)]
struct FoldedObject {
    properties: Map<String, Value>,
    required: Vec<String>,
    /// Whether other members are refused.
    is_closed: bool,
}

struct Folder<'a> {
    root: &'a Value,
    budget: WorkBudget,
    /// Descriptions of the variants.
    notes: Vec<String>,
}

impl<'a> Folder<'a> {
    fn object(&mut self, schema: &'a Value, depth: usize) -> FoldedObject {
        let mut folded = FoldedObject::own(schema, &mut self.budget);
        if depth > FOLD_DEPTH_MAX || !self.budget.take_schema() {
            return folded;
        }
        let list = |keyword: &str| schema.get(keyword).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        if let Some(target) = self.target(schema) {
            folded.add(self.object(target, depth + 1));
        }
        for part in list("allOf") {
            folded.add(self.object(part, depth + 1));
        }
        for keyword in ["oneOf", "anyOf"] {
            let possible = list(keyword).iter().filter(|variant| self.may_be_object(variant));
            let variants: Vec<&Value> = possible.collect();
            let objects: Vec<FoldedObject> = variants.iter().map(|variant| self.object(variant, depth + 1)).collect();
            if depth <= 1 && objects.len() > 1 {
                self.notes.push(describe_variants(keyword, &objects, &folded.required));
            }
            let union = FoldedObject::union(objects, &folded.properties);
            folded.add(union);
        }
        folded
    }

    fn target(&self, schema: &Value) -> Option<&'a Value> {
        match resolve(self.root, schema.get("$ref")?.as_str()?) {
            LocalRef::Found(target) if !std::ptr::eq(target, self.root) => Some(target),
            _ => None,
        }
    }

    /// Whether an object can match this variant; arguments are always an object.
    fn may_be_object(&self, variant: &Value) -> bool {
        let schema = self.target(variant).unwrap_or(variant);
        match schema.get("type") {
            Some(Value::String(kind)) => kind == "object",
            Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
            _ => *variant != Value::Bool(false),
        }
    }
}

impl FoldedObject {
    /// The members that the schema itself declares, without its compositions.
    fn own(schema: &Value, budget: &mut WorkBudget) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let mut copy = |schema: &Value| if budget.take_value(schema) { schema.clone() } else { json!({}) };
        let properties = properties.map(|(name, schema)| (name.clone(), copy(schema))).collect();
        let names = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let mut required: Vec<String> = Vec::new();
        for name in names {
            if !required.iter().any(|other| other == name) {
                required.push(name.to_owned());
            }
        }
        let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false))
            && schema.get("patternProperties").is_none();
        Self { properties, required, is_closed }
    }

    /// Adds the members of another schema for the same object.
    fn add(&mut self, other: Self) {
        for (name, schema) in other.properties {
            let merged = self.properties.get(&name).map(|own| all_of(own, &schema));
            self.properties.insert(name, merged.unwrap_or(schema));
        }
        for name in other.required {
            if !self.required.contains(&name) {
                self.required.push(name);
            }
        }
        self.is_closed |= other.is_closed;
    }

    /// The union of variants: the properties of any variant, and the requirements that all share. A property in `known`
    /// already has a schema, which is narrowed only if all variants narrow it.
    fn union(variants: Vec<Self>, known: &Map<String, Value>) -> Self {
        let Some((first, others)) = variants.split_first() else { return Self::default() };
        let is_in_all = |name: &String| others.iter().all(|variant| variant.required.contains(name));
        let required = first.required.iter().filter(|name| is_in_all(name)).cloned().collect();
        let is_closed = variants.iter().all(|variant| variant.is_closed);
        let count = variants.len();
        let mut alternatives: Map<String, Value> = Map::new();
        for (name, schema) in variants.into_iter().flat_map(|variant| variant.properties) {
            let list = alternatives.entry(name).or_insert_with(|| json!([]));
            if let Value::Array(list) = list {
                list.push(schema);
            }
        }
        let mut properties = Map::new();
        for (name, list) in alternatives {
            let Value::Array(list) = list else { continue };
            if list.len() == count || !known.contains_key(&name) {
                properties.insert(name, any_of(list));
            }
        }
        Self { properties, required, is_closed }
    }
}

/// Describes which arguments belong to each variant.
fn describe_variants(keyword: &str, variants: &[FoldedObject], known_required: &[String]) -> String {
    let is_in_all = |name: &String| variants.iter().all(|variant| variant.required.contains(name));
    let describe = |variant: &FoldedObject| {
        let fixed = variant.properties.iter().filter_map(|(name, schema)| Some((name, fixed_value(schema)?)));
        let fixed: Vec<(&String, String)> = fixed.collect();
        let names = variant.required.iter().filter(|name| {
            let is_fixed = fixed.iter().any(|(fixed, _)| fixed == name);
            !is_fixed && !is_in_all(name) && !known_required.contains(name)
        });
        let values = fixed.iter().map(|(name, value)| format!("{name}={value}"));
        let mut parts: Vec<String> = values.chain(names.cloned()).collect();
        if parts.is_empty() {
            parts = variant.properties.keys().map(|name| format!("{name}?")).collect();
        }
        let has_more = parts.len() > DESCRIBED_ARGUMENTS_MAX;
        parts.truncate(DESCRIBED_ARGUMENTS_MAX);
        let more = if has_more { ", …" } else { "" };
        if parts.is_empty() { "(nothing more)".to_owned() } else { format!("{}{more}", parts.join(", ")) }
    };
    let amount = if keyword == "oneOf" { "Exactly one" } else { "At least one" };
    let shown: Vec<String> = variants.iter().take(DESCRIBED_VARIANTS_MAX).map(describe).collect();
    let left_out = variants.len().saturating_sub(DESCRIBED_VARIANTS_MAX);
    let more = if left_out > 0 { format!(" | … {left_out} more") } else { String::new() };
    format!("{amount} of these combinations: {}{more}.", shown.join(" | "))
}

/// The only value that a schema accepts, if it is a short scalar.
fn fixed_value(schema: &Value) -> Option<String> {
    let values = schema.get("enum").and_then(Value::as_array);
    let value = schema.get("const").or_else(|| values.filter(|values| values.len() == 1)?.first())?;
    let text = value.to_string();
    (!value.is_object() && !value.is_array() && text.len() <= 40).then_some(text)
}
