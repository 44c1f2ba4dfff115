//! The destination of each argument of a tool, decided when the tool is compiled.
//!
//! An argument goes where `parameter_mapping` says. An unmapped argument fills the placeholder of its name; without
//! one it goes into the query of a GET, HEAD, DELETE or OPTIONS request, and into the body of any other. If mapping and
//! placeholders overlap:
//!
//! - A placeholder is filled by the argument mapped to it, else by the argument of its name, even if that argument is
//!   mapped elsewhere. The argument then goes to both destinations, except that a placeholder in the query suffices for
//!   an argument mapped to the query.
//! - An argument mapped to a placeholder that the URL does not have counts as unmapped.
//! - An argument is declared if the schema, the mapping or a placeholder names it. Undeclared arguments are forwarded
//!   only if `additionalProperties` is true or a schema, and then like unmapped ones.

use ahash::HashMap;
use http::{HeaderName, Method};
use serde_json::value::RawValue;
use toolgate_domain::json::{self, JsonObject};

use super::argument_text::ArgumentTexts;
use super::headers::{self, HeaderArgument};
use super::url::{EndpointTemplate, Placeholder, SlotValue};
use crate::arguments::InputSchema;

/// The destinations of the arguments of a tool.
#[derive(Debug)]
pub(super) struct Destinations {
    /// For each placeholder of the URL the arguments that may fill it; the first given argument is used.
    slots: Vec<Vec<String>>,
    declared: HashMap<String, ArgumentDestination>,
    forwards_undeclared: bool,
    method_has_body: bool,
    /// Whether a body is sent even if a call has no arguments for it, because the tool describes one. A GET without
    /// arguments never has a body.
    pub(super) always_has_body: bool,
}

/// The destination of one argument.
#[derive(Debug)]
struct ArgumentDestination {
    location: ArgumentLocation,
    /// Whether `parameter_mapping` names the argument.
    is_explicit: bool,
}

/// The part of the request, with the name of the argument there.
#[derive(Debug)]
enum ArgumentLocation {
    /// Only in a placeholder of the URL.
    Placeholder,
    Query(String),
    Header(HeaderName),
    Body(String),
    /// Mapped to a header that no argument may set, so it is not sent.
    Dropped,
}

/// The arguments of one call by destination.
#[derive(Default)]
pub(super) struct PlacedArguments<'a> {
    pub(super) slot_values: Vec<SlotValue<'a>>,
    pub(super) query: Vec<(&'a str, &'a str)>,
    pub(super) headers: Vec<HeaderArgument<'a>>,
    pub(super) body: Vec<BodyArgument<'a>>,
}

/// An argument that goes into the body.
pub(super) struct BodyArgument<'a> {
    pub(super) argument: &'a str,
    /// Its name upstream.
    pub(super) name: &'a str,
    pub(super) value: &'a str,
}

/// One entry of `parameter_mapping`.
struct MappingRule {
    location: String,
    name: String,
}

impl Destinations {
    pub(super) fn compile(
        schema: &InputSchema,
        schema_text: &JsonObject,
        mapping: &JsonObject,
        endpoint: &EndpointTemplate,
        method: &Method,
    ) -> Self {
        let rules: HashMap<String, MappingRule> = mapping
            .members()
            .iter()
            .filter_map(|(name, rule)| Some((name.clone(), MappingRule::parse(name, rule)?)))
            .collect();
        let mut destinations = Self {
            slots: endpoint
                .placeholders()
                .iter()
                .map(|placeholder| slot_candidates(placeholder, mapping, &rules))
                .collect(),
            declared: HashMap::default(),
            forwards_undeclared: forwards_undeclared(schema_text),
            method_has_body: !matches!(*method, Method::GET | Method::HEAD | Method::DELETE | Method::OPTIONS),
            always_has_body: false,
        };
        let placeholders = destinations.slots.iter().flatten().cloned();
        let names =
            schema.declared_arguments().into_iter().map(str::to_owned).chain(rules.keys().cloned()).chain(placeholders);
        destinations.declared = names
            .map(|name| {
                let location = destinations.locate(&name, rules.get(&name), endpoint);
                let is_explicit = rules.contains_key(&name);
                (name, ArgumentDestination { location, is_explicit })
            })
            .collect();
        let has_body_argument =
            destinations.declared.values().any(|destination| matches!(destination.location, ArgumentLocation::Body(_)));
        destinations.always_has_body = destinations.method_has_body && has_body_argument;
        destinations
    }

