//! `/servers/{id}/keys`: keys for one server's MCP endpoint.

use toolgate_auth::SecretKey;
use toolgate_domain::api_key::{EndpointKeyPatch, KEY_RATE_LIMIT_PER_MIN};
use toolgate_domain::change::Change;
use toolgate_domain::fault::Faults;
use toolgate_domain::ids::ServerId;
use toolgate_domain::member::ServerRole;
use toolgate_domain::text::{self, NAME_MAX};
use toolgate_domain::time::Timestamp;
use toolgate_storage::NewEndpointKey;

use super::expiry;
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
        Operation::new("updateServerKey", "Change the name, the expiry or the rate limit of a key.")
            .update("/servers/{id}/keys/{key_id}", update)
            .reply(object_doc::<EndpointKeyOut<'_>>(200)),
        Operation::new("deleteServerKey", "Revoke a key of a server's MCP endpoint.")
            .delete("/servers/{id}/keys/{key_id}", delete)
            .reply(deletion_doc::<EndpointKeyOut<'_>>()),
    ]
}

arguments! {
    struct KeyArgs {
        name: Option<String> = arg::text_with_rule(NAME_MAX, "What the key is for.").required_on_create(),
        expires_at: Change<String> =
            arg::text(30, "Expiry time: YYYY-MM-DDTHH:MM:SS, UTC. null: never.").nullable(),
        rate_limit_per_min: Change<i64> =
            arg::integer(&KEY_RATE_LIMIT_PER_MIN, "Requests per minute with this key. null: only the server's limit.")
                .nullable(),
    }
}

impl KeyArgs {
    /// The validated patch. Sending back the stored expiry unchanged is valid even if it has passed.
    fn into_patch(self, now: Timestamp, stored_expiry: Option<Timestamp>) -> Result<EndpointKeyPatch, Faults> {
        let mut faults = Faults::default();
        let name = self.name.and_then(|name| faults.ok_or_record(text::display_name("name", &name)));
        let parse = |text: String| match expiry::parse(&text) {
            Ok(time) if Some(time) == stored_expiry => Ok(time),
            _ => expiry::parse_future(&text, now),
        };
        let expires_at = self.expires_at.and_then(|text| faults.ok_or_record(parse(text)));
        faults.into_result(EndpointKeyPatch { name, expires_at, rate_limit_per_min: self.rate_limit_per_min })
    }
}

async fn list_keys(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    require_role(&request, request.id(ServerId), ServerRole::Editor).await?;
    request.context.services.access_counters.flush().await;
    let listing = request.storage().list_endpoint_keys(request.visibility(), request.id(ServerId), page).await?;
    ApiReply::list(&request, &listing, page, EndpointKeyOut::new)
}

async fn create(request: ApiRequest, args: KeyArgs) -> Result<ApiReply, RestError> {
    let secret = SecretKey::generate()?;
    let EndpointKeyPatch { name, expires_at, rate_limit_per_min } = args.into_patch(request.now(), None)?;
    let mut new = NewEndpointKey::new(name.unwrap_or_default(), secret.digest());
    expires_at.apply_to(&mut new.expires_at);
    rate_limit_per_min.apply_to(&mut new.rate_limit_per_min);
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

async fn update(request: ApiRequest, args: KeyArgs) -> Result<ApiReply, RestError> {
    let (server_id, id, visibility) = (request.id(ServerId), request.endpoint_key_id(), request.visibility());
    require_role(&request, server_id, ServerRole::Editor).await?;
    let stored_expiry = request.storage().endpoint_key(visibility, server_id, id).await?.expires_at;
    let patch = args.into_patch(request.now(), stored_expiry)?;
    let key = request.storage().update_endpoint_key(&request.actor()?, visibility, server_id, id, patch).await?;
    ApiReply::ok(&EndpointKeyOut::new(&key))
}

async fn delete(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    let (server_id, id) = (request.id(ServerId), request.endpoint_key_id());
    let key = request.storage().delete_endpoint_key(&request.actor()?, request.visibility(), server_id, id).await?;
    ApiReply::deleted(&EndpointKeyOut::new(&key))
}
