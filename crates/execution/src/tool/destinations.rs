//! Where each argument of a tool goes, decided when the tool is compiled.
//!
//! An argument goes where `parameter_mapping` says. One that is not mapped fills the placeholder of its name, else goes
//! into the query of a GET, HEAD, DELETE or OPTIONS and into the body of anything else. Where the two speak of the
//! same thing:
//!
//! - A placeholder is filled by the argument mapped to it, else by the argument of its name, also when that one is
//!   mapped elsewhere: then it goes to both places, except that a placeholder in the query is enough for an argument
//!   mapped to the query.
//! - An argument mapped to a placeholder that the address does not have is treated as if it were not mapped.
//! - Declared is what the schema names, what the mapping names, and what the address has a placeholder for. Anything
//!   else is forwarded only where `additionalProperties` is true or a schema, by the rule for what is not mapped.

use ahash::HashMap;
use http::{HeaderName, Method};
use serde_json::value::RawValue;
use toolgate_domain::json::{self, JsonObject, Members};

use super::headers;
use super::url::{Endpoint, Filling, Placeholder};
use crate::arguments::InputSchema;

/// Where the arguments of a tool go.
#[derive(Debug)]
pub(super) struct Destinations {
    /// For each placeholder of the address the arguments that may fill it; the first that is given does.
    slots: Vec<Vec<String>>,
    declared: HashMap<String, Destination>,
    forwards_undeclared: bool,
    has_body_method: bool,
    /// Whether a body is sent even if a call has nothing to put in it: the tool describes one. A GET without
    /// arguments stays a GET without a body.
    pub(super) always_has_body: bool,
}

#[derive(Debug)]
struct Destination {
    place: Place,
    /// Whether the mapping says so.
    is_explicit: bool,
}

/// With the name it has there.
#[derive(Debug)]
enum Place {
    /// In a placeholder, and nowhere else.
    Address,
    Query(String),
    Header(HeaderName),
    Body(String),
    /// In a header that no argument may set.
    Nowhere,
}

/// The arguments of one call, sorted.
#[derive(Default)]
pub(super) struct Placed<'a> {
    pub(super) fillings: Vec<Filling<'a>>,
    pub(super) query: Vec<(&'a str, &'a RawValue)>,
    pub(super) headers: Vec<HeaderArgument<'a>>,
    pub(super) body: Vec<BodyArgument<'a>>,
}

/// An argument that goes into a header.
pub(super) struct HeaderArgument<'a> {
    pub(super) argument: &'a str,
    pub(super) name: &'a HeaderName,
    pub(super) value: &'a RawValue,
}

/// An argument that goes into the body.
pub(super) struct BodyArgument<'a> {
    pub(super) argument: &'a str,
    /// Its name upstream.
    pub(super) name: &'a str,
    pub(super) value: &'a RawValue,
}

/// One entry of `parameter_mapping`.
struct Rule {
    location: String,
    name: String,
}

impl Destinations {
    pub(super) fn compile(
        schema: &InputSchema,
        schema_text: &JsonObject,
        mapping: &JsonObject,
        endpoint: &Endpoint,
        method: &Method,
    ) -> Self {
        let rules: HashMap<String, Rule> =
            mapping.members().iter().filter_map(|(name, rule)| Some((name.clone(), Rule::read(name, rule)?))).collect();
        let mut plan = Self {
            slots: endpoint.placeholders().iter().map(|placeholder| fillers(placeholder, mapping, &rules)).collect(),
            declared: HashMap::default(),
            forwards_undeclared: forwards_undeclared(schema_text),
            has_body_method: !matches!(*method, Method::GET | Method::HEAD | Method::DELETE | Method::OPTIONS),
            always_has_body: false,
        };
        let placeholders = plan.slots.iter().flatten().cloned();
        let names = schema.declared().into_iter().map(str::to_owned).chain(rules.keys().cloned()).chain(placeholders);
        plan.declared = names
            .map(|name| {
                let place = plan.place_of(&name, rules.get(&name), endpoint);
                let is_explicit = rules.contains_key(&name);
                (name, Destination { place, is_explicit })
            })
            .collect();
        let has_body_argument = plan.declared.values().any(|destination| matches!(destination.place, Place::Body(_)));
        plan.always_has_body = plan.has_body_method && has_body_argument;
        plan
    }