    fn locate(&self, argument: &str, rule: Option<&MappingRule>, endpoint: &EndpointTemplate) -> ArgumentLocation {
        let mut filled_placeholders = self
            .slots
            .iter()
            .zip(endpoint.placeholders())
            .filter(|(names, _)| names.iter().any(|name| name == argument));
        match rule {
            None if filled_placeholders.next().is_some() => ArgumentLocation::Placeholder,
            None => self.default_location(argument),
            Some(rule) => match rule.location.as_str() {
                "path" if endpoint.placeholders().iter().any(|placeholder| placeholder.name == rule.name) => {
                    ArgumentLocation::Placeholder
                }
                "query" if filled_placeholders.any(|(_, placeholder)| placeholder.is_in_query) => {
                    ArgumentLocation::Placeholder
                }
                "query" => ArgumentLocation::Query(rule.name.clone()),
                "header" | "headers" => {
                    headers::settable_name(&rule.name).map_or(ArgumentLocation::Dropped, ArgumentLocation::Header)
                }
                "body" => ArgumentLocation::Body(rule.name.clone()),
                _ => self.default_location(&rule.name),
            },
        }
    }

    /// The location of an argument that is neither mapped nor in a placeholder.
    fn default_location(&self, name: &str) -> ArgumentLocation {
        if self.method_has_body {
            ArgumentLocation::Body(name.to_owned())
        } else {
            ArgumentLocation::Query(name.to_owned())
        }
    }

    /// Assigns the arguments of a call to their destinations. Null counts as absent except in the body.
    pub(super) fn place<'a>(&'a self, arguments: &'a ArgumentTexts) -> PlacedArguments<'a> {
        let mut placed = self.fill_slots(arguments);
        for (argument, value) in arguments {
            match self.declared.get(argument) {
                Some(destination) => placed.add(argument, value, &destination.location),
                None if !self.forwards_undeclared => {}
                None if self.method_has_body => placed.body.push(BodyArgument { argument, name: argument, value }),
                None => placed.add_query(argument, value),
            }
        }
        placed
    }

    /// Assigns only the arguments that the mapping or a placeholder names: the body is given and holds the others.
    pub(super) fn place_outside_body<'a>(&'a self, arguments: &'a ArgumentTexts) -> PlacedArguments<'a> {
        let mut placed = self.fill_slots(arguments);
        for (argument, value) in arguments {
            if let Some(destination) = self.declared.get(argument).filter(|destination| destination.is_explicit) {
                placed.add(argument, value, &destination.location);
            }
        }
        placed.body.clear();
        placed
    }

    fn fill_slots<'a>(&'a self, arguments: &'a ArgumentTexts) -> PlacedArguments<'a> {
        let given_value = |name: &String| arguments.get(name).map(AsRef::as_ref).filter(|value| *value != "null");
        let slot_values = self.slots.iter().map(|names| {
            let found = names.iter().find_map(|name| Some((name, given_value(name)?)));
            SlotValue {
                argument: found.map(|(name, _)| name).or(names.first()).map_or("", String::as_str),
                value: found.map(|(_, value)| value),
            }
        });
        PlacedArguments { slot_values: slot_values.collect(), ..PlacedArguments::default() }
    }
}

impl<'a> PlacedArguments<'a> {
    fn add(&mut self, argument: &'a str, value: &'a str, location: &'a ArgumentLocation) {
        match location {
            ArgumentLocation::Placeholder | ArgumentLocation::Dropped => {}
            ArgumentLocation::Query(name) => self.add_query(name, value),
            ArgumentLocation::Header(_) if value == "null" => {}
            ArgumentLocation::Header(name) => self.headers.push(HeaderArgument { argument, name, value }),
            ArgumentLocation::Body(name) => self.body.push(BodyArgument { argument, name, value }),
        }
    }

    fn add_query(&mut self, name: &'a str, value: &'a str) {
        if value != "null" {
            self.query.push((name, value));
        }
    }
}

impl MappingRule {
    fn parse(argument: &str, rule: &RawValue) -> Option<Self> {
        let rule = JsonObject::from_raw(rule)?.members();
        let text = |key: &str| rule.get(key).and_then(|value| json::as_string(value));
        Some(Self { location: text("location")?, name: text("name").unwrap_or_else(|| argument.to_owned()) })
    }
}

/// The arguments mapped to a placeholder, in mapping order, else the argument of its name.
fn slot_candidates(
    placeholder: &Placeholder,
    mapping: &JsonObject,
    rules: &HashMap<String, MappingRule>,
) -> Vec<String> {
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
