//! The destination of each argument of a tool, decided when the tool is compiled.
//!
//! An argument goes where `parameter_mapping` says. An unmapped argument fills the placeholder of its name; without
//! one it goes into the query of a GET, HEAD, DELETE or OPTIONS request, and into the body of any other. If mapping and
//! placeholders overlap:
//!
//! - A placeholder is filled by the argument mapped to it, else by the argument of its name, even if that argument is
//!   mapped elsewhere. The argument then goes to both destinations, except that a placeholder in the query suffices for
//!   an argument mapped to the query.
//! - An argument mapped to a placeholder that the URL does not have is placed like an unmapped one.
//! - An argument is declared if the schema, the mapping or a placeholder names it. Undeclared arguments are forwarded
//!   only if `additionalProperties` is true or a schema, and then like unmapped ones.
//! - A constant goes where an argument of its name would go. It takes precedence over arguments: an argument with the
//!   name of a constant is ignored, and so is an undeclared one that would have the constant's name in the request.

use std::cell::LazyCell;

use ahash::HashMap;
use http::{HeaderName, Method};
use toolgate_domain::json::JsonObject;
use toolgate_domain::parameters::{BodyPart, MappingRule, ParameterLocation, Serialization, declares_argument};
use toolgate_domain::tool::{BodyType, ToolSpec};

use super::argument_text::ArgumentTexts;
use super::cookies::CookieArgument;
use super::headers::{self, HeaderArgument};
use super::url::{EndpointTemplate, Placeholder, QueryArgument, SlotValue};
use crate::arguments::InputSchema;

/// The destinations of the arguments of a tool.
#[derive(Debug)]
pub(super) struct Destinations {
    /// The arguments that may fill each placeholder of the URL.
    slots: Vec<SlotSource>,
    constants: Vec<Constant>,
    declared: HashMap<String, ArgumentDestination>,
    forwards_undeclared: bool,
    method_has_body: bool,
    /// Whether a body is sent even if a call has no arguments for it, because the tool describes one. A GET without
    /// arguments never has a body.
    pub(super) always_has_body: bool,
    /// The type of a body that is left out if a call has no arguments for it; `None` if the body is required.
    optional_body: Option<BodyType>,
}

/// The arguments and constants that may fill one placeholder.
#[derive(Debug)]
struct SlotSource {
    /// A constant is used, else the first argument that the call gives.
    arguments: Vec<SlotArgument>,
}

/// An argument or a constant that may fill a placeholder.
#[derive(Debug)]
struct SlotArgument {
    key: String,
    serialization: Option<Serialization>,
    /// The value of a constant.
    constant: Option<Box<str>>,
}

/// A value that is sent with every call.
#[derive(Debug)]
struct Constant {
    key: String,
    location: ArgumentLocation,
    /// The value as JSON text.
    value: Box<str>,
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
    Query(NamedDestination),
    Header(HeaderName, Option<Serialization>),
    Cookie(NamedDestination),
    Body {
        destination: NamedDestination,
        /// The object in the body that contains it.
        parent: Option<String>,
        /// Whether it is the whole body.
        is_whole: bool,
        /// How it is sent as a file or as a part of a multipart body. Boxed, because few arguments have one and all of
        /// them would take its memory.
        part: Option<Box<BodyPart>>,
    },
    /// Not sent: it is mapped to a header that no argument may set, or a constant takes precedence.
    Dropped,
}

/// The name of an argument in the request, and how its value is written there.
#[derive(Debug)]
struct NamedDestination {
    name: String,
    serialization: Option<Serialization>,
}

/// The arguments of one call by destination.
#[derive(Default)]
pub(super) struct PlacedArguments<'a> {
    pub(super) slot_values: Vec<SlotValue<'a>>,
    pub(super) query: Vec<QueryArgument<'a>>,
    pub(super) headers: Vec<HeaderArgument<'a>>,
    pub(super) cookies: Vec<CookieArgument<'a>>,
    pub(super) body: Vec<BodyArgument<'a>>,
}

/// An argument that goes into the body.
pub(super) struct BodyArgument<'a> {
    pub(super) argument: &'a str,
    /// Its name upstream.
    pub(super) name: &'a str,
    /// The object in a JSON body that contains it.
    pub(super) parent: Option<&'a str>,
    /// Whether it is the whole body.
    pub(super) is_whole: bool,
    pub(super) value: &'a str,
    /// How it is written in a form.
    pub(super) serialization: Option<Serialization>,
    /// How it is sent as a file or as a part of a multipart body.
    pub(super) part: Option<&'a BodyPart>,
}

