//! Errors in the format of WordPress: a code, a message, and data with the status. Every error reply is built here;
//! internal causes are logged and never sent to the client.

use std::fmt;

use http::header::{ALLOW, CONNECTION, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, StatusCode};
use serde_json::{Map, Value, json};
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::call::FailureReason;
use toolgate_domain::fault::{Fault, FaultKind, Faults};
use toolgate_domain::json::JsonFault;
use toolgate_domain::member::ServerRole;
use toolgate_import::api::document::DocumentError;
use toolgate_import::api::error::ApiError;
use toolgate_import::curl::{CurlError, Position};
use toolgate_storage::StorageError;

/// An error reply.
#[derive(Debug)]
pub struct RestError {
    pub(crate) status: StatusCode,
    code: String,
    message: String,
    data: Box<Map<String, Value>>,
    /// The header that the status needs.
    pub(crate) header: Option<(HeaderName, String)>,
}

impl RestError {
    pub(crate) fn new(status: StatusCode, code: impl Into<String>, message: impl Into<String>) -> Self {
        let (code, message) = (code.into(), message.into());
        Self { status, code, message, data: Box::default(), header: None }
    }

    fn with_data(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.data.insert(key.to_owned(), value.into());
        self
    }

    /// No route matches path and method. If only the method is wrong, `allow` lists the methods of the path.
    pub(crate) fn no_route(allow: Option<String>) -> Self {
        let message = "No route was found matching the URL and request method.";
        let header = allow.map(|methods| (ALLOW, methods));
        Self { header, ..Self::new(StatusCode::NOT_FOUND, "rest_no_route", message) }
    }

    /// A missing or invalid key or token. The body is the same for every cause.
    pub(crate) fn unauthorized() -> Self {
        let header = Some((WWW_AUTHENTICATE, "Bearer".to_owned()));
        Self { status: StatusCode::UNAUTHORIZED, header, ..Self::forbidden() }
    }

    /// A key that has expired. The challenge says so (RFC 6750), because only the owner of the key can send it.
    pub(crate) fn expired_key() -> Self {
        let challenge = r#"Bearer error="invalid_token", error_description="The API key has expired""#;
        Self { header: Some((WWW_AUTHENTICATE, challenge.to_owned())), ..Self::unauthorized() }
    }

    /// A token of a browser session that has expired; the page gets another one at `/signin/token`.
    pub(crate) fn expired_token() -> Self {
        let challenge = r#"Bearer error="invalid_token", error_description="The token of the session has expired""#;
        Self { header: Some((WWW_AUTHENTICATE, challenge.to_owned())), ..Self::unauthorized() }
    }

