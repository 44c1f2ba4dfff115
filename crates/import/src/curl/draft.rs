//! A request written down as the configuration of a tool.

use domain::json::{self, JsonObject, Members};
use domain::upstream_auth::{AuthType, Credentials};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

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
        let mut warnings = request.warnings;
        request.url.check(&mut warnings);
        Self {
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
            warnings,
        }
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