impl Destinations {
    pub(super) fn compile(schema: &InputSchema, spec: &ToolSpec, endpoint: &EndpointTemplate, method: &Method) -> Self {
        let rules = spec.parameter_mapping.rules();
        let schema_text = &spec.input_schema;
        let slot_sources = endpoint.placeholders().iter().map(|placeholder| SlotSource::new(placeholder, &rules));
        let mut destinations = Self {
            slots: slot_sources.collect(),
            constants: Vec::new(),
            declared: HashMap::default(),
            forwards_undeclared: forwards_undeclared(schema_text),
            method_has_body: !matches!(*method, Method::GET | Method::HEAD | Method::DELETE | Method::OPTIONS),
            always_has_body: false,
            optional_body: (!spec.body_required).then_some(spec.body_type),
        };
        let rules_by_key: HashMap<&str, &MappingRule> = rules.iter().map(|rule| (rule.key.as_str(), rule)).collect();
        let placeholders =
            destinations.slots.iter().flat_map(|slot| &slot.arguments).map(|argument| argument.key.as_str());
        let names = schema.declared_arguments().into_iter().chain(rules_by_key.keys().copied()).chain(placeholders);
        destinations.declared = names
            .map(|name| {
                let rule = rules_by_key.get(name).copied();
                let location = destinations.locate(name, rule, endpoint);
                (name.to_owned(), ArgumentDestination { location, is_explicit: rule.is_some() })
            })
            .collect();
        // Names that occur twice, such as those of placeholders, were counted twice.
        destinations.declared.shrink_to_fit();
        let has_body_argument = destinations
            .declared
            .values()
            .any(|destination| matches!(destination.location, ArgumentLocation::Body { .. }));
        // Other methods send an empty object or form only if the tool announces a body.
        let announces_body = || spec.headers.keys().any(|name| name.eq_ignore_ascii_case("content-type"));
        destinations.always_has_body =
            spec.body_required && has_body_argument && (destinations.method_has_body || announces_body());
        // Nothing can be added to a body that one value fills.
        if rules.iter().any(|rule| rule.is_whole_body) {
            destinations.always_has_body = false;
            destinations.forwards_undeclared = false;
        }
        destinations.take_constants(&rules, schema_text);
        destinations.reserve_names();
        destinations
    }

    /// Moves the constants out of the declared arguments. A tool that was stored before constants existed may have a
    /// `value` in the rule of an argument, where it has no effect.
    fn take_constants(&mut self, rules: &[MappingRule], schema: &JsonObject) {
        // Parsed at most once: a tool may have hundreds of constants.
        let schema = LazyCell::new(|| schema.to_value());
        for MappingRule { key, constant, .. } in rules {
            let Some(value) = constant.as_ref().filter(|_| !declares_argument(&schema, key)) else { continue };
            let Some(destination) = self.declared.get_mut(key) else { continue };
            let location = std::mem::replace(&mut destination.location, ArgumentLocation::Dropped);
            let slot_arguments = self.slots.iter_mut().flat_map(|slot| &mut slot.arguments);
            for argument in slot_arguments.filter(|argument| argument.key == *key) {
                argument.constant = Some(value.get().into());
            }
            self.constants.push(Constant { key: key.clone(), location, value: value.get().into() });
        }
    }

    /// Keeps undeclared arguments from replacing constants and parents, which would have the same name in the request.
    fn reserve_names(&mut self) {
        if !self.forwards_undeclared {
            return;
        }
        let constants = self.constants.iter().map(|constant| (&constant.location, true));
        let arguments = self.declared.values().map(|destination| (&destination.location, false));
        let reserved: Vec<String> = constants
            .chain(arguments)
            .filter_map(|(location, is_constant)| self.reserved_name(location, is_constant))
            .map(str::to_owned)
            .collect();
        for name in reserved {
            let dropped = ArgumentDestination { location: ArgumentLocation::Dropped, is_explicit: false };
            self.declared.entry(name).or_insert(dropped);
        }
    }

