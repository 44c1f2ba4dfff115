//! Errors as WordPress clients know them: a code, a sentence, and data with the status. Every error a
//! client can get is made here; what went wrong inside is logged and never told.

use http::StatusCode;
use serde_json::{Map, Value, json};
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::fault::{FaultKind, Faults};
use toolgate_domain::json::JsonFault;
use toolgate_import::curl::{CurlError, Position};
use toolgate_storage::StorageError;

/// An error reply.
#[derive(Debug)]
pub(crate) struct RestError {
    pub(crate) status: StatusCode,
    code: String,
    message: String,
    data: Box<Map<String, Value>>,
    /// Seconds after which trying again makes sense.
    pub(crate) retry_after: Option<u32>,
    /// Methods that the path does have.
    pub(crate) allow: Option<String>,
}

impl RestError {
    pub(crate) fn new(status: StatusCode, code: impl Into<String>, message: impl Into<String>) -> Self {
        let (code, message) = (code.into(), message.into());
        Self { status, code, message, data: Box::default(), retry_after: None, allow: None }
    }

    fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.data.insert(key.to_owned(), value.into());
        self
    }

    /// Nothing is at this address, or not with this method; then `allow` names those it has.
    pub(crate) fn no_route(allow: Option<String>) -> Self {
        let message = "No route was found matching the URL and request method.";
        Self { allow, ..Self::new(StatusCode::NOT_FOUND, "rest_no_route", message) }
    }

    /// No key, or none that is known. The same answer for every cause.
    pub(crate) fn unauthorized() -> Self {
        Self { status: StatusCode::UNAUTHORIZED, ..Self::forbidden() }
    }

    /// A known caller who may not do this.
    pub(crate) fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, "rest_forbidden", "Sorry, you are not allowed to do that.")
    }

    pub(crate) fn too_large(limit: usize) -> Self {
        let message = format!("The request body is larger than {limit} bytes.");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "rest_request_too_large", message)
    }

    /// The body ended early or took too long.
    pub(crate) fn incomplete_body() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "rest_incomplete_body", "The request body could not be read to its end.")
    }

    pub(crate) fn invalid_json(fault: &JsonFault) -> Self {
        // The numbers are PHP's: 1 depth, 4 syntax, 5 UTF-8.
        let number = match &fault.message {
            message if message.starts_with("nested deeper") => 1,
            message if message.contains("unicode") => 5,
            _ => 4,
        };
        Self::new(StatusCode::BAD_REQUEST, "rest_invalid_json", "Invalid JSON body passed.")
            .with("json_error_code", number)
            .with("json_error_message", fault.to_string())
    }

    pub(crate) fn missing_params(names: &[&str]) -> Self {
        let message = format!("Missing parameter(s): {}", names.join(", "));
        Self::new(StatusCode::BAD_REQUEST, "rest_missing_callback_param", message).with("params", names.to_vec())
    }

    /// Faults by parameter: nested places are named in the sentence, the key is the parameter itself.
    pub(crate) fn invalid_params(faults: &Faults) -> Self {
        Self::invalid(faults, |field| field.split('[').next().unwrap_or_default())
    }

    /// Faults by place: each argument of a tool is a parameter of its own.
    pub(crate) fn invalid_arguments(faults: &Faults) -> Self {
        Self::invalid(faults, |field| field)
    }

    fn invalid(faults: &Faults, name_of: impl Fn(&str) -> &str) -> Self {
        let (mut params, mut details) = (Map::new(), Map::new());
        for fault in faults.iter() {
            let name = name_of(&fault.field).to_owned();
            let message = match params.get(&name).and_then(Value::as_str) {
                Some(earlier) => format!("{earlier} {}", fault.message),
                None => fault.message.clone(),
            };
            params.insert(name.clone(), message.into());
            details.entry(name).or_insert_with(
                || json!({"code": code_of(fault.kind), "message": fault.message, "data": {"param": fault.field}}),
            );
        }
        let names: Vec<&str> = params.keys().map(String::as_str).collect();
        let message = format!("Invalid parameter(s): {}", names.join(", "));
        Self::new(StatusCode::BAD_REQUEST, "rest_invalid_param", message)
            .with("params", params)
            .with("details", details)
    }

    /// Something of ours failed; the cause is logged here, once.
    pub(crate) fn internal(cause: &dyn std::error::Error) -> Self {
        let causes: Vec<String> =
            std::iter::successors(Some(cause), |error| error.source()).map(ToString::to_string).collect();
        tracing::error!(error = causes.join(": "), "a request failed");
        let message = "Something went wrong on our side; the log of the service says what.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "rest_internal_error", message)
    }

    /// So many watch already that there is no room for one more.
    pub(crate) fn too_many_streams() -> Self {
        Self::busy("rest_too_many_streams", "Too many streams are open; close some, or try again later.")
    }

    /// So many tables of the log are being read already.
    pub(crate) fn too_many_exports() -> Self {
        Self::busy("rest_too_many_exports", "Too many tables of calls are being read; try again later.")
    }

    fn busy(code: &str, message: &str) -> Self {
        Self { retry_after: Some(5), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message) }
    }

    fn unavailable(cause: &StorageError) -> Self {
        tracing::warn!(error = ?cause, "the database is not available");
        let message = "The database is not available at the moment; please try again.";
        let error = Self::new(StatusCode::SERVICE_UNAVAILABLE, "rest_unavailable", message);
        Self { retry_after: Some(2), ..error }
    }

    /// The sentence.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// `{"code", "message", "data": {"status", …}}`.
    pub(crate) fn body(&self) -> Value {
        let mut data = Map::from_iter([("status".to_owned(), self.status.as_u16().into())]);
        data.extend(self.data.iter().map(|(key, value)| (key.clone(), value.clone())));
        json!({"code": self.code, "message": self.message, "data": data})
    }
}

