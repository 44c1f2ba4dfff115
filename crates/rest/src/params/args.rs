//! The validated arguments of a request.

use indexmap::IndexMap;
use serde_json::value::RawValue;
use toolgate_domain::change::Change;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::json::JsonObject;
use toolgate_domain::lenient;
use toolgate_domain::page::Page;

use super::arg::Arg;
use super::body::{Input, Inputs};
use super::coerce::{ArgValue, coerce};
use crate::error::RestError;

/// Arguments by name, each of the type its route declares.
#[derive(Clone, Default)]
pub(crate) struct Args(IndexMap<&'static str, ArgValue>);

impl Args {
    /// Reads the declared arguments. A missing required argument is an error. Values of the wrong type are left out and
    /// returned as faults, so that the rules of the route can add theirs to the same reply.
    pub(crate) fn read(declared: &[Arg], inputs: &Inputs) -> Result<(Self, Faults), RestError> {
        let mut args = IndexMap::new();
        let mut faults = Faults::default();
        let mut missing = Vec::new();
        for arg in declared {
            match inputs.get(arg.name).map(|input| coerce(arg, input)) {
                Some(Ok(Some(value))) => drop(args.insert(arg.name, value)),
                Some(Err(fault)) => faults.push(fault),
                Some(Ok(None)) | None if is_missing(arg, inputs) => missing.push(arg.name),
                Some(Ok(None)) | None => {}
            }
        }
        if missing.is_empty() { Ok((Self(args), faults)) } else { Err(RestError::missing_params(&missing)) }
    }

    /// The names of the arguments that were sent.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.0.keys().copied().collect()
    }

    /// Whether a boolean was sent and is true.
    pub(crate) fn flag(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some(ArgValue::Boolean(true)))
    }

    /// A boolean, if it was sent.
    pub(crate) fn boolean(&self, name: &str) -> Option<bool> {
        match self.0.get(name)? {
            ArgValue::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        match self.0.get(name)? {
            ArgValue::Integer(value) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            ArgValue::Text(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn object(&self, name: &str) -> Option<&JsonObject> {
        match self.0.get(name)? {
            ArgValue::Object(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn items(&self, name: &str) -> Option<&[Box<RawValue>]> {
        match self.0.get(name)? {
            ArgValue::Items(values) => Some(values),
            _ => None,
        }
    }

    pub(crate) fn is_null(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some(ArgValue::Null))
    }

    /// The change that the request makes to a nullable field, read by `get`.
    pub(crate) fn change<'a, T>(&'a self, name: &str, get: impl Fn(&'a Self, &str) -> Option<T>) -> Change<T> {
        if self.is_null(name) {
            return Change::Clear;
        }
        get(self, name).map_or(Change::Keep, Change::Set)
    }

    /// A text, parsed by a rule of the domain.
    pub(crate) fn parse<T>(
        &self,
        name: &str,
        faults: &mut Faults,
        rule: impl Fn(&str, &str) -> Result<T, Fault>,
    ) -> Option<T> {
        faults.ok_or_record(rule(name, self.text(name)?))
    }

    /// A list of integers.
    pub(crate) fn integers(&self, name: &str) -> Result<Vec<i64>, Fault> {
        let items = self.items(name).unwrap_or_default();
        let read = |item: &RawValue| {
            let text = toolgate_domain::json::as_string(item).unwrap_or_else(|| item.get().to_owned());
            i64::try_from(lenient::parse_whole_number(text.trim())?).ok()
        };
        let numbered = items.iter().enumerate();
        numbered
            .map(|(index, item)| read(item).ok_or_else(|| Fault::invalid_type(&format!("{name}[{index}]"), "integer")))
            .collect()
    }

    /// A list of texts.
    pub(crate) fn strings(&self, name: &str) -> Result<Option<Vec<String>>, Fault> {
        let Some(items) = self.items(name) else { return Ok(None) };
        let read = |(index, item): (usize, &RawValue)| {
            toolgate_domain::json::as_string(item)
                .ok_or_else(|| Fault::invalid_type(&format!("{name}[{index}]"), "string"))
        };
        items.iter().map(AsRef::as_ref).enumerate().map(read).collect::<Result<_, _>>().map(Some)
    }

    /// The requested page, if the request has `page` or `per_page`.
    pub(crate) fn page(&self, default_size: u32) -> Option<Page> {
        let number = self.integer("page").map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        let size = self.integer("per_page").and_then(|size| u32::try_from(size).ok());
        (number.is_some() || size.is_some())
            .then(|| Page { number: number.unwrap_or(1), size: size.unwrap_or(default_size) })
    }
}

/// Whether an argument that was not sent is required.
fn is_missing(arg: &Arg, inputs: &Inputs) -> bool {
    let is_null = |input: &Input| matches!(input, Input::Json(value) if toolgate_domain::json::is_null(value));
    arg.is_required || arg.alternative.is_some_and(|other| inputs.get(other).is_none_or(is_null))
}
