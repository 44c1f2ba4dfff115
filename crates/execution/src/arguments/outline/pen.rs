//! Draws the outline: first along the keywords that contain schemas, then along the references. What no
//! keyword and no reference reaches (`default`, `examples`, unknown keywords) is no schema and has no say.

use std::collections::HashMap;
use toolgate_domain::tool::SUBSCHEMAS_MAX;

use jsonschema::Draft;
use serde_json::{Map, Value};
use url::Url;

use super::super::error::{Place, SchemaError};
use super::super::patterns::Patterns;
use super::super::price::Rates;
use super::super::references::{References, Target, UNNAMED};
use super::super::secret;
use super::{Id, MAX_DEPTH, Node, draft_of};

/// All subschemas of a schema.
pub(super) fn draw(schema: &Value, draft: Draft) -> Result<Vec<Node>, SchemaError> {
    let mut pen = Pen {
        schema,
        draft,
        nodes: Vec::new(),
        known: HashMap::new(),
        names: References::default(),
        open: Vec::new(),
        patterns: Patterns::default(),
    };
    pen.draw(schema, String::new(), &UNNAMED, 1)?;
    while let Some(reference) = pen.open.pop() {
        pen.join(&reference)?;
    }
    Ok(pen.nodes)
}

struct Pen<'a> {
    schema: &'a Value,
    draft: Draft,
    nodes: Vec<Node>,
    /// Nodes by place.
    known: HashMap<String, Id>,
    names: References,
    open: Vec<OpenReference>,
    patterns: Patterns<'a>,
}

/// A reference that is still to be joined to its target.
struct OpenReference {
    from: Id,
    at: Place,
    text: String,
    base: Url,
    is_dynamic: bool,
}

impl OpenReference {
    fn dangling(&self) -> SchemaError {
        SchemaError::DanglingReference { at: self.at.clone(), reference: self.text.clone() }
    }

    fn outside(&self) -> SchemaError {
        SchemaError::OutsideReference { at: self.at.clone(), reference: self.text.clone() }
    }
}

impl<'a> Pen<'a> {
    fn draw(&mut self, schema: &'a Value, place: String, base: &Url, depth: usize) -> Result<Id, SchemaError> {
        let id = self.nodes.len();
        if depth > MAX_DEPTH {
            return Err(SchemaError::TooDeep { at: Place(place) });
        }
        if id >= SUBSCHEMAS_MAX {
            return Err(SchemaError::TooManySubschemas { at: Place(place) });
        }
        draft_of(schema, &place)?;
        self.known.insert(place.clone(), id);
        self.nodes.push(Node { place: place.clone(), ..Node::default() });
        let Some(keywords) = schema.as_object() else { return Ok(id) };
        let base = self.names.note(keywords, &place, base, self.draft);
        self.note_references(id, &place, keywords, &base);
        let mut node = Node { rates: Rates::of(keywords), is_secret: secret::is_declared(keywords), ..Node::default() };
        if !self.patterns.take(keywords) {
            return Err(SchemaError::PatternsTooLarge { at: Place(place) });
        }
        for (keyword, value) in keywords {
            for (role, suffix, member) in members(keyword, value) {
                let drawn = self.draw(member, format!("{place}/{keyword}{suffix}"), &base, depth + 1)?;
                node.attach(role, drawn);
            }
        }
        node.place = place;
        if let Some(slot) = self.nodes.get_mut(id) {
            *slot = node;
        }
        Ok(id)
    }

    fn note_references(&mut self, from: Id, place: &str, keywords: &Map<String, Value>, base: &Url) {
        for (keyword, is_dynamic) in [("$ref", false), ("$dynamicRef", true), ("$recursiveRef", true)] {
            if let Some(text) = keywords.get(keyword).and_then(Value::as_str) {
                let (at, text, base) = (Place(place.to_owned()), text.to_owned(), base.clone());
                self.open.push(OpenReference { from, at, text, base, is_dynamic });
            }
        }
    }

    fn join(&mut self, reference: &OpenReference) -> Result<(), SchemaError> {
        let parts = match self.names.follow(&reference.text, &reference.base, reference.is_dynamic) {
            Target::Parts(parts) => parts,
            Target::Dangling => return Err(reference.dangling()),
            Target::Outside => return Err(reference.outside()),
        };
        for part in parts {
            let target = match self.known.get(&part) {
                Some(&known) => known,
                None => self.draw_part(part, reference)?,
            };
            if let Some(node) = self.nodes.get_mut(reference.from) {
                node.in_place.push(target);
            }
        }
        Ok(())
    }

    /// References may lead to where no keyword does, such as into an unknown keyword.
    fn draw_part(&mut self, part: String, reference: &OpenReference) -> Result<Id, SchemaError> {
        let schema = self.schema.pointer(&part).filter(|schema| is_schema(schema));
        self.draw(schema.ok_or_else(|| reference.dangling())?, part, &reference.base, 1)
    }
}

/// To which part of a value a subschema applies.
#[derive(Clone, Copy)]
enum Role<'a> {
    SameValue,
    Property(&'a str),
    EveryProperty,
    PropertyNames,
    Item,
    EveryItem,
    /// None, except by reference.
    Nothing,
}

impl Node {
    fn attach(&mut self, role: Role<'_>, id: Id) {
        match role {
            Role::SameValue => self.in_place.push(id),
            Role::Property(name) => drop(self.properties.insert(name.to_owned(), id)),
            Role::EveryProperty => self.every_property.push(id),
            Role::PropertyNames => self.names.push(id),
            Role::Item => self.items.push(id),
            Role::EveryItem => self.every_item.push(id),
            Role::Nothing => {}
        }
    }
}

/// The schemas in the value of a keyword: what they apply to, how their place goes on, and they themselves.
fn members<'a>(keyword: &str, value: &'a Value) -> Vec<(Role<'a>, String, &'a Value)> {
    let role = |name: &'a str| match keyword {
        "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas" | "dependencies" => {
            Role::SameValue
        }
        "properties" => Role::Property(name),
        "patternProperties" | "additionalProperties" | "unevaluatedProperties" => Role::EveryProperty,
        "propertyNames" => Role::PropertyNames,
        "items" if !value.is_array() => Role::EveryItem,
        "items" | "prefixItems" => Role::Item,
        "contains" | "additionalItems" | "unevaluatedItems" => Role::EveryItem,
        _ => Role::Nothing,
    };
    let members: Vec<_> = match (keyword, value) {
        (
            "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "$defs" | "definitions",
            Value::Object(map),
        ) => map.iter().map(|(name, member)| (role(name), format!("/{}", escaped(name)), member)).collect(),
        ("allOf" | "anyOf" | "oneOf" | "items" | "prefixItems", Value::Array(list)) => {
            list.iter().enumerate().map(|(index, member)| (role(""), format!("/{index}"), member)).collect()
        }
        (
            "not"
            | "if"
            | "then"
            | "else"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "propertyNames"
            | "items"
            | "contains"
            | "additionalItems"
            | "unevaluatedItems"
            | "contentSchema",
            _,
        ) => vec![(role(""), String::new(), value)],
        _ => Vec::new(),
    };
    members.into_iter().filter(|(_, _, member)| is_schema(member)).collect()
}

/// What is no schema in the place of one is left to the meta-schema to complain about.
fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

/// A name as a JSON pointer spells it.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
