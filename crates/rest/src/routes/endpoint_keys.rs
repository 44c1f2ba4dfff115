//! `/servers/{id}/keys`: keys for one server's MCP endpoint.

use toolgate_auth::SecretKey;
use toolgate_domain::ids::ServerId;
use toolgate_domain::member::ServerRole;
use toolgate_domain::text::{self, NAME_MAX};
use toolgate_storage::NewEndpointKey;

use super::required_role::require_role;
use super::{DeleteArgs, PagingArgs, deletion_doc, object_doc, paged_list_doc};
use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::key::{CreatedEndpointKeyOut, EndpointKeyOut};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new("listServerKeys", "List the keys of a server's MCP endpoint.")
            .read("/servers/{id}/keys", list_keys)
            .reply(paged_list_doc::<EndpointKeyOut<'_>>()),
        Operation::new(
            "createServerKey",
            "Create a key for a server's MCP endpoint. The key is shown only in this reply.",
        )
        .create("/servers/{id}/keys", create)
        .reply(object_doc::<CreatedEndpointKeyOut<'_>>(201)),
        Operation::new("getServerKey", "Get a key, without its secret.")
            .read("/servers/{id}/keys/{key_id}", get)
            .reply(object_doc::<EndpointKeyOut<'_>>(200)),
        Operation::new("deleteServerKey", "Revoke a key of a server's MCP endpoint.")
            .delete("/servers/{id}/keys/{key_id}", delete)
            .reply(deletion_doc::<EndpointKeyOut<'_>>()),
    ]
}

arguments! {
    struct NewKeyArgs {
        name: String = arg::text_with_rule(NAME_MAX, "What the key is for.").required(),
    }
}

async fn list_keys(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    require_role(&request, request.id(ServerId), ServerRole::Editor).await?;
    let listing = request.storage().list_endpoint_keys(request.visibility(), request.id(ServerId), page).await?;
    ApiReply::list(&request, &listing, page, EndpointKeyOut::new)
}

async fn create(request: ApiRequest, args: NewKeyArgs) -> Result<ApiReply, RestError> {
    let secret = SecretKey::generate()?;
    let name = text::display_name("name", &args.name)?;
    let new = NewEndpointKey { name, secret: secret.digest() };
    let key = request
        .storage()
        .create_endpoint_key(&request.actor()?, request.visibility(), request.id(ServerId), new)
        .await?;
    let new_key = CreatedEndpointKeyOut::new(&key, secret.expose());
    ApiReply::created(&new_key, &request.link(&format!("/servers/{}/keys/{}", key.server_id, key.id)))
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let (server_id, id) = (request.id(ServerId), request.endpoint_key_id());
    require_role(&request, server_id, ServerRole::Editor).await?;
    ApiReply::ok(&EndpointKeyOut::new(&request.storage().endpoint_key(request.visibility(), server_id, id).await?))
}

async fn delete(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    let (server_id, id) = (request.id(ServerId), request.endpoint_key_id());
    let key = request.storage().delete_endpoint_key(&request.actor()?, request.visibility(), server_id, id).await?;
    ApiReply::deleted(&EndpointKeyOut::new(&key))
}
