//! A stored document as it was imported: its arguments, its overlay and the names of its tools.

use serde_json::{Value, json};
use toolgate_domain::api_document::ApiDocument;
use toolgate_domain::fault::Faults;
use toolgate_domain::ids::ServerId;
use toolgate_domain::json::{self, JsonObject};
use toolgate_execution::egress::EgressRule;
use toolgate_import::api::known_operations::KnownOperations;
use toolgate_import::api::options::ImportOptions;

use super::arguments::{GIVEN_CREDENTIALS, ImportApiArgs};
use crate::error::RestError;
use crate::params::read_create_arguments;
use crate::request::ApiRequest;

/// The options for reading a stored document with this overlay.
pub(super) fn stored_options(
    document: &ApiDocument,
    overlay: &JsonObject,
    egress: &EgressRule,
) -> Result<ImportOptions, Faults> {
    let args: ImportApiArgs = read_create_arguments(document.options.members(), egress)?;
    let mut options = args.options(document.url.as_deref())?;
    options.overlay = overlay.to_map();
    options.credentials = given_credentials(document);
    Ok(options)
}

/// The security schemes for which credentials were given.
pub(super) fn given_credentials(document: &ApiDocument) -> Vec<String> {
    let options = document.options.to_map();
    let names = options.get(GIVEN_CREDENTIALS).and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The options of a document with the security schemes for which credentials are given.
pub(super) fn options_with_credentials(document: &ApiDocument, sent: Option<&JsonObject>) -> JsonObject {
    let Some(sent) = sent else { return document.options.clone() };
    let mut names = given_credentials(document);
    names.extend(sent.to_map().into_iter().map(|(name, _)| name));
    let mut options = document.options.to_map();
    options.insert(GIVEN_CREDENTIALS.to_owned(), json!(names));
    JsonObject::from_stored(Value::Object(options).to_string())
}

/// The operations that were imported, with the names of their tools.
pub(super) fn known_operations(document: &ApiDocument) -> KnownOperations {
    let names = document.names.members();
    KnownOperations::new(names.iter().filter_map(|(operation, name)| Some((operation.clone(), json::as_string(name)?))))
}

/// The document of a server with this digest or URL; of several, the oldest.
pub(super) async fn find_document(
    request: &ApiRequest,
    server_id: ServerId,
    sha256: &str,
    url: Option<&str>,
) -> Result<Option<ApiDocument>, RestError> {
    let documents = request.storage().list_documents(request.visibility(), server_id, None).await?.items;
    let is_same = |document: &ApiDocument| {
        document.sha256 == sha256 || url.is_some_and(|url| document.url.as_deref() == Some(url))
    };
    Ok(documents.into_iter().find(is_same))
}
