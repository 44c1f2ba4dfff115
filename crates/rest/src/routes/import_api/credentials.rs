//! Credentials that are sent with an import. Each is stored once, as a credential of the server, which the tools refer
//! to.

use std::collections::HashSet;

use serde_json::{Map, Value};
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::ids::ServerId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::server_credential::{ServerCredential, credential_name};
use toolgate_execution::egress::EgressRule;
use toolgate_import::api::candidate::Candidate;
use toolgate_import::api::report::{ApiImport, SecurityScheme};
use toolgate_storage::ImportedCredential;

use super::credential_members::{CredentialMembers, complete};
use crate::error::RestError;
use crate::request::ApiRequest;
use crate::routes::destinations;

/// The credentials that the selected candidates use, with the values from the document and from the request.
pub(super) fn used_credentials(
    import: &ApiImport,
    candidates: &[&Candidate],
    sent: Option<&JsonObject>,
) -> Result<Vec<ImportedCredential>, Faults> {
    let used: HashSet<&str> = candidates.iter().filter_map(|candidate| candidate.credential.as_deref()).collect();
    let sent = sent.map(JsonObject::to_value).unwrap_or_default();
    let schemes =
        import.security_schemes.iter().filter(|scheme| scheme.supported && used.contains(scheme.name.as_str()));
    let mut faults = Faults::default();
    let credentials = schemes
        .filter_map(|scheme| faults.ok_or_record(imported_credential(import, scheme, sent.get(&scheme.name))))
        .collect();
    faults.into_result(credentials)
}

/// Values from the request replace the stored ones; values from the document are stored only if none are stored yet.
fn imported_credential(
    import: &ApiImport,
    scheme: &SecurityScheme,
    sent: Option<&Value>,
) -> Result<ImportedCredential, Fault> {
    let found = import.credentials.iter().find(|credential| credential.name == scheme.name);
    let in_document = found.map(|credential| credential.auth_credentials.to_map()).unwrap_or_default();
    let sent = sent.and_then(Value::as_object);
    let values = match sent {
        // An empty object means that no secret values are stored.
        Some(sent) if sent.is_empty() => Some(Map::new()),
        Some(sent) => {
            let mut values = complete(&field(&scheme.name), &scheme.auth_credentials, sent.clone())?;
            for (name, value) in in_document {
                values.entry(name).or_insert(value);
            }
            Some(values)
        }
        None => Some(in_document).filter(|values| scheme.needs.is_empty() && !values.is_empty()),
    };
    Ok(ImportedCredential {
        name: scheme.name.clone(),
        auth_type: scheme.auth_type,
        auth_credentials: values.map(|values| JsonObject::from_stored(Value::Object(values).to_string())),
        replaces_stored: sent.is_some(),
    })
}

/// Checks the names, and that the URLs in the credentials may be called.
pub(super) fn check_credentials(credentials: &[ImportedCredential], egress: &EgressRule) -> Result<(), Faults> {
    let mut faults = Faults::default();
    for credential in credentials {
        let field = field(&credential.name);
        faults.ok_or_record(credential_name(&field, &credential.name));
        if let Some(values) = &credential.auth_credentials {
            faults.ok_or_record(destinations::check_credentials(&field, &values.to_value(), egress));
        }
    }
    faults.into_result(())
}

/// The stored credentials of a server with the new secret values that were sent for them, by name.
pub(in crate::routes) async fn stored_credentials(
    request: &ApiRequest,
    server_id: ServerId,
    sent: &JsonObject,
) -> Result<Vec<ImportedCredential>, RestError> {
    let stored = request.storage().list_server_credentials(request.visibility(), server_id, None).await?.items;
    let matched = matched_credentials(&stored, sent, &request.context.config.egress)?.into_iter();
    let members = CredentialMembers::read(request, server_id).await?;
    let replaced = |(credential, values): (&ServerCredential, JsonObject)| {
        let name = credential.spec.name.clone();
        let auth_credentials = Some(members.complete(&field(&name), &name, values)?);
        Ok(ImportedCredential { name, auth_type: credential.spec.auth_type, auth_credentials, replaces_stored: true })
    };
    Ok(matched.map(replaced).collect::<Result<_, Fault>>()?)
}

/// The stored credentials that values were sent for.
fn matched_credentials<'a>(
    stored: &'a [ServerCredential],
    sent: &JsonObject,
    egress: &EgressRule,
) -> Result<Vec<(&'a ServerCredential, JsonObject)>, Faults> {
    let Value::Object(sent) = sent.to_value() else { return Ok(Vec::new()) };
    let (mut matched, mut faults) = (Vec::with_capacity(sent.len()), Faults::default());
    for (name, values) in sent {
        let field = field(&name);
        faults.ok_or_record(destinations::check_credentials(&field, &values, egress));
        let Value::Object(_) = values else {
            faults.push(Fault::invalid_type(&field, "object"));
            continue;
        };
        match stored.iter().find(|credential| credential.spec.name.eq_ignore_ascii_case(&name)) {
            Some(credential) => matched.push((credential, JsonObject::from_stored(values.to_string()))),
            None => faults.push(Fault::invalid_value(&field, format!("{field} is not a credential of the server."))),
        }
    }
    faults.into_result(matched)
}

fn field(name: &str) -> String {
    format!("credentials[{name}]")
}
