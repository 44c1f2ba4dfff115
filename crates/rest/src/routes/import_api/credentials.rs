//! Credentials that are given with an import. Each is stored once, as a credential of the server, and the tools name it.

use serde_json::{Map, Value};
use toolgate_domain::audit::Actor;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::ids::ServerId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::server_credential::{
    ServerCredential, ServerCredentialPatch, ServerCredentialSpec, credential_name,
};
use toolgate_domain::upstream_auth::AuthType;
use toolgate_import::api::report::SecurityScheme;
use toolgate_storage::StorageError;

use crate::error::RestError;
use crate::request::ApiRequest;
use crate::routes::destinations;

/// A credential that the tools of an import use.
pub(in crate::routes) struct GivenCredential {
    name: String,
    /// The type of a new credential; `None` if the credential must exist.
    auth_type: Option<AuthType>,
    /// The secret values; `None` if none were sent.
    values: Option<Map<String, Value>>,
}

impl GivenCredential {
    /// The credential of a security scheme: what the document determines, and what was sent for it.
    pub(super) fn for_scheme(scheme: &SecurityScheme, sent: Option<&Value>) -> Self {
        let values = sent.and_then(Value::as_object).map(|sent| {
            let mut values = scheme.auth_credentials.clone();
            values.extend(sent.clone());
            values
        });
        Self { name: scheme.name.clone(), auth_type: Some(scheme.auth_type), values }
    }

    /// New values for credentials that exist, by name.
    pub(in crate::routes) fn existing(credentials: &JsonObject) -> Vec<Self> {
        let Value::Object(members) = credentials.to_value() else { return Vec::new() };
        let values = |value: Value| if let Value::Object(values) = value { values } else { Map::new() };
        members.into_iter().map(|(name, value)| Self { name, auth_type: None, values: Some(values(value)) }).collect()
    }

    fn field(&self) -> String {
        format!("credentials[{}]", self.name)
    }

    fn patch(&self) -> ServerCredentialPatch {
        let values = self.values.as_ref();
        let object = values.map(|values| JsonObject::from_stored(Value::Object(values.clone()).to_string()));
        ServerCredentialPatch {
            auth_type: self.auth_type,
            auth_credentials: object,
            ..ServerCredentialPatch::default()
        }
    }
}

/// Creates the credentials that the server does not have, and changes those for which values were sent.
pub(in crate::routes) async fn store_credentials(
    request: &ApiRequest,
    server_id: ServerId,
    credentials: &[GivenCredential],
) -> Result<(), RestError> {
    if credentials.is_empty() {
        return Ok(());
    }
    let stored = request.storage().list_server_credentials(request.visibility(), server_id, None).await?.items;
    check(request, credentials, &stored)?;
    let actor = request.actor()?;
    for given in credentials {
        let result = store(request, &actor, server_id, given, find(&stored, &given.name)).await;
        result.map_err(|error| match error {
            StorageError::Rejected(faults) => RestError::from(faults.inside(&given.field())),
            other => other.into(),
        })?;
    }
    Ok(())
}

fn find<'a>(stored: &'a [ServerCredential], name: &str) -> Option<&'a ServerCredential> {
    stored.iter().find(|credential| credential.spec.name.eq_ignore_ascii_case(name))
}

fn check(request: &ApiRequest, credentials: &[GivenCredential], stored: &[ServerCredential]) -> Result<(), Faults> {
    let mut faults = Faults::default();
    for given in credentials {
        let field = given.field();
        faults.ok_or_record(credential_name(&field, &given.name));
        if given.auth_type.is_none() && find(stored, &given.name).is_none() {
            let message = format!("{field} is not a credential of the server.");
            faults.push(Fault::invalid_value(field.as_str(), message));
        }
        if let Some(values) = &given.values {
            let values = Value::Object(values.clone());
            faults.ok_or_record(destinations::check_credentials(&field, &values, &request.context.config.egress));
        }
    }
    faults.into_result(())
}

async fn store(
    request: &ApiRequest,
    actor: &Actor,
    server_id: ServerId,
    given: &GivenCredential,
    stored: Option<&ServerCredential>,
) -> Result<(), StorageError> {
    let (storage, visibility) = (request.storage(), request.visibility());
    match (stored, given.auth_type) {
        (Some(_), _) if given.values.is_none() => Ok(()),
        (Some(stored), _) => {
            storage.update_server_credential(actor, visibility, server_id, stored.id, given.patch()).await.map(drop)
        }
        (None, Some(auth_type)) => {
            let spec = ServerCredentialSpec::new(given.name.clone(), auth_type);
            storage.create_server_credential(actor, visibility, server_id, spec, given.patch()).await.map(drop)
        }
        (None, None) => Ok(()),
    }
}
