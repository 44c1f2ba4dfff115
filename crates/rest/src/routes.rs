//! The route table: one module per kind of object.

mod analytics;
mod api_documents;
mod api_keys;
mod audit;
mod blueprint;
mod call_filter;
mod calls;
mod demo;
mod destinations;
mod endpoint_keys;
mod expiry;
mod grants;
mod identities;
mod import_api;
mod import_curl;
mod import_target;
mod imported_tool;
mod issuer;
mod lint;
mod manifest;
mod me;
mod members;
mod nodes;
mod oauth_clients;
mod oauth_rules;
mod openapi_document;
mod origin_filter;
mod prompts;
mod range;
mod required_role;
mod resources;
mod server_credentials;
mod servers;
mod settings;
mod shaping_proposal;
mod sign_in_links;
mod tool_body;
mod tool_fields;
mod tool_test;
mod tools;
mod users;

use std::sync::LazyLock;

use serde_json::json;
use toolgate_domain::closed_set;
use toolgate_domain::page::Page;

use crate::config::PER_PAGE_MAX;
use crate::params::{Arg, Args, Arguments, arguments, typed_arg as arg};
use crate::route::{Paging, ReplyDoc, Route};
use crate::schema::ReplyObject;

/// Items per page unless the request sets `per_page`.
const DEFAULT_PAGE_SIZE: u32 = 20;
/// The page of a list that is always paged, unless the request selects another.
const FIRST_PAGE: Page = Page { number: 1, size: DEFAULT_PAGE_SIZE };

/// Every route.
pub(crate) fn all() -> Vec<Route> {
    [
        servers::routes(),
        tools::routes(),
        manifest::routes(),
        import_api::routes(),
        api_documents::routes(),
        vec![lint::route()],
        prompts::routes(),
        resources::routes(),
        server_credentials::routes(),
        endpoint_keys::routes(),
        members::routes(),
        grants::routes(),
        oauth_clients::routes(),
        vec![issuer::route()],
        sign_in_links::routes(),
        identities::routes(),
        users::routes(),
        api_keys::routes(),
        analytics::routes(),
        calls::routes(),
        vec![audit::route(), settings::route(), nodes::route(), me::route(), demo::route(), openapi_document::route()],
    ]
    .into_iter()
    .flatten()
    .collect()
}

arguments! {
    /// The arguments that every route accepts.
    pub(crate) struct CommonArgs {
        strict: bool =
            arg::boolean("Refuse unknown fields; otherwise they are ignored, and X-Toolgate-Ignored names them.")
                .in_query(),
    }
    ignoring {
        context =
            arg::one_of_names(&["view", "embed", "edit"], "Accepted for WordPress clients; has no effect.")
                .in_query()
                .default("view"),
    }
}

/// The declarations of [`CommonArgs`].
pub(crate) fn common_args() -> &'static [Arg] {
    static ARGS: LazyLock<Vec<Arg>> = LazyLock::new(CommonArgs::declare);
    &ARGS
}

arguments! {
    /// The page of a list.
    pub(crate) struct PagingArgs {
        page: Option<i64> = arg::integer(&(1..=i64::MAX), "Page number, starting at 1.").in_query(),
        per_page: Option<i64> =
            arg::integer(&(1..=PER_PAGE_MAX), "Items per page.").in_query().default(DEFAULT_PAGE_SIZE),
    }
}

impl PagingArgs {
    /// The requested page, if the request has `page` or `per_page`.
    fn page(&self) -> Option<Page> {
        if self.page.is_none() && self.per_page.is_none() {
            return None;
        }
        let number = self.page.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        let size = self.per_page.and_then(|size| u32::try_from(size).ok());
        Some(Page { number: number.unwrap_or(FIRST_PAGE.number), size: size.unwrap_or(FIRST_PAGE.size) })
    }
}

/// The items of a list that are on a page; all of them without a page.
fn items_on_page<T>(items: &[T], page: Option<Page>) -> impl Iterator<Item = &T> {
    let (skipped, taken) =
        page.map_or((0, usize::MAX), |page| (usize::try_from(page.offset()).unwrap_or(usize::MAX), page.size as usize));
    items.iter().skip(skipped).take(taken)
}

arguments! {
    /// The format of a report.
    pub(crate) struct FormatArgs {
        format: Option<OutputFormat> =
            arg::one_of::<OutputFormat>("json, or csv with a header line. _fields and _envelope apply to JSON only.")
                .in_query()
                .default(OutputFormat::Json.as_str()),
    }
}

impl FormatArgs {
    fn is_csv(&self) -> bool {
        self.format == Some(OutputFormat::Csv)
    }
}

closed_set! {
    /// The format of a reply.
    pub(crate) enum OutputFormat {
        /// JSON.
        Json = "json",
        /// CSV.
        Csv = "csv",
    }
}

/// The arguments of routes that delete an object.
pub(crate) struct DeleteArgs;

impl Arguments for DeleteArgs {
    fn declare() -> Vec<Arg> {
        let force = arg::boolean("Accepted for WordPress clients; deletions are always permanent.");
        vec![force.in_query().named("force")]
    }

    fn read(_: &mut Args) -> Self {
        Self
    }
}

/// The documentation of a reply with one object.
fn object_doc<T: ReplyObject>(status: u16) -> ReplyDoc {
    ReplyDoc::json(status, T::schema()).part_type::<T>()
}

/// The documentation of a reply with a paged list.
fn paged_list_doc<T: ReplyObject>() -> ReplyDoc {
    list_doc::<T>().paging(Paging::Pages)
}

/// The documentation of a reply with a complete list.
fn list_doc<T: ReplyObject>() -> ReplyDoc {
    ReplyDoc::json(200, json!({"type": "array", "items": T::schema()})).part_type::<T>()
}

/// The documentation of a reply with an object that lacks some fields. Its schema is named `prefix` and the object's
/// name.
fn partial_object_doc<T: ReplyObject>(status: u16, prefix: &str, left_out: &[&str]) -> ReplyDoc {
    let mut schema = T::schema();
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.retain(|name, _| !left_out.contains(&name.as_str()));
        schema["required"] = properties.keys().map(String::as_str).collect();
    }
    ReplyDoc::named(status, prefix.to_owned() + T::name(), schema)
}

/// The documentation of a reply with the deleted object.
fn deletion_doc<T: ReplyObject>() -> ReplyDoc {
    let properties = json!({"deleted": {"type": "boolean"}, "previous": T::schema()});
    let schema = json!({"type": "object", "required": ["deleted", "previous"], "properties": properties});
    ReplyDoc::named(200, format!("Deleted{}", T::name()), schema).part_type::<T>()
}
