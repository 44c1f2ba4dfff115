//! Parses and validates the overlay that is passed to an import.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgate_domain::fault::Fault;
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::text;
use toolgate_domain::tool::{TIMEOUT_SECS, ToolStatus};

use crate::api::error::ApiError;
use crate::api::overlay::{ArgumentOverlay, OperationOverlay};
use crate::naming::NAME_MAX;

/// Reads the changes to one operation.
pub(super) fn operation(path: &str, value: &Value) -> Result<OperationOverlay, ApiError> {
    let mut overlay = OperationOverlay::default();
    for (key, value) in members(path, value)? {
        let path = format!("{path}[{key}]");
        match key.as_str() {
            "name" => overlay.name = Some(checked(text::identifier(&path, string(&path, value)?))?),
            "description" => overlay.description = Some(checked(text::description(&path, string(&path, value)?))?),
            "hidden" => overlay.hidden = Some(boolean(&path, value)?),
            "tags" => overlay.tags = Some(tags(&path, value)?),
            "status" => overlay.status = Some(status(&path, value)?),
            "timeout" => overlay.timeout = Some(timeout(&path, value)?),
            "arguments" => overlay.arguments = arguments(&path, value)?,
            _ => return Err(unknown(&path, "name, description, hidden, tags, status, timeout, arguments")),
        }
    }
    Ok(overlay)
}

fn arguments(path: &str, value: &Value) -> Result<IndexMap<String, ArgumentOverlay>, ApiError> {
    let read = |(key, value): (&String, &Value)| {
        let path = format!("{path}[{key}]");
        let location = key.split_once(':').and_then(|(location, _)| ParameterLocation::parse(location));
        if location.is_none() {
            let message = format!("{path} must be a location and a name, such as query:limit.");
            return Err(refuse(&path, message));
        }
        Ok((key.clone(), argument(&path, value)?))
    };
    members(path, value)?.iter().map(read).collect()
}

fn argument(path: &str, value: &Value) -> Result<ArgumentOverlay, ApiError> {
    let mut overlay = ArgumentOverlay::default();
    for (key, value) in members(path, value)? {
        let path = format!("{path}[{key}]");
        // A default or a constant that is null has no meaning.
        let not_null = || Some(value.clone()).filter(|value| !value.is_null());
        match key.as_str() {
            "rename" => overlay.rename = Some(argument_name(&path, value)?),
            "description" => overlay.description = Some(checked(text::description(&path, string(&path, value)?))?),
            "default" => overlay.default = not_null(),
            "fixed" => overlay.fixed = not_null(),
            "hidden" => overlay.hidden = Some(boolean(&path, value)?),
            "schema" => overlay.schema.clone_from(members(&path, value)?),
            _ => return Err(unknown(&path, "rename, description, default, fixed, hidden, schema")),
        }
    }
    Ok(overlay)
}

fn argument_name(path: &str, value: &Value) -> Result<String, ApiError> {
    let name = checked(text::identifier(path, string(path, value)?))?;
    if name.len() > NAME_MAX {
        return Err(fault(Fault::too_long(path, NAME_MAX, "characters")));
    }
    Ok(name)
}

fn tags(path: &str, value: &Value) -> Result<Vec<String>, ApiError> {
    let items = value.as_array().ok_or_else(|| fault(Fault::invalid_type(path, "array")))?;
    items.iter().map(|item| string(path, item).map(str::to_owned)).collect()
}

fn status(path: &str, value: &Value) -> Result<ToolStatus, ApiError> {
    ToolStatus::parse(string(path, value)?).ok_or_else(|| fault(Fault::not_in(path, ToolStatus::NAMES)))
}

fn timeout(path: &str, value: &Value) -> Result<i64, ApiError> {
    let seconds = value.as_i64().ok_or_else(|| fault(Fault::invalid_type(path, "integer")))?;
    if TIMEOUT_SECS.contains(&seconds) { Ok(seconds) } else { Err(fault(Fault::out_of_bounds(path, TIMEOUT_SECS))) }
}

fn members<'v>(path: &str, value: &'v Value) -> Result<&'v Map<String, Value>, ApiError> {
    value.as_object().ok_or_else(|| fault(Fault::invalid_type(path, "object")))
}

fn string<'v>(path: &str, value: &'v Value) -> Result<&'v str, ApiError> {
    value.as_str().ok_or_else(|| fault(Fault::invalid_type(path, "string")))
}

fn boolean(path: &str, value: &Value) -> Result<bool, ApiError> {
    value.as_bool().ok_or_else(|| fault(Fault::invalid_type(path, "boolean")))
}

fn checked(result: Result<String, Fault>) -> Result<String, ApiError> {
    result.map_err(fault)
}

fn fault(fault: Fault) -> ApiError {
    ApiError::Argument { field: fault.field, message: fault.message }
}

fn refuse(path: &str, message: String) -> ApiError {
    ApiError::Argument { field: path.to_owned(), message }
}

fn unknown(path: &str, keys: &str) -> ApiError {
    refuse(path, format!("{path} is not a key of the overlay here; use {keys}."))
}
