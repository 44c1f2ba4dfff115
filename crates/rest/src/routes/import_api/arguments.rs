//! The arguments of an import of a document.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use toolgate_domain::closed_set;
use toolgate_domain::endpoint_url::URL_MAX;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::ids::ServerId;
use toolgate_domain::json::JsonObject;
use toolgate_import::api::filter::{DeprecatedOperations, OperationFilter};
use toolgate_import::api::options::{ImportOptions, NamingRule};
use toolgate_import::api::schema::SchemaDetail;

use super::stored_url::check_stored_url;
use crate::params::{Items, arguments, strings, typed_arg as arg};
use crate::routes::import_target::ImportTargetArgs;

/// Longest search text, in characters.
const SEARCH_MAX: usize = 200;

/// Maximum number of items of a filter, and of variables.
const ITEMS_MAX: usize = 500;
/// Longest item of a filter, and longest value of a server variable, in characters.
const ITEM_MAX: usize = 2048;

/// The option of a stored document that names the security schemes for which credentials were given. Where an operation
/// accepts one of several schemes, such a scheme is preferred.
pub(super) const GIVEN_CREDENTIALS: &str = "given_credentials";

closed_set! {
    /// Where the document is.
    pub(super) enum DocumentLocation {
        /// In `content`.
        Text = "text",
        /// At `url`.
        Url = "url",
        /// In the part `file`, or the body itself.
        File = "file",
    }
}

arguments! {
    /// The arguments of an import.
    pub(super) struct ImportApiArgs {
        ..target: ImportTargetArgs,
        source: Option<DocumentLocation> =
            arg::one_of::<DocumentLocation>("Where the document is: in content, at url, or in file. Default: where the request has one."),
        url: Option<String> = arg::text(URL_MAX, "URL of the document; relative servers are resolved against it."),
        url_headers: Option<JsonObject> =
            arg::object("Headers for fetching the document; they are stored encrypted with it.")
                .with_schema(json!({"additionalProperties": {"type": "string"}})),
        base_url: Option<String> = arg::text(URL_MAX, "Base URL of the tools; replaces the servers of the document."),
        server_index: Option<i64> =
            arg::integer(&(0..=1000), "Index of the server of the document that the tools call, starting at 0.").default(0),
        server_variables: Option<JsonObject> = arg::object("Values of the variables in the URL of the server."),
        variables: Option<JsonObject> =
            arg::object("Write-only. Values of the variables that have no value in the Postman collection.")
                .with_schema(json!({"additionalProperties": {"type": ["string", "number", "boolean"]}})),
        include_tags: Option<Vec<Box<RawValue>>> = arg::array(Items::Strings, "Only operations with one of these tags."),
        exclude_tags: Option<Vec<Box<RawValue>>> = arg::array(Items::Strings, "No operations with one of these tags."),
        methods: Option<Vec<Box<RawValue>>> = arg::array(Items::Strings, "Only operations with one of these methods."),
        paths: Option<Vec<Box<RawValue>>> =
            arg::array(Items::Strings, "Only operations whose path matches a pattern: * in a segment, ** for any text."),
        search: Option<String> = arg::text(SEARCH_MAX, "Only operations with this text in name, path or description."),
        deprecated: Option<DeprecatedOperations> =
            arg::one_of::<DeprecatedOperations>("Whether deprecated operations are included.").default("include"),
        names: Option<NamingRule> =
            arg::one_of::<NamingRule>("What names are made of: operation_id, or path (method and path).")
                .default("operation_id"),
        schema: Option<String> =
            arg::one_of_names(&["compact", "full"], "How much of the schemas is imported.").default("compact"),
        output_schema: bool = arg::boolean("Also import the schema of the response.").default(false),
        credentials: Option<JsonObject> =
            arg::object("Write-only. Credentials by name of a security scheme, in the form of auth_credentials.")
                .with_schema(json!({"additionalProperties": {"type": "object"}})),
        overlay: Option<JsonObject> = arg::object("Changes to the tools, by operation such as GET /pets, or *."),
        include_content: bool =
            arg::boolean("Also return the document itself, in content; without commit only.").default(false),
        commit: bool = arg::boolean("Create the tools of the selected candidates.").default(false),
        selected_temp_ids: Option<Vec<Box<RawValue>>> =
            arg::array(Items::Strings, "The candidates to create: their temp_id, or * for all."),
        accept_breaking: bool =
            arg::boolean("If the server has the document: apply breaking changes to its tools.").default(false),
        document_sha256: Option<String> =
            arg::text(64, "Digest of the document that the candidates were selected from; another document is refused."),
        server_id: Option<ServerId> = arg::integer(&(1..=i64::MAX), "The server, on routes without one in the path."),
    }
    ignoring {
        content = arg::text(usize::MAX, "The document, JSON or YAML, as a text or a JSON object; at most 10 MiB."),
        file = arg::text(usize::MAX, "The document as a part of multipart/form-data; several such parts are files that refer to each other."),
    }
}