impl From<Faults> for RestError {
    fn from(faults: Faults) -> Self {
        Self::invalid_params(&faults)
    }
}

impl From<toolgate_domain::fault::Fault> for RestError {
    fn from(fault: toolgate_domain::fault::Fault) -> Self {
        Self::invalid_params(&fault.into())
    }
}

impl From<CurlError> for RestError {
    /// The place is told twice: in the sentence, and as numbers for whoever marks it in the text.
    fn from(error: CurlError) -> Self {
        let refused = Self::from(toolgate_domain::fault::Fault::value("curl", error.to_string()));
        match error.position {
            Some(Position { line, column }) => refused.with("position", json!({"line": line, "column": column})),
            None => refused,
        }
    }
}

impl From<toolgate_auth::RandomError> for RestError {
    fn from(error: toolgate_auth::RandomError) -> Self {
        Self::internal(&error)
    }
}

impl From<StorageError> for RestError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::NotFound(kind) => not_found(kind),
            StorageError::Exists { kind, field } => exists(kind, field),
            StorageError::Rejected(faults) => Self::invalid_params(&faults),
            StorageError::InUse(reason) => Self::new(StatusCode::CONFLICT, "rest_cannot_delete", reason),
            StorageError::Unavailable(_) => Self::unavailable(&error),
            StorageError::Full(_) => {
                tracing::error!(error = ?error, "the disk is full");
                let message = "There is no room left to store anything; free some disk space and try again.";
                Self::new(StatusCode::INSUFFICIENT_STORAGE, "rest_storage_full", message)
            }
            StorageError::Sealing(_) | StorageError::Database(_) => Self::internal(&error),
        }
    }
}

fn not_found(kind: ObjectKind) -> RestError {
    let (slug, name) = match kind {
        ObjectKind::EndpointKey => ("key", "key"),
        ObjectKind::ApiKey => ("api_key", "API key"),
        other => (other.as_str(), other.as_str()),
    };
    RestError::new(StatusCode::NOT_FOUND, format!("rest_{slug}_invalid_id"), format!("Invalid {name} ID."))
}

fn exists(kind: ObjectKind, field: &str) -> RestError {
    let kind = kind.as_str();
    let message = format!("A {kind} with this {field} exists already.");
    RestError::new(StatusCode::CONFLICT, format!("rest_{kind}_exists"), message.clone())
        .with("params", json!({field: message}))
}

fn code_of(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::InvalidType => "rest_invalid_type",
        FaultKind::NotInEnum => "rest_not_in_enum",
        FaultKind::OutOfBounds => "rest_out_of_bounds",
        FaultKind::TooShort => "rest_too_short",
        FaultKind::TooLong => "rest_too_long",
        FaultKind::InvalidPattern => "rest_invalid_pattern",
        FaultKind::DuplicateItems => "rest_duplicate_items",
        FaultKind::TooFewItems => "rest_too_few_items",
        FaultKind::TooManyItems => "rest_too_many_items",
        FaultKind::InvalidValue => "rest_invalid_param",
    }
}