    /// An authenticated caller without the required access.
    pub(crate) fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, "rest_forbidden", "Sorry, you are not allowed to do that.")
    }

    /// A caller with the role `member`, who may use servers but not manage them.
    pub(crate) fn forbidden_to_members() -> Self {
        Self::forbidden_by(
            "Your role is member: you can use the servers that you were given access to, but not manage them. You can \
             read /me, /me/grants and /me/identities. Ask an administrator for another role if you need more.",
        )
    }

    /// Like [`Self::forbidden`], with the rule that the request violates.
    pub(crate) fn forbidden_by(rule: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "rest_forbidden", rule)
    }

    /// The key of a disabled user.
    pub(crate) fn user_disabled() -> Self {
        let message = "The user of this key is disabled. Ask an administrator to enable the user.";
        let header = Some((WWW_AUTHENTICATE, "Bearer".to_owned()));
        Self { header, ..Self::new(StatusCode::UNAUTHORIZED, "rest_user_disabled", message) }
    }

    /// The rest of the body is not read, so the connection cannot be reused.
    pub(crate) fn too_large(max_bytes: usize) -> Self {
        let message = format!("The request body is larger than {max_bytes} bytes.");
        let header = Some((CONNECTION, "close".to_owned()));
        Self { header, ..Self::new(StatusCode::PAYLOAD_TOO_LARGE, "rest_request_too_large", message) }
    }

    /// The body ended early or took too long.
    pub(crate) fn incomplete_body() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "rest_incomplete_body", "The request body is incomplete.")
    }

    pub(crate) fn invalid_json(fault: &JsonFault) -> Self {
        // The codes of PHP's `json_last_error`: 1 depth, 4 syntax, 5 UTF-8.
        let error_code = match &fault.message {
            message if message.starts_with("nested deeper") => 1,
            message if message.contains("unicode") => 5,
            _ => 4,
        };
        Self::new(StatusCode::BAD_REQUEST, "rest_invalid_json", "Invalid JSON body passed.")
            .with_data("json_error_code", error_code)
            .with_data("json_error_message", fault.to_string())
    }

    /// A body that `serde_json` cannot parse, on routes that check only some of its values with `json::check`.
    pub(crate) fn malformed_json(error: &serde_json::Error) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "rest_invalid_json", "Invalid JSON body passed.")
            .with_data("json_error_code", 4)
            .with_data("json_error_message", error.to_string())
    }

    /// A `multipart/form-data` body that cannot be read.
    pub(crate) fn invalid_multipart() -> Self {
        let message = "The multipart body is malformed. Send multipart/form-data with a boundary and complete parts; \
                       texts must be UTF-8.";
        Self::new(StatusCode::BAD_REQUEST, "rest_invalid_multipart", message)
    }

    /// A list with more items than a request may have.
    pub(crate) fn too_many_items(field: &str, max: i64) -> Self {
        let message = format!("{field} must contain at most {max} items. Send them in several requests.");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "rest_request_too_large", message)
    }

    pub(crate) fn missing_params(names: &[&str]) -> Self {
        let message = format!("Missing parameter(s): {}", names.join(", "));
        Self::new(StatusCode::BAD_REQUEST, "rest_missing_callback_param", message).with_data("params", names.to_vec())
    }

    /// A request to import without a document.
    pub(crate) fn missing_document() -> Self {
        let message = "Missing parameter(s): content. Send the document in `content`, in `file` of multipart/form-data, at \
                       `url`, or as the body itself with the content type application/json, application/yaml, text/yaml, \
                       application/vnd.oai.openapi or application/zip.";
        Self::new(StatusCode::BAD_REQUEST, "rest_missing_callback_param", message).with_data("params", vec!["content"])
    }

    /// Faults by parameter. The key is the top-level parameter; the message names the nested field.
    pub(crate) fn invalid_params(faults: &Faults) -> Self {
        Self::invalid_fields(faults, |field| field.split('[').next().unwrap_or_default())
    }

    /// Faults by field: each argument of a tool has its own key.
    pub(crate) fn invalid_arguments(faults: &Faults) -> Self {
        Self::invalid_fields(faults, |field| field)
    }

    /// `key_for` selects the key in `params` and `details` for the field of a fault.
    fn invalid_fields(faults: &Faults, key_for: impl Fn(&str) -> &str) -> Self {
        let (mut params, mut details) = (Map::new(), Map::new());
        for fault in faults.iter() {
            let name = key_for(&fault.field).to_owned();
            let message = match params.get(&name).and_then(Value::as_str) {
                Some(earlier) => format!("{earlier} {}", fault.message),
                None => fault.message.clone(),
            };
            params.insert(name.clone(), message.into());
            details.entry(name).or_insert_with(
                || json!({"code": fault_code(fault.kind), "message": fault.message, "data": {"param": fault.field}}),
            );
        }
        let names: Vec<&str> = params.keys().map(String::as_str).collect();
        let message = format!("Invalid parameter(s): {}", names.join(", "));
        Self::new(StatusCode::BAD_REQUEST, "rest_invalid_param", message)
            .with_data("params", params)
            .with_data("details", details)
    }

    /// An internal failure; the cause is logged here, once.
    pub(crate) fn internal(cause: &dyn std::error::Error) -> Self {
        let causes: Vec<String> =
            std::iter::successors(Some(cause), |error| error.source()).map(ToString::to_string).collect();
        tracing::error!(error = causes.join(": "), "request failed");
        let message = "Internal error. See the log of the service for the cause.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "rest_internal_error", message)
    }

    /// The limit of concurrent live streams is reached.
    pub(crate) fn too_many_streams() -> Self {
        Self::busy(5, "rest_too_many_streams", "Too many streams are open. Close one, or try again later.")
    }

    /// The limit of concurrent CSV exports is reached.
    pub(crate) fn too_many_exports() -> Self {
        Self::busy(5, "rest_too_many_exports", "Too many exports of calls are running. Try again later.")
    }

    /// The limit of concurrent imports of documents is reached.
    pub(crate) fn too_many_imports() -> Self {
        Self::busy(5, "rest_too_many_imports", "Another import is running. Try again when it has finished.")
    }

    /// A document that exceeds the limit.
    pub(crate) fn document_too_large(max_bytes: usize) -> Self {
        let message = format!("The document is larger than {max_bytes} bytes.");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "rest_request_too_large", message)
    }

    /// A document that cannot be fetched.
    pub(crate) fn document_unavailable(reason: FailureReason, message: &str) -> Self {
        Self::from(Fault::invalid_value("url", message)).with_data("reason", reason.as_str())
    }

    /// The content of a document that contains credentials.
    pub(crate) fn document_with_credentials(format: &str) -> Self {
        let message = format!(
            "Documents of the format {format} contain credentials, so their content is not shown. Use the file that you \
             imported."
        );
        Self::new(StatusCode::FORBIDDEN, "rest_document_has_credentials", message)
    }

    /// The document is not the one that the candidates were selected from.
    pub(crate) fn document_changed(sha256: &str) -> Self {
        let message =
            "The document has changed since the candidates were read. Read them again and select from the new ones.";
        Self::new(StatusCode::CONFLICT, "rest_document_changed", message).with_data("document_sha256", sha256)
    }

    fn busy(retry_after_secs: u32, code: &str, message: &str) -> Self {
        let header = Some((RETRY_AFTER, retry_after_secs.to_string()));
        Self { header, ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message) }
    }

    fn unavailable(cause: &StorageError) -> Self {
        tracing::warn!(error = ?cause, "database unavailable");
        Self::busy(2, "rest_unavailable", "The database is unavailable. Try again later.")
    }

    /// `{"code", "message", "data": {"status", …}}`.
    pub(crate) fn body(&self) -> Value {
        let mut data = Map::from_iter([("status".to_owned(), self.status.as_u16().into())]);
        data.extend(self.data.iter().map(|(key, value)| (key.clone(), value.clone())));
        json!({"code": self.code, "message": self.message, "data": data})
    }
}

