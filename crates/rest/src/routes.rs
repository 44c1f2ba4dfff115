//! The route table: one module per kind of object.

mod analytics;
mod api_keys;
pub(crate) mod blueprint;
mod call_filter;
mod calls;
mod demo;
mod destinations;
mod document;
mod endpoint_keys;
mod import_curl;
mod me;
mod prompts;
mod range;
mod resources;
mod servers;
mod settings;
mod tool_fields;
mod tool_test;
mod tools;
mod users;

use std::sync::LazyLock;

use serde_json::{Value, json};
use utoipa::PartialSchema;

use crate::params::Arg;
use crate::route::{Paging, ReplyDoc, Route};

/// Items per page unless the request sets `per_page`.
const DEFAULT_PAGE_SIZE: u32 = 20;
/// Largest `per_page`.
pub(crate) const PER_PAGE_MAX: i64 = 100;

/// Every route.
pub(crate) fn all() -> Vec<Route> {
    [
        servers::routes(),
        tools::routes(),
        prompts::routes(),
        resources::routes(),
        endpoint_keys::routes(),
        users::routes(),
        api_keys::routes(),
        analytics::routes(),
        calls::routes(),
        settings::routes(),
        me::routes(),
        demo::routes(),
        document::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The arguments that every route accepts.
pub(crate) fn common_args() -> &'static [Arg] {
    static ARGS: LazyLock<Vec<Arg>> = LazyLock::new(|| {
        let context =
            Arg::one_of("context", &["view", "embed", "edit"], "Accepted for WordPress clients; has no effect.");
        vec![context.in_query().default("view")]
    });
    &ARGS
}

/// `page` and `per_page`.
fn paging_args() -> [Arg; 2] {
    [
        Arg::integer("page", &(1..=i64::MAX), "Page number, starting at 1.").in_query(),
        Arg::integer("per_page", &(1..=PER_PAGE_MAX), "Items per page.").in_query().default(DEFAULT_PAGE_SIZE),
    ]
}

/// `format`, for routes that also reply in CSV.
fn format_arg() -> Arg {
    let text = "json, or csv with a header line. _fields and _envelope apply to JSON only.";
    Arg::one_of("format", &["json", "csv"], text).in_query().default("json")
}

/// `force`, which WordPress clients send with DELETE.
fn force_arg() -> Arg {
    Arg::boolean("force", "Accepted for WordPress clients; deletions are always permanent.").in_query()
}

/// The documentation of a reply with one object.
fn object_doc<T: PartialSchema>(status: u16) -> ReplyDoc {
    ReplyDoc::json(status, schema::<T>())
}

/// The documentation of a reply with a paged list.
fn paged_list_doc<T: PartialSchema>() -> ReplyDoc {
    list_doc::<T>().paging(Paging::Pages)
}

/// The documentation of a reply with a complete list.
fn list_doc<T: PartialSchema>() -> ReplyDoc {
    ReplyDoc::json(200, json!({"type": "array", "items": schema::<T>()}))
}

/// The documentation of a reply with some fields of an object.
fn partial_object_doc<T: PartialSchema>(status: u16, fields: &[&str]) -> ReplyDoc {
    let mut schema = schema::<T>();
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.retain(|name, _| fields.contains(&name.as_str()));
    }
    schema["required"] = fields.into();
    ReplyDoc::json(status, schema)
}

/// The documentation of a reply with the deleted object.
fn deletion_doc<T: PartialSchema>() -> ReplyDoc {
    let properties = json!({"deleted": {"type": "boolean"}, "previous": schema::<T>()});
    let schema = json!({"type": "object", "required": ["deleted", "previous"], "properties": properties});
    ReplyDoc::json(200, schema)
}

/// The documentation of a reply with a new key, including its secret.
fn new_key_doc<T: PartialSchema>() -> ReplyDoc {
    let mut doc = object_doc::<T>(201);
    doc.schema["properties"]["key"] =
        json!({"type": "string", "description": "The key itself. It is shown only in this reply."});
    if let Some(required) = doc.schema["required"].as_array_mut() {
        required.push("key".into());
    }
    doc
}

/// JSON Schema of the serialised form of `T`. Every field is always serialised, so all are required.
pub(crate) fn schema<T: PartialSchema>() -> Value {
    let mut schema = serde_json::to_value(T::schema()).unwrap_or_default();
    if let Some(properties) = schema["properties"].as_object() {
        let names: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
        schema["required"] = names.into();
    }
    schema
}