    /// The name in the request that an undeclared argument must not have.
    fn reserved_name<'l>(&self, location: &'l ArgumentLocation, is_constant: bool) -> Option<&'l str> {
        match location {
            ArgumentLocation::Body { parent: Some(parent), .. } if self.method_has_body => Some(parent),
            ArgumentLocation::Body { destination, parent: None, .. } if self.method_has_body && is_constant => {
                Some(&destination.name)
            }
            ArgumentLocation::Query(destination) if !self.method_has_body && is_constant => Some(&destination.name),
            _ => None,
        }
    }

    fn locate(&self, argument: &str, rule: Option<&MappingRule>, endpoint: &EndpointTemplate) -> ArgumentLocation {
        let mut filled_placeholders = self
            .slots
            .iter()
            .zip(endpoint.placeholders())
            .filter(|(slot, _)| slot.arguments.iter().any(|slot_argument| slot_argument.key == argument));
        let Some(rule) = rule else {
            let fills_placeholder = filled_placeholders.next().is_some();
            return if fills_placeholder { ArgumentLocation::Placeholder } else { self.default_location(argument) };
        };
        match rule.location {
            ParameterLocation::Path
                if endpoint.placeholders().iter().any(|placeholder| placeholder.name == rule.name) =>
            {
                ArgumentLocation::Placeholder
            }
            ParameterLocation::Path => self.default_location(&rule.name),
            ParameterLocation::Query if filled_placeholders.any(|(_, placeholder)| placeholder.is_in_query) => {
                ArgumentLocation::Placeholder
            }
            ParameterLocation::Query => ArgumentLocation::Query(NamedDestination::from_rule(rule)),
            ParameterLocation::Cookie => ArgumentLocation::Cookie(NamedDestination::from_rule(rule)),
            ParameterLocation::Header => headers::settable_name(&rule.name)
                .map_or(ArgumentLocation::Dropped, |name| ArgumentLocation::Header(name, rule.serialization)),
            ParameterLocation::Body => ArgumentLocation::Body {
                destination: NamedDestination::from_rule(rule),
                parent: rule.parent.clone(),
                is_whole: rule.is_whole_body,
                part: rule.part.clone().map(Box::new),
            },
        }
    }

    /// The location of an argument that is neither mapped nor in a placeholder.
    fn default_location(&self, name: &str) -> ArgumentLocation {
        let destination = NamedDestination { name: name.to_owned(), serialization: None };
        if self.method_has_body {
            ArgumentLocation::Body { destination, parent: None, is_whole: false, part: None }
        } else {
            ArgumentLocation::Query(destination)
        }
    }

    /// Whether an argument of this name is sent.
    pub(super) fn sends(&self, argument: &str) -> bool {
        self.declared
            .get(argument)
            .map_or(self.forwards_undeclared, |destination| !matches!(destination.location, ArgumentLocation::Dropped))
    }

    /// The argument that is sent under this upstream name, if its own name is another.
    pub(super) fn argument_for(&self, upstream_name: &str) -> Option<&str> {
        if self.declared.contains_key(upstream_name) {
            return None;
        }
        let has_name = |destination: &ArgumentDestination| match &destination.location {
            ArgumentLocation::Query(destination)
            | ArgumentLocation::Cookie(destination)
            | ArgumentLocation::Body { destination, .. } => destination.name == upstream_name,
            ArgumentLocation::Header(name, _) => name.as_str().eq_ignore_ascii_case(upstream_name),
            ArgumentLocation::Placeholder | ArgumentLocation::Dropped => false,
        };
        self.declared.iter().find(|(_, destination)| has_name(destination)).map(|(argument, _)| argument.as_str())
    }

    /// The arguments that fill placeholders of the path.
    pub(super) fn path_arguments(&self, endpoint: &EndpointTemplate) -> Vec<&str> {
        let slots = self.slots.iter().zip(endpoint.placeholders()).filter(|(_, placeholder)| !placeholder.is_in_query);
        let arguments = slots.flat_map(|(slot, _)| &slot.arguments).filter(|argument| argument.constant.is_none());
        arguments.map(|argument| argument.key.as_str()).collect()
    }

    /// Assigns the arguments of a call to their destinations. Null is sent only in the body.
    pub(super) fn place<'a>(&'a self, arguments: &'a ArgumentTexts) -> PlacedArguments<'a> {
        let mut placed = self.fill_slots(arguments);
        for (argument, value) in arguments {
            match self.declared.get(argument) {
                Some(destination) => placed.add(argument, value, &destination.location),
                None if !self.forwards_undeclared => {}
                None if self.method_has_body => {
                    placed.body.push(BodyArgument::new(argument, argument, value));
                }
                None => placed.add_query(argument, None, value),
            }
        }
        let omits_body = self.omits_body(&placed.body);
        self.add_constants(&mut placed);
        if omits_body {
            placed.body.clear();
        }
        placed
    }

    /// Whether an optional body is left out. Constants alone are no reason to send it, and neither are nulls in a form,
    /// which are not sent.
    fn omits_body(&self, arguments: &[BodyArgument<'_>]) -> bool {
        self.optional_body.is_some_and(|body_type| {
            let is_form = matches!(body_type, BodyType::Form | BodyType::Multipart);
            arguments.iter().all(|argument| is_form && argument.value == "null")
        })
    }

    /// Constants come last, so that they replace arguments of the same name.
    fn add_constants<'a>(&'a self, placed: &mut PlacedArguments<'a>) {
        for Constant { key, location, value } in &self.constants {
            placed.add(key, value, location);
        }
    }

    /// Assigns only the arguments that the mapping or a placeholder names: the body is given and holds the others.
    pub(super) fn place_outside_body<'a>(&'a self, arguments: &'a ArgumentTexts) -> PlacedArguments<'a> {
        let mut placed = self.fill_slots(arguments);
        for (argument, value) in arguments {
            if let Some(destination) = self.declared.get(argument).filter(|destination| destination.is_explicit) {
                placed.add(argument, value, &destination.location);
            }
        }
        self.add_constants(&mut placed);
        placed.body.clear();
        placed
    }

    fn fill_slots<'a>(&'a self, arguments: &'a ArgumentTexts) -> PlacedArguments<'a> {
        let given_value = |name: &str| arguments.get(name).map(AsRef::as_ref).filter(|value| *value != "null");
        let slot_values = self.slots.iter().map(|slot| {
            let constant = || slot.arguments.iter().find_map(|one| Some((one, one.constant.as_deref()?)));
            let given = || slot.arguments.iter().find_map(|one| Some((one, given_value(&one.key)?)));
            let found = constant().or_else(given);
            SlotValue {
                argument: found.map(|(one, _)| one).or(slot.arguments.first()).map_or("", |one| &one.key),
                value: found.map(|(_, value)| value),
                serialization: found.and_then(|(one, _)| one.serialization),
            }
        });
        PlacedArguments { slot_values: slot_values.collect(), ..PlacedArguments::default() }
    }
}