impl fmt::Display for RestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RestError {}

impl From<Faults> for RestError {
    fn from(faults: Faults) -> Self {
        Self::invalid_params(&faults)
    }
}

impl From<Fault> for RestError {
    fn from(fault: Fault) -> Self {
        Self::invalid_params(&fault.into())
    }
}

impl From<CurlError> for RestError {
    /// Adds the position as numbers, for clients that mark it in the input; the message contains it as text.
    fn from(error: CurlError) -> Self {
        let rest_error = Self::from(Fault::invalid_value("curl", error.to_string()));
        match error.position {
            Some(Position { line, column }) => {
                rest_error.with_data("position", json!({"line": line, "column": column}))
            }
            None => rest_error,
        }
    }
}

impl From<ApiError> for RestError {
    fn from(error: ApiError) -> Self {
        let message = error.to_string();
        let content = |message: String| Self::from(Fault::invalid_value("content", format!("content: {message}")));
        match error {
            ApiError::Argument { field, .. } => Fault::invalid_value(field, message).into(),
            ApiError::Timeout { .. } => Self::new(StatusCode::BAD_REQUEST, "import_timeout", message),
            ApiError::Document(DocumentError::Syntax { line, column, .. }) if line > 0 => {
                content(message).with_data("position", json!({"line": line, "column": column}))
            }
            ApiError::Document(DocumentError::TooLarge { pointer, .. }) => {
                content(message).with_data("pointer", pointer)
            }
            ApiError::Document(_) | ApiError::NoPaths => content(message),
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
            StorageError::Forbidden { role, required } => Self::forbidden_by(role_rule(role, required)),
            StorageError::Exists { kind, field } => already_exists(kind, field),
            StorageError::Rejected(faults) => Self::invalid_params(&faults),
            StorageError::TooManyTools { present, added, max } => {
                let message = format!(
                    "The server has {present} tools and the import would add {added}, but {max} is the maximum. \
                     Import fewer tools (a refresh with added=skip creates only the selected ones), delete some, or \
                     use another server."
                );
                Self::new(StatusCode::CONFLICT, "rest_too_many_tools", message)
            }
            StorageError::Outdated => {
                let message = "The document or one of its tools was changed at the same time. Send the request again.";
                Self::new(StatusCode::CONFLICT, "rest_document_changed", message)
            }
            StorageError::InUse(reason) => Self::new(StatusCode::CONFLICT, "rest_cannot_delete", reason),
            StorageError::CredentialInUse { tools_count } => credential_in_use(tools_count),
            StorageError::Unavailable(_) => Self::unavailable(&error),
            StorageError::Full(_) => {
                tracing::error!(error = ?error, "disk full");
                let message = "The disk is full. Free some disk space and try again.";
                Self::new(StatusCode::INSUFFICIENT_STORAGE, "rest_storage_full", message)
            }
            StorageError::Sealing(_) | StorageError::Database(_) => Self::internal(&error),
        }
    }
}

