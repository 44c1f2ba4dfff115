//! The draft of a tool: the configuration of a tool that sends an imported request.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::headers::{SecretHeaders, SentHeaders};
use toolgate_domain::json::{self, JsonObject, Members};
use toolgate_domain::parameters::ParameterMapping;
use toolgate_domain::text;
use toolgate_domain::tool::{BodyType, DOCUMENT_MAX, SUBSCHEMAS_MAX};
use toolgate_domain::upstream_auth::{AuthType, Credentials};

use crate::request::{ImportedRequest, credentials};
use crate::warnings::Warnings;

/// The configuration of a tool that sends an imported request.
#[derive(Serialize)]
pub struct Draft {
    pub(crate) endpoint_url: String,
    pub(crate) http_method: String,
    pub(crate) headers: IndexMap<String, String>,
    pub(crate) auth_type: AuthType,
    pub(crate) auth_credentials: Box<RawValue>,
    /// Argument values with which a call sends the same request as the imported one.
    pub(crate) body: JsonObject,
    pub(crate) input_schema: JsonObject,
    pub(crate) parameter_mapping: JsonObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body_type: Option<BodyType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) timeout: Option<i64>,
    #[serde(skip_serializing_if = "Warnings::is_empty")]
    pub(crate) warnings: Warnings,
}

impl Draft {
    /// The draft without inference: every field of the body is a string argument, and the query stays in the URL.
    pub(crate) fn from_request(request: ImportedRequest) -> Self {
        let body_type = request.body.body_type();
        let body = request.body.into_members();
        let (mut properties, mut mapping) = (Members::new(), Members::new());
        let fields = body.keys().map(|name| (name.as_str(), "body"));
        let placeholders = request.url.placeholders();
        let placeholders = placeholders.iter().filter(|name| !body.contains_key(**name)).map(|name| (*name, "path"));
        for (name, location) in fields.chain(placeholders) {
            properties.insert(name.to_owned(), to_raw_json(&Property { kind: "string", description: name }));
            mapping.insert(name.to_owned(), to_raw_json(&Mapping { location }));
        }
        let draft = Self {
            endpoint_url: request.url.to_string(),
            auth_type: credentials::auth_type(request.credentials.as_ref()),
            auth_credentials: credentials::to_json(request.credentials.as_ref()),
            http_method: request.method,
            headers: request.headers,
            body: JsonObject::from_members(&body),
            input_schema: input_schema(&properties, &[]),
            parameter_mapping: JsonObject::from_members(&mapping),
            body_type,
            timeout: request.timeout_secs,
            warnings: request.warnings,
        };
        // One schema for each property, and the root.
        draft.with_validation_warnings(1 + properties.len())
    }

    /// Applies the validation of tools and adds a warning for each violation. `schema_count` is the number
    /// of schemas in its `input_schema`.
    pub(crate) fn with_validation_warnings(mut self, schema_count: usize) -> Self {
        let faults = self.faults();
        for fault in faults.iter() {
            self.warn(&fault.message);
        }
        if schema_count > SUBSCHEMAS_MAX {
            self.warn(&format!("input_schema must hold at most {SUBSCHEMAS_MAX} schemas."));
        }
        self
    }

    /// Adds a warning about a problem that prevents saving the tool. The console recognises the warning by its first
    /// words.
    pub fn warn(&mut self, reason: &str) {
        self.warnings.add_unlimited(format!("A tool cannot be saved with this: {reason}"));
    }

    /// The URL that the tool calls.
    pub fn endpoint_url(&self) -> &str {
        &self.endpoint_url
    }

    /// The violations that the validation of tools finds.
    fn faults(&self) -> Faults {
        let mut faults = Faults::default();
        faults.ok_or_record(EndpointUrl::parse("endpoint_url", &self.endpoint_url));
        let headers = to_raw_value(&self.headers).ok().and_then(|headers| JsonObject::from_raw(&headers));
        if let Some(headers) =
            faults.ok_or_record(SentHeaders::parse("headers", &headers.unwrap_or_else(JsonObject::empty)))
        {
            faults.ok_or_record(headers.resolve("headers", &SecretHeaders::new()));
        }
        let auth_credentials = JsonObject::from_raw(&self.auth_credentials).unwrap_or_else(JsonObject::empty);
        faults.ok_or_record(Credentials::parse(self.auth_type, &auth_credentials));
        faults.ok_or_record(ParameterMapping::parse("parameter_mapping", &self.parameter_mapping));
        for (field, document) in [("input_schema", &self.input_schema), ("parameter_mapping", &self.parameter_mapping)]
        {
            if document.as_str().len() > DOCUMENT_MAX {
                faults.push(Fault::too_long(field, DOCUMENT_MAX, "bytes"));
            }
        }
        if !self.input_schema.as_str().is_ascii() {
            faults.ok_or_record(text::document("input_schema", &self.input_schema.to_value()));
        }
        faults
    }
}

/// An `input_schema` with these properties.
pub(crate) fn input_schema(properties: &Members, required: &[String]) -> JsonObject {
    JsonObject::from_members(&Members::from_iter([
        ("type".to_owned(), json::raw_string("object")),
        ("properties".to_owned(), to_raw_json(properties)),
        ("required".to_owned(), to_raw_json(&required)),
    ]))
}

/// The schema of an argument in a draft without inference.
#[derive(Serialize)]
struct Property<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    description: &'a str,
}

/// The member of the `parameter_mapping` for an argument.
#[derive(Serialize)]
struct Mapping<'a> {
    location: &'a str,
}

/// Serializes directly to text. An intermediate `Value` tree would be slow for tens of thousands of members.
fn to_raw_json(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