impl<'a> PlacedArguments<'a> {
    fn add(&mut self, argument: &'a str, value: &'a str, location: &'a ArgumentLocation) {
        match location {
            ArgumentLocation::Placeholder | ArgumentLocation::Dropped => {}
            ArgumentLocation::Query(NamedDestination { name, serialization }) => {
                self.add_query(name, *serialization, value);
            }
            ArgumentLocation::Header(..) | ArgumentLocation::Cookie(_) if value == "null" => {}
            ArgumentLocation::Header(name, serialization) => {
                self.headers.push(HeaderArgument { argument, name, value, serialization: *serialization });
            }
            ArgumentLocation::Cookie(NamedDestination { name, serialization }) => {
                self.cookies.push(CookieArgument { argument, name, value, serialization: *serialization });
            }
            ArgumentLocation::Body { part: Some(part), .. } if part.is_file && value == "null" => {}
            ArgumentLocation::Body { destination, parent, is_whole, part } => self.body.push(BodyArgument {
                parent: parent.as_deref(),
                is_whole: *is_whole,
                part: part.as_deref(),
                serialization: destination.serialization,
                ..BodyArgument::new(argument, &destination.name, value)
            }),
        }
    }

    fn add_query(&mut self, name: &'a str, serialization: Option<Serialization>, value: &'a str) {
        if value != "null" {
            self.query.push(QueryArgument { name, value, serialization });
        }
    }
}

impl<'a> BodyArgument<'a> {
    pub(super) fn is_file(&self) -> bool {
        self.part.is_some_and(|part| part.is_file)
    }

    /// A member of the body.
    pub(super) fn new(argument: &'a str, name: &'a str, value: &'a str) -> Self {
        Self { argument, name, parent: None, is_whole: false, value, serialization: None, part: None }
    }
}

impl NamedDestination {
    fn from_rule(rule: &MappingRule) -> Self {
        Self { name: rule.name.clone(), serialization: rule.serialization }
    }
}

impl SlotSource {
    /// The arguments and constants mapped to a placeholder, in mapping order, else those of its name.
    fn new(placeholder: &Placeholder, rules: &[MappingRule]) -> Self {
        if placeholder.name.is_empty() {
            return Self { arguments: Vec::new() };
        }
        let is_mapped_here =
            |rule: &&MappingRule| rule.location == ParameterLocation::Path && rule.name == placeholder.name;
        let slot_argument =
            |key: &str, serialization| SlotArgument { key: key.to_owned(), serialization, constant: None };
        let mapped = rules.iter().filter(is_mapped_here);
        let mut arguments: Vec<_> = mapped.map(|rule| slot_argument(&rule.key, rule.serialization)).collect();
        if arguments.is_empty() {
            arguments.push(slot_argument(&placeholder.name, None));
        }
        Self { arguments }
    }
}

fn forwards_undeclared(schema: &JsonObject) -> bool {
    schema
        .members()
        .get("additionalProperties")
        .is_some_and(|value| value.get() == "true" || value.get().starts_with('{'))
}

#[cfg(test)]
mod tests;
