//! `/servers/{server_id}/credentials`: credentials that the tools of a server can share.

use serde_json::json;
use toolgate_domain::fault::Faults;
use toolgate_domain::ids::ServerCredentialId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::server_credential::{
    CREDENTIAL_AUTH_TYPES, CREDENTIAL_NAME_MAX, CREDENTIAL_NAME_PATTERN, ServerCredentialPatch, ServerCredentialSpec,
    credential_auth_type, credential_name,
};
use toolgate_domain::upstream_auth::AuthType;
use toolgate_execution::egress::EgressRule;

use super::import_api::credential_members::CredentialMembers;
use super::tool_fields::CREDENTIALS;
use super::{PagingArgs, deletion_doc, destinations, object_doc, paged_list_doc};
use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::server_credential::ServerCredentialOut;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new("listServerCredentials", "List the credentials that the tools of a server can share.")
            .read("/servers/{server_id}/credentials", list_credentials)
            .reply(paged_list_doc::<ServerCredentialOut<'_>>()),
        Operation::new(
            "createServerCredential",
            "Create a credential. Tools refer to it by its name, in the field credential.",
        )
        .create("/servers/{server_id}/credentials", create)
        .reply(object_doc::<ServerCredentialOut<'_>>(201))
        .errors(&[409]),
        Operation::new("getServerCredential", "Get a credential, without its secret values.")
            .read("/servers/{server_id}/credentials/{id}", get)
            .reply(object_doc::<ServerCredentialOut<'_>>(200)),
        Operation::new(
            "updateServerCredential",
            "Update a credential, for all tools that use it. Fields that are not sent stay unchanged.",
        )
        .update("/servers/{server_id}/credentials/{id}", update)
        .reply(object_doc::<ServerCredentialOut<'_>>(200))
        .errors(&[409]),
        Operation::new("deleteServerCredential", "Delete a credential. If tools use it, force is required.")
            .delete("/servers/{server_id}/credentials/{id}", delete)
            .reply(deletion_doc::<ServerCredentialOut<'_>>())
            .errors(&[409]),
    ]
}

arguments! {
    struct CredentialFields checked by patch into ServerCredentialPatch {
        name: Option<String> =
            arg::text(usize::MAX, "Name by which tools refer to it; unique in the server without regard to case.")
                .with_schema(json!({
                    "pattern": CREDENTIAL_NAME_PATTERN, "minLength": 1, "maxLength": CREDENTIAL_NAME_MAX
                }))
                .required_on_create()
                => credential_name,
        auth_type: Option<AuthType> =
            arg::one_of::<AuthType>("Authentication at the upstream. It also becomes the auth_type of the tools that use the credential.")
                .with_schema(json!({"enum": CREDENTIAL_AUTH_TYPES}))
                .required_on_create()
                => credential_auth_type,
        auth_credentials: Option<JsonObject> =
            arg::object(CREDENTIALS).with_schema(json!({"type": ["object", "null"]})),
    }
}

arguments! {
    struct DeleteCredentialArgs {
        force: bool = arg::boolean(
            "Delete it even if tools use it. They keep their auth_type without credentials, so that their calls fail.",
        )
        .in_query(),
    }
}

impl CredentialFields {
    /// The patch that the request makes.
    fn patch(self, egress: &EgressRule) -> Result<ServerCredentialPatch, Faults> {
        let mut faults = Faults::default();
        if let Some(credentials) = &self.auth_credentials {
            faults.ok_or_record(destinations::check_credentials("auth_credentials", &credentials.to_value(), egress));
        }
        let patch = self.into_patch(&mut faults);
        faults.into_result(patch)
    }
}

async fn list_credentials(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let (page, server_id) = (paging.page(), request.parent_server_id());
    let listing = request.storage().list_server_credentials(request.visibility(), server_id, page).await?;
    ApiReply::list(&request, &listing, page, ServerCredentialOut::new)
}

async fn create(request: ApiRequest, fields: CredentialFields) -> Result<ApiReply, RestError> {
    let patch = fields.patch(&request.context.config.egress)?;
    let (Some(name), Some(auth_type)) = (patch.name.clone(), patch.auth_type) else {
        return Err(RestError::missing_params(&["name", "auth_type"]));
    };
    let (server_id, spec) = (request.parent_server_id(), ServerCredentialSpec::new(name, auth_type));
    let (actor, visibility) = (request.actor()?, request.visibility());
    let credential = request.storage().create_server_credential(&actor, visibility, server_id, spec, patch).await?;
    let link = request.link(&format!("/servers/{server_id}/credentials/{}", credential.id));
    ApiReply::created(&ServerCredentialOut::new(&credential), &link)
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let (server_id, id) = (request.parent_server_id(), request.id(ServerCredentialId));
    let credential = request.storage().server_credential(request.visibility(), server_id, id).await?;
    ApiReply::ok(&ServerCredentialOut::new(&credential))
}

async fn update(request: ApiRequest, fields: CredentialFields) -> Result<ApiReply, RestError> {
    let mut patch = fields.patch(&request.context.config.egress)?;
    let (server_id, id) = (request.parent_server_id(), request.id(ServerCredentialId));
    if let Some(sent) = patch.auth_credentials.take() {
        patch.auth_credentials = Some(with_document_members(&request, id, &patch, sent).await?);
    }
    let (actor, visibility) = (request.actor()?, request.visibility());
    let credential = request.storage().update_server_credential(&actor, visibility, server_id, id, patch).await?;
    ApiReply::ok(&ServerCredentialOut::new(&credential))
}

/// The values that were sent, with the members that a document determines, unless the type of the credential changes.
async fn with_document_members(
    request: &ApiRequest,
    id: ServerCredentialId,
    patch: &ServerCredentialPatch,
    sent: JsonObject,
) -> Result<JsonObject, RestError> {
    let server_id = request.parent_server_id();
    let stored = request.storage().server_credential(request.visibility(), server_id, id).await?.spec;
    if patch.auth_type.is_some_and(|auth_type| auth_type != stored.auth_type) {
        return Ok(sent);
    }
    let members = CredentialMembers::read(request, server_id).await?;
    Ok(members.complete("auth_credentials", &stored.name, sent)?)
}

async fn delete(request: ApiRequest, args: DeleteCredentialArgs) -> Result<ApiReply, RestError> {
    let (server_id, id) = (request.parent_server_id(), request.id(ServerCredentialId));
    let (actor, visibility) = (request.actor()?, request.visibility());
    let credential = request.storage().delete_server_credential(&actor, visibility, server_id, id, args.force).await?;
    ApiReply::deleted(&ServerCredentialOut::new(&credential))
}
