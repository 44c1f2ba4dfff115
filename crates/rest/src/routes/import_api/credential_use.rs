//! Refuses an import whose tools would send a stored secret to another API.

use std::collections::HashSet;

use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::server_credential::ServerCredential;
use toolgate_domain::tool::Tool;
use toolgate_import::api::candidate::Candidate;
use toolgate_import::api::report::ApiImport;
use toolgate_storage::{ToolChange, ToolChangeKind, ToolFilter};

use crate::error::RestError;
use crate::request::ApiRequest;

/// Every value in `credentials` must be an object.
pub(super) fn check_values(sent: Option<&JsonObject>) -> Result<(), Faults> {
    let mut faults = Faults::default();
    for (name, value) in sent.map(JsonObject::members).into_iter().flatten() {
        if JsonObject::from_raw(&value).is_none() {
            faults.push(Fault::invalid_type(&format!("credentials[{name}]"), "object"));
        }
    }
    faults.into_result(())
}

/// Every name in `credentials` must be a security scheme of the document.
pub(super) fn check_names(import: &ApiImport, sent: Option<&JsonObject>) -> Result<(), Faults> {
    let mut faults = Faults::default();
    for (name, _) in sent.map(JsonObject::members).into_iter().flatten() {
        if !import.security_schemes.iter().any(|scheme| scheme.name == name) {
            let field = format!("credentials[{name}]");
            faults.push(Fault::invalid_value(&field, format!("{field} is not a security scheme of the document.")));
        }
    }
    faults.into_result(())
}

/// Security schemes of different APIs often have the same name. A credential that is used for another origin is not
/// attached to the imported tools, because its secret would be sent there.
pub(super) async fn check_origins(
    request: &ApiRequest,
    server_id: ServerId,
    candidates: &[&Candidate],
    changes: &[ToolChange],
) -> Result<(), RestError> {
    let (storage, visibility) = (request.storage(), request.visibility());
    let stored = storage.list_server_credentials(visibility, server_id, None).await?.items;
    if stored.is_empty() {
        return Ok(());
    }
    let mut tools = storage.list_tools(visibility, server_id, &ToolFilter::default(), None).await?.items;
    // An updated tool gets the new origin, and a deleted one no longer uses the credential.
    let is_updated = |change: &ToolChange, id: ToolId| {
        change.tool_id == id && matches!(change.kind, ToolChangeKind::Update(_) | ToolChangeKind::Delete)
    };
    tools.retain(|tool| !changes.iter().any(|change| is_updated(change, tool.id)));
    let mut faults = Faults::default();
    for credential in &stored {
        let must_keep_type =
            tools.iter().any(|tool| tool.credential_id == Some(credential.id)) || credential.tools_count == 0;
        faults.ok_or_record(check_type(credential, candidates, must_keep_type));
        let imported = imported_origins(credential, candidates);
        let is_other = |origin: &String| imported.iter().any(|imported| imported != origin);
        if let Some(origin) = used_origins(credential, &tools).find(is_other) {
            let field = format!("credentials[{}]", credential.spec.name);
            let message = format!(
                "{field}: the server has a credential of this name for {origin}, and the document is for another API. \
                 Rename that credential, or import the document into another server."
            );
            faults.push(Fault::invalid_value(&field, message));
        }
    }
    Ok(faults.into_result(())?)
}

/// Refuses to attach a credential of another type, unless all of its tools change.
fn check_type(credential: &ServerCredential, candidates: &[&Candidate], must_keep_type: bool) -> Result<(), Fault> {
    let stored = credential.spec.auth_type;
    let is_other = |candidate: &&&Candidate| is_named_by(credential, candidate) && candidate.auth_type != stored;
    match candidates.iter().find(is_other).filter(|_| must_keep_type) {
        None => Ok(()),
        Some(candidate) => {
            let field = format!("credentials[{}]", credential.spec.name);
            let message = format!(
                "{field}: the server has a credential of this name for {}, and the document needs one for {}. Rename \
                 that credential, or import the document into another server.",
                stored.as_str(),
                candidate.auth_type.as_str()
            );
            Err(Fault::invalid_value(&field, message))
        }
    }
}

fn is_named_by(credential: &ServerCredential, candidate: &Candidate) -> bool {
    candidate.credential.as_deref().is_some_and(|name| name.eq_ignore_ascii_case(&credential.spec.name))
}

fn imported_origins(credential: &ServerCredential, candidates: &[&Candidate]) -> HashSet<String> {
    let url = |candidate: &&Candidate| EndpointUrl::parse("endpoint_url", &candidate.endpoint_url).ok();
    candidates
        .iter()
        .filter(|candidate| is_named_by(credential, candidate))
        .filter_map(url)
        .filter_map(|url| origin(&url))
        .collect()
}

fn used_origins(credential: &ServerCredential, tools: &[Tool]) -> impl Iterator<Item = String> {
    let id = credential.id;
    tools.iter().filter(move |tool| tool.credential_id == Some(id)).filter_map(|tool| origin(&tool.spec.endpoint_url))
}

fn origin(url: &EndpointUrl) -> Option<String> {
    url.sample().map(|url| url.origin().ascii_serialization())
}