    fn place_of(&self, argument: &str, rule: Option<&Rule>, endpoint: &Endpoint) -> Place {
        let mut filled =
            self.slots.iter().zip(endpoint.placeholders()).filter(|(names, _)| names.iter().any(|n| n == argument));
        match rule {
            None if filled.next().is_some() => Place::Address,
            None => self.unmapped(argument),
            Some(rule) => match rule.location.as_str() {
                "path" if endpoint.placeholders().iter().any(|placeholder| placeholder.name == rule.name) => {
                    Place::Address
                }
                "query" if filled.any(|(_, placeholder)| placeholder.is_in_query) => Place::Address,
                "query" => Place::Query(rule.name.clone()),
                "header" | "headers" => headers::settable(&rule.name).map_or(Place::Nowhere, Place::Header),
                "body" => Place::Body(rule.name.clone()),
                _ => self.unmapped(&rule.name),
            },
        }
    }

    fn unmapped(&self, name: &str) -> Place {
        if self.has_body_method { Place::Body(name.to_owned()) } else { Place::Query(name.to_owned()) }
    }

    /// Sorts the arguments of a call. Null is as good as absent everywhere but in the body.
    pub(super) fn place<'a>(&'a self, arguments: &'a Members) -> Placed<'a> {
        let mut placed = self.place_address(arguments);
        for (argument, value) in arguments {
            match self.declared.get(argument) {
                Some(destination) => placed.add(argument, value, &destination.place),
                None if !self.forwards_undeclared => {}
                None if self.has_body_method => placed.body.push(BodyArgument { argument, name: argument, value }),
                None => placed.add_query(argument, value),
            }
        }
        placed
    }

    /// Sorts what the mapping or a placeholder names; all else is in a body that is there already.
    pub(super) fn place_around_body<'a>(&'a self, arguments: &'a Members) -> Placed<'a> {
        let mut placed = self.place_address(arguments);
        for (argument, value) in arguments {
            if let Some(destination) = self.declared.get(argument).filter(|destination| destination.is_explicit) {
                placed.add(argument, value, &destination.place);
            }
        }
        placed.body.clear();
        placed
    }

    fn place_address<'a>(&'a self, arguments: &'a Members) -> Placed<'a> {
        let given = |name: &String| arguments.get(name).map(AsRef::as_ref).filter(|value| !json::is_null(value));
        let fillings = self.slots.iter().map(|names| {
            let found = names.iter().find_map(|name| Some((name, given(name)?)));
            Filling {
                argument: found.map(|(name, _)| name).or(names.first()).map_or("", String::as_str),
                value: found.map(|(_, value)| value),
            }
        });
        Placed { fillings: fillings.collect(), ..Placed::default() }
    }
}

impl<'a> Placed<'a> {
    fn add(&mut self, argument: &'a str, value: &'a RawValue, place: &'a Place) {
        match place {
            Place::Address | Place::Nowhere => {}
            Place::Query(name) => self.add_query(name, value),
            Place::Header(_) if json::is_null(value) => {}
            Place::Header(name) => self.headers.push(HeaderArgument { argument, name, value }),
            Place::Body(name) => self.body.push(BodyArgument { argument, name, value }),
        }
    }

    fn add_query(&mut self, name: &'a str, value: &'a RawValue) {
        if !json::is_null(value) {
            self.query.push((name, value));
        }
    }
}

impl Rule {
    fn read(argument: &str, rule: &RawValue) -> Option<Self> {
        let rule = JsonObject::from_raw(rule)?.members();
        let text = |key: &str| rule.get(key).and_then(|value| json::as_string(value));
        Some(Self { location: text("location")?, name: text("name").unwrap_or_else(|| argument.to_owned()) })
    }
}

/// The arguments mapped to a placeholder, in the mapping's order, else the one of its name.
fn fillers(placeholder: &Placeholder, mapping: &JsonObject, rules: &HashMap<String, Rule>) -> Vec<String> {
    if placeholder.name.is_empty() {
        return Vec::new();
    }
    let is_mapped_here =
        |name: &String| rules.get(name).is_some_and(|rule| rule.location == "path" && rule.name == placeholder.name);
    let mapped: Vec<String> = mapping.members().into_keys().filter(is_mapped_here).collect();
    if mapped.is_empty() { vec![placeholder.name.clone()] } else { mapped }
}

fn forwards_undeclared(schema: &JsonObject) -> bool {
    schema
        .members()
        .get("additionalProperties")
        .is_some_and(|value| value.get() == "true" || value.get().starts_with('{'))
}

#[cfg(test)]
mod tests;