/// Explains why the caller's role in a server is not sufficient.
fn role_rule(role: ServerRole, required: ServerRole) -> String {
    let explanation = match required {
        ServerRole::Viewer | ServerRole::Editor => {
            "Changing it, testing its tools and seeing its keys needs the role editor."
        }
        ServerRole::Owner => {
            "Only its owner and administrators may delete or duplicate it, change its members or see who connected to it."
        }
        ServerRole::Admin => "Only administrators may hand it over to another user.",
    };
    format!("Your role in this server is {}. {explanation}", role.as_str())
}

fn not_found(kind: ObjectKind) -> RestError {
    let (slug, name) = match kind {
        ObjectKind::EndpointKey => ("key", "key"),
        ObjectKind::ApiKey => ("api_key", "API key"),
        ObjectKind::OAuthClient => ("oauth_client", "OAuth client"),
        other => (other.as_str(), other.as_str()),
    };
    RestError::new(StatusCode::NOT_FOUND, format!("rest_{slug}_invalid_id"), format!("Invalid {name} ID."))
}

fn credential_in_use(tools_count: i64) -> RestError {
    let subject = if tools_count == 1 { "1 tool uses".to_owned() } else { format!("{tools_count} tools use") };
    let message = format!(
        "{subject} this credential. Assign another credential first, or send force=true: calls then fail until the \
         tools have a new credential."
    );
    RestError::new(StatusCode::CONFLICT, "rest_credential_in_use", message).with_data("tools_count", tools_count)
}

fn already_exists(kind: ObjectKind, field: &str) -> RestError {
    let kind = kind.as_str();
    let message = format!("A {kind} with this {field} already exists.");
    RestError::new(StatusCode::CONFLICT, format!("rest_{kind}_exists"), message.clone())
        .with_data("params", json!({field: message}))
}

fn fault_code(kind: FaultKind) -> &'static str {
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
        FaultKind::UnknownField => "rest_unknown_param",
        FaultKind::InvalidValue => "rest_invalid_param",
    }
}
