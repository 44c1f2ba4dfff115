//! A request written down as the configuration of a tool.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::headers::{HeadersIn, SecretHeaders};
use toolgate_domain::json::{self, JsonObject, Members};
use toolgate_domain::parameters::ParameterMapping;
use toolgate_domain::text;
use toolgate_domain::tool::{DOCUMENT_MAX, SUBSCHEMAS_MAX};
use toolgate_domain::upstream_auth::{AuthType, Credentials};

use super::body::BodyType;
use super::request::Request;
use super::warnings::Warnings;

/// The configuration of a tool that sends what a curl command sends.
#[derive(Serialize)]
pub struct Draft {
    pub(super) endpoint_url: String,
    pub(super) http_method: String,
    pub(super) headers: IndexMap<String, String>,
    pub(super) auth_type: &'static str,
    pub(super) auth_credentials: Box<RawValue>,
    /// The arguments of a call that sends what the command sends.
    pub(super) body: JsonObject,
    pub(super) input_schema: JsonObject,
    pub(super) parameter_mapping: JsonObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) body_type: Option<BodyType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) timeout: Option<i64>,
    #[serde(skip_serializing_if = "Warnings::is_empty")]
    pub(super) warnings: Warnings,
}

impl Draft {
    /// The literal reading: every field of the body is a string, and the query stays in the address.
    pub(super) fn of(request: Request) -> Self {
        let body_type = request.body.body_type();
        let body = request.body.into_members();
        let (mut properties, mut mapping) = (Members::new(), Members::new());
        let fields = body.keys().map(|name| (name.as_str(), "body"));
        let placeholders = request.url.placeholders();
        let placeholders = placeholders.iter().filter(|name| !body.contains_key(**name)).map(|name| (*name, "path"));
        for (name, location) in fields.chain(placeholders) {
            properties.insert(name.to_owned(), object(&Property { kind: "string", description: name }));
            mapping.insert(name.to_owned(), object(&Mapping { location }));
        }
        let draft = Self {
            endpoint_url: request.url.to_string(),
            auth_type: auth_type(request.credentials.as_ref()),
            auth_credentials: exposed(request.credentials.as_ref()),
            http_method: request.method,
            headers: request.headers,
            body: JsonObject::from_members(&body),
            input_schema: input_schema(&properties, &[]),
            parameter_mapping: JsonObject::from_members(&mapping),
            body_type,
            timeout: request.timeout,
            warnings: request.warnings,
        };
        draft.checked(1 + properties.len())
    }

    /// Holds it against the rules for tools, and warns of what would keep it from being one. Its `input_schema` is
    /// made of so many schemas.
    pub(super) fn checked(mut self, schemas: usize) -> Self {
        let faults = self.faults();
        for fault in faults.iter() {
            self.warn(&fault.message);
        }
        if schemas > SUBSCHEMAS_MAX {
            self.warn(&format!("input_schema must hold at most {SUBSCHEMAS_MAX} schemas."));
        }
        self
    }

    /// Warns of something that keeps a tool from being saved.
    pub fn warn(&mut self, reason: &str) {
        self.warnings.insist(format!("A tool cannot be saved with this: {reason}"));
    }

    /// The address.
    pub fn endpoint_url(&self) -> &str {
        &self.endpoint_url
    }

    fn faults(&self) -> Faults {
        let mut faults = Faults::default();
        faults.take(EndpointUrl::parse("endpoint_url", &self.endpoint_url));
        let headers = to_raw_value(&self.headers).ok().and_then(|headers| JsonObject::from_raw(&headers));
        if let Some(headers) = faults.take(HeadersIn::parse("headers", &headers.unwrap_or_else(JsonObject::empty))) {
            faults.take(headers.resolve("headers", &SecretHeaders::new()));
        }
        let credentials = JsonObject::from_raw(&self.auth_credentials).unwrap_or_else(JsonObject::empty);
        let auth_type = AuthType::parse(self.auth_type).unwrap_or(AuthType::None);
        faults.take(Credentials::parse(auth_type, &credentials));
        faults.take(ParameterMapping::parse("parameter_mapping", self.parameter_mapping.clone()));
        for (field, document) in [("input_schema", &self.input_schema), ("parameter_mapping", &self.parameter_mapping)]
        {
            if document.as_str().len() > DOCUMENT_MAX {
                faults.push(Fault::too_long(field, DOCUMENT_MAX, "bytes"));
            }
        }
        if !self.input_schema.as_str().is_ascii() {
            faults.take(text::document("input_schema", &self.input_schema.to_value()));
        }
        faults
    }
}

/// The name of the kind of these credentials.
pub(super) fn auth_type(credentials: Option<&Credentials>) -> &'static str {
    credentials.map_or(AuthType::None, Credentials::auth_type).as_str()
}

/// The credentials in clear, for whoever pasted them; `{}` for none.
pub(super) fn exposed(credentials: Option<&Credentials>) -> Box<RawValue> {
    json::raw(credentials.map_or_else(|| "{}".to_owned(), |own| own.expose().to_string()))
}

/// A schema of these arguments.
pub(super) fn input_schema(properties: &Members, required: &[String]) -> JsonObject {
    JsonObject::from_members(&Members::from_iter([
        ("type".to_owned(), json::raw_string("object")),
        ("properties".to_owned(), object(properties)),
        ("required".to_owned(), object(&required)),
    ]))
}

/// An argument of the literal reading.
#[derive(Serialize)]
struct Property<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    description: &'a str,
}

/// Where an argument goes.
#[derive(Serialize)]
struct Mapping<'a> {
    location: &'a str,
}

/// Written at once and not by way of a tree: there may be tens of thousands.
fn object(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
