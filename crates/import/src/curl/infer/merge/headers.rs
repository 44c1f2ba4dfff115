//! The headers of commands: those that all have, and arguments.

use indexmap::IndexMap;
use serde_json::json;
use toolgate_domain::headers::is_secret;
use toolgate_domain::json::JsonObject;
use toolgate_domain::parameters::ParameterMapping;

use super::body::of_texts;
use super::seen::by_name;
use crate::curl::body::Field;
use crate::curl::infer::argument::{Argument, Location};
use crate::curl::infer::example::Example;
use crate::curl::warnings::Warnings;

/// The headers of a tool.
pub(super) struct Headers {
    pub(super) fixed: IndexMap<String, String>,
    pub(super) arguments: Vec<Argument>,
}

/// A header of one command.
struct Header<'a> {
    name: &'a str,
    field: Field,
}

impl Headers {
    pub(super) fn of(commands: &[Example], first: &Example, warnings: &mut Warnings) -> Self {
        if commands.len() == 1 {
            return Self { fixed: first.request.headers.clone(), arguments: Vec::new() };
        }
        let headers: Vec<IndexMap<String, Header<'_>>> = commands.iter().map(by_lower_case).collect();
        let seen = by_name(headers.iter().map(|own| own.iter().map(|(name, header)| (name.as_str(), header))));
        let mut own = Self { fixed: IndexMap::new(), arguments: Vec::new() };
        for (_, seen) in seen {
            let name = seen.first.name;
            let standing = seen.standing(commands.len(), |one, other| one.field == other.field);
            let fields: Vec<&Field> = seen.values.iter().map(|header| &header.field).collect();
            let is_secret = is_secret(name);
            if !standing.is_agreed && !is_secret && is_settable(name) && fields.iter().all(|field| is_plain(field)) {
                own.arguments.push(of_texts(Location::Header, name, &fields, standing));
                continue;
            }
            if !standing.is_agreed {
                let why = if is_secret { "a secret" } else { "nothing that an argument may set" };
                warnings.add(format!(
                    "The commands differ in the header {name}, which is {why}; what the first says was kept."
                ));
            }
            if standing.is_in_first {
                let value = seen.first.field.values.first().cloned().unwrap_or_default();
                own.fixed.insert(name.to_owned(), value);
            }
        }
        own
    }
}

fn by_lower_case(command: &Example) -> IndexMap<String, Header<'_>> {
    let headers = command.request.headers.iter().map(|(name, value)| {
        let field = Field { values: vec![value.clone()], ..Field::default() };
        (name.to_ascii_lowercase(), Header { name, field })
    });
    headers.collect()
}

/// Whether an argument may set a header.
fn is_settable(name: &str) -> bool {
    let mapping = json!({"header": {"location": "header", "name": name}}).to_string();
    ParameterMapping::parse("", JsonObject::from_stored(mapping)).is_ok()
}

/// Whether an argument can have the value.
fn is_plain(field: &Field) -> bool {
    !field.values.iter().any(|value| value.chars().any(char::is_control))
}
