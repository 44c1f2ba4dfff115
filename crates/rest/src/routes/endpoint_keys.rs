//! `/servers/{id}/keys`: keys for one server's MCP endpoint.

use serde_json::json;
use toolgate_auth::SecretKey;
use toolgate_domain::text::{self, NAME_MAX};
use toolgate_storage::NewEndpointKey;

use super::{DEFAULT_PAGE_SIZE, deleted, force_arg, fresh_key, list, one, paging_args};
use crate::call::Call;
use crate::error::RestError;
use crate::params::Arg;
use crate::reply::Reply;
use crate::route::{Route, handler};
use crate::wire::{EndpointKeyOut, Fresh};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read(
            "/servers/{id}/keys",
            "listServerKeys",
            "List the keys of a server's MCP endpoint.",
            handler!(list_keys),
        )
        .args(paging_args().to_vec())
        .reply(list::<EndpointKeyOut<'_>>()),
        Route::create(
            "/servers/{id}/keys",
            "createServerKey",
            "Create a key for a server's MCP endpoint; the reply is the only place that shows it.",
            handler!(create),
        )
        .args(vec![
            Arg::text("name", usize::MAX, "Who or what the key is for.")
                .shaped(json!({"minLength": 1, "maxLength": NAME_MAX}))
                .required(),
        ])
        .reply(fresh_key::<EndpointKeyOut<'_>>()),
        Route::read("/servers/{id}/keys/{key_id}", "getServerKey", "Get a key, without its secret.", handler!(get))
            .reply(one::<EndpointKeyOut<'_>>(200)),
        Route::delete(
            "/servers/{id}/keys/{key_id}",
            "deleteServerKey",
            "Revoke a key of a server's MCP endpoint.",
            handler!(delete),
        )
        .args(vec![force_arg()])
        .reply(deleted::<EndpointKeyOut<'_>>()),
    ]
}

async fn list_keys(call: Call) -> Result<Reply, RestError> {
    let page = call.args.page(DEFAULT_PAGE_SIZE);
    let listing = call.storage().list_endpoint_keys(call.visibility(), call.own_server_id(), page).await?;
    Reply::list(&call, &listing, page, EndpointKeyOut::from)
}

async fn create(call: Call) -> Result<Reply, RestError> {
    let secret = SecretKey::generate()?;
    let name = text::display_name("name", call.args.text("name").unwrap_or_default())?;
    let new = NewEndpointKey { name, secret: secret.digest() };
    let key = call.storage().create_endpoint_key(&call.actor()?, call.visibility(), call.own_server_id(), new).await?;
    let fresh = Fresh { key_row: EndpointKeyOut::from(&key), key: secret.expose() };
    Reply::created(&fresh, &call.link(&format!("/servers/{}/keys/{}", key.server_id, key.id)))
}

async fn get(call: Call) -> Result<Reply, RestError> {
    let (server_id, id) = (call.own_server_id(), call.endpoint_key_id());
    Reply::ok(&EndpointKeyOut::from(&call.storage().endpoint_key(call.visibility(), server_id, id).await?))
}

async fn delete(call: Call) -> Result<Reply, RestError> {
    let (server_id, id) = (call.own_server_id(), call.endpoint_key_id());
    let key = call.storage().delete_endpoint_key(&call.actor()?, call.visibility(), server_id, id).await?;
    Reply::deleted(&EndpointKeyOut::from(&key))
}
