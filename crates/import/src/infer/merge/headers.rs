//! Merges the headers of requests into fixed headers and arguments.

use indexmap::IndexMap;
use serde_json::json;
use toolgate_domain::headers::is_secret;
use toolgate_domain::json::{self, JsonObject};
use toolgate_domain::parameters::ParameterMapping;

use super::body::{argument, text_shape_and_value};
use super::named_values::group_by_name;
use crate::infer::argument::{Location, Occurrence, ToolArgument};
use crate::infer::argument_rules::ArgumentRules;
use crate::infer::example::Example;
use crate::request::body::Field;
use crate::sensitivity::is_idempotency_key;
use crate::shape::Shape;
use crate::tables::descriptions::{self, Purpose};
use crate::warnings::Warnings;

/// The argument for a header that identifies one call.
const IDEMPOTENCY_KEY_ARGUMENT: &str = "idempotency_key";

/// The merged headers of a tool.
pub(super) struct MergedHeaders {
    pub(super) fixed: IndexMap<String, String>,
    pub(super) arguments: Vec<ToolArgument>,
}

/// A header of one request.
struct ExampleHeader<'a> {
    name: &'a str,
    field: Field,
}

impl MergedHeaders {
    pub(super) fn merge(examples: &[Example], rules: &ArgumentRules, warnings: &mut Warnings) -> Self {
        let headers: Vec<IndexMap<String, ExampleHeader<'_>>> =
            examples.iter().map(headers_by_lower_case_name).collect();
        let groups = group_by_name(headers.iter());
        let mut merged = Self { fixed: IndexMap::new(), arguments: Vec::new() };
        for (_, group) in groups {
            let name = group.first.name;
            let occurrence = group.occurrence(examples.len(), |one, other| one.field == other.field);
            let fields: Vec<&Field> = group.values.iter().map(|header| &header.field).collect();
            let is_secret = is_secret(name);
            if is_idempotency_key(name) {
                merged.arguments.push(idempotency_key_argument(name, &fields, occurrence));
                continue;
            }
            let occurrence =
                Occurrence { is_same_in_all: occurrence.is_same_in_all || examples.len() == 1, ..occurrence };
            if !occurrence.is_same_in_all
                && !is_secret
                && is_settable(name)
                && fields.iter().all(|field| is_plain(field))
            {
                let (shape, value) = text_shape_and_value(&fields);
                merged.arguments.push(argument(Location::Header, name, shape, &value, occurrence, rules));
                continue;
            }
            if !occurrence.is_same_in_all {
                let reason = if is_secret { "is a secret" } else { "cannot be an argument" };
                warnings.add(format!(
                    "The requests differ in the {name} header, which {reason}. The value of the first request was imported."
                ));
            }
            if occurrence.is_in_first {
                let value = group.first.field.values.first().cloned().unwrap_or_default();
                merged.fixed.insert(name.to_owned(), value);
            }
        }
        merged
    }
}

fn headers_by_lower_case_name(example: &Example) -> IndexMap<String, ExampleHeader<'_>> {
    let headers = example.request.headers.iter().map(|(name, value)| {
        let field = Field { values: vec![value.clone()], ..Field::default() };
        (name.to_ascii_lowercase(), ExampleHeader { name, field })
    });
    headers.collect()
}

fn idempotency_key_argument(name: &str, fields: &[&Field], occurrence: Occurrence) -> ToolArgument {
    let example = fields.first().and_then(|field| field.values.first()).filter(|_| occurrence.is_in_first);
    ToolArgument {
        name: Some(IDEMPOTENCY_KEY_ARGUMENT),
        description: descriptions::describe(IDEMPOTENCY_KEY_ARGUMENT, Purpose::Writing).map(str::to_owned),
        ..ToolArgument::new(Location::Header, name, Shape::String(None), example.map(|value| json::raw_string(value)))
    }
}

/// Whether an argument may set a header.
fn is_settable(name: &str) -> bool {
    let mapping = json!({"header": {"location": "header", "name": name}}).to_string();
    ParameterMapping::parse("", &JsonObject::from_stored(mapping)).is_ok()
}

/// Whether no value contains a control character, which a header argument must not contain.
fn is_plain(field: &Field) -> bool {
    !field.values.iter().any(|value| value.chars().any(char::is_control))
}