impl ImportApiArgs {
    /// The options for reading the document.
    pub(super) fn options(&self, document_url: Option<&str>) -> Result<ImportOptions, Faults> {
        let list = |name: &str, items: Option<&[Box<RawValue>]>| filter_items(name, items.unwrap_or_default());
        let filter = OperationFilter {
            include_tags: list("include_tags", self.include_tags.as_deref())?,
            exclude_tags: list("exclude_tags", self.exclude_tags.as_deref())?,
            methods: list("methods", self.methods.as_deref())?,
            paths: list("paths", self.paths.as_deref())?,
            search: self.search.clone().filter(|text| !text.trim().is_empty()),
            deprecated: self.deprecated.unwrap_or(DeprecatedOperations::Include),
        };
        Ok(ImportOptions {
            document_url: document_url.map(str::to_owned),
            base_url: self.base_url()?,
            server_index: self.server_index.and_then(|index| usize::try_from(index).ok()).unwrap_or(0),
            server_variables: self.server_variables()?,
            variables: texts("variables", self.variables.as_ref())?,
            filter,
            names: self.names.unwrap_or(NamingRule::OperationId),
            schema: if self.schema.as_deref() == Some("full") { SchemaDetail::Full } else { SchemaDetail::Compact },
            output_schema: self.output_schema,
            credentials: self
                .credentials
                .as_ref()
                .map(JsonObject::to_map)
                .unwrap_or_default()
                .keys()
                .cloned()
                .collect(),
            overlay: self.overlay.as_ref().map(JsonObject::to_map).unwrap_or_default(),
            ..ImportOptions::default()
        })
    }

    /// The values of the variables in the URL of the server. They are stored with the document.
    fn server_variables(&self) -> Result<IndexMap<String, String>, Fault> {
        const FIELD: &str = "server_variables";
        let values = texts(FIELD, self.server_variables.as_ref())?;
        if values.len() > ITEMS_MAX {
            return Err(Fault::too_many(FIELD, ITEMS_MAX, "variables"));
        }
        let length = |(name, value): (&String, &String)| name.chars().count() + value.chars().count();
        match values.iter().find(|variable| length(*variable) > ITEM_MAX) {
            Some((name, _)) => {
                let name: String = name.chars().take(100).collect();
                Err(Fault::too_long(&format!("{FIELD}[{name}]"), ITEM_MAX, "characters"))
            }
            None => Ok(values),
        }
    }

    fn base_url(&self) -> Result<Option<String>, Fault> {
        let Some(base_url) = self.base_url.clone().filter(|url| !url.is_empty()) else { return Ok(None) };
        check_stored_url("base_url", &base_url, "credentials")?;
        Ok(Some(base_url))
    }

    /// The sent options in the form that is stored with the document, unencrypted. `credentials`, `url_headers` and
    /// `variables` are left out, because they may contain secrets. `given` are security schemes for which credentials
    /// were given before.
    pub(super) fn stored_options(&self, given: &[String]) -> JsonObject {
        let mut options = Map::new();
        let mut add = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                options.insert(name.to_owned(), value);
            }
        };
        let list = |items: Option<&[Box<RawValue>]>| items.map(|items| json!(items));
        add("base_url", self.base_url.clone().map(Value::from));
        add("server_index", self.server_index.map(Value::from));
        add("server_variables", self.server_variables.as_ref().map(JsonObject::to_value));
        add("include_tags", list(self.include_tags.as_deref()));
        add("exclude_tags", list(self.exclude_tags.as_deref()));
        add("methods", list(self.methods.as_deref()));
        add("paths", list(self.paths.as_deref()));
        add("search", self.search.clone().map(Value::from));
        add("deprecated", self.deprecated.map(|rule| rule.as_str().into()));
        add("names", self.names.map(|rule| rule.as_str().into()));
        add("schema", self.schema.clone().map(Value::from));
        add("output_schema", self.output_schema.then(|| true.into()));
        let given = self
            .credentials
            .as_ref()
            .map(JsonObject::to_map)
            .unwrap_or_default()
            .into_iter()
            .map(|(name, _)| name)
            .chain(given.iter().cloned());
        let given: BTreeSet<String> = given.collect();
        add(GIVEN_CREDENTIALS, Some(json!(given)).filter(|_| !given.is_empty()));
        JsonObject::from_stored(Value::Object(options).to_string())
    }
}

/// The items of a filter. They are stored with the document.
fn filter_items(field: &str, items: &[Box<RawValue>]) -> Result<Vec<String>, Fault> {
    let items = strings(field, items)?;
    if items.len() > ITEMS_MAX {
        return Err(Fault::too_many(field, ITEMS_MAX, "items"));
    }
    match items.iter().position(|item| item.chars().count() > ITEM_MAX) {
        Some(index) => Err(Fault::too_long(&format!("{field}[{index}]"), ITEM_MAX, "characters")),
        None => Ok(items),
    }
}

/// The members of an object as texts.
pub(super) fn texts(field: &str, values: Option<&JsonObject>) -> Result<IndexMap<String, String>, Fault> {
    let text = |name: &str, value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        _ => Err(Fault::invalid_type(&format!("{field}[{name}]"), "string")),
    };
    values
        .map(JsonObject::to_map)
        .unwrap_or_default()
        .iter()
        .map(|(name, value)| Ok((name.clone(), text(name, value)?)))
        .collect()
}
