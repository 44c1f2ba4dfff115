//! `/api-keys`.

use serde_json::json;
use toolgate_auth::SecretKey;
use toolgate_domain::api_key::{NewApiKey, Scope, Scopes};
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::UserId;
use toolgate_domain::text::{self, NAME_MAX};
use toolgate_domain::time::Timestamp;
use toolgate_storage::StorageError;

use super::{DEFAULT_PAGE_SIZE, deleted, force_arg, fresh_key, list, one, paging_args};
use crate::call::Call;
use crate::error::RestError;
use crate::params::{Arg, Args, Items};
use crate::reply::Reply;
use crate::route::{Route, handler};
use crate::wire::{ApiKeyOut, Fresh};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read("/api-keys", "listApiKeys", "List the keys of the management API.", handler!(list_keys))
            .args(paging_args().to_vec())
            .reply(list::<ApiKeyOut<'_>>())
            .admin(),
        Route::create(
            "/api-keys",
            "createApiKey",
            "Create a key; the reply is the only place that shows it.",
            handler!(create),
        )
        .args(fields())
        .reply(fresh_key::<ApiKeyOut<'_>>())
        .admin(),
        Route::read("/api-keys/{id}", "getApiKey", "Get a key, without its secret.", handler!(get))
            .reply(one::<ApiKeyOut<'_>>(200))
            .admin(),
        Route::delete("/api-keys/{id}", "deleteApiKey", "Revoke a key at once.", handler!(delete))
            .args(vec![force_arg()])
            .reply(deleted::<ApiKeyOut<'_>>())
            .admin(),
    ]
}

fn fields() -> Vec<Arg> {
    vec![
        Arg::text("name", usize::MAX, "What the key is for.")
            .shaped(json!({"minLength": 1, "maxLength": NAME_MAX}))
            .required(),
        Arg::integer("user_id", &(1..=i64::MAX), "Whose key it is; the caller's when omitted."),
        Arg::array(
            "scopes",
            Items::Strings,
            "read, write (implies read), admin (implies all), mcp (use servers over MCP).",
        )
        .shaped(json!({"items": {"type": "string", "enum": Scope::NAMES}, "minItems": 1}))
        .default(json!(["read", "write", "mcp"])),
        Arg::text("expires_at", 30, "When the key stops working: YYYY-MM-DDTHH:MM:SS, UTC; never when omitted."),
    ]
}

async fn list_keys(call: Call) -> Result<Reply, RestError> {
    let page = call.args.page(DEFAULT_PAGE_SIZE);
    let listing = call.storage().list_api_keys(page).await?;
    Reply::list(&call, &listing, page, ApiKeyOut::from)
}

async fn create(call: Call) -> Result<Reply, RestError> {
    let secret = SecretKey::generate()?;
    let new = NewApiKey {
        user_id: call.args.integer("user_id").map_or(call.principal()?.user_id(), UserId),
        name: text::display_name("name", call.args.text("name").unwrap_or_default())?,
        scopes: scopes(&call.args)?,
        expires_at: expiry(&call.args, call.context.clock.now())?,
        secret: secret.digest(),
    };
    let key = call.storage().create_api_key(&call.actor()?, new).await.map_err(|error| match error {
        StorageError::NotFound(ObjectKind::User) => Fault::value("user_id", "user_id is not the id of a user.").into(),
        other => RestError::from(other),
    })?;
    let fresh = Fresh { key_row: ApiKeyOut::from(&key), key: secret.expose() };
    Reply::created(&fresh, &call.link(&format!("/api-keys/{}", key.id)))
}

async fn get(call: Call) -> Result<Reply, RestError> {
    Reply::ok(&ApiKeyOut::from(&call.storage().api_key(call.api_key_id()).await?))
}

async fn delete(call: Call) -> Result<Reply, RestError> {
    let key = call.storage().delete_api_key(&call.actor()?, call.api_key_id()).await?;
    Reply::deleted(&ApiKeyOut::from(&key))
}

fn scopes(args: &Args) -> Result<Scopes, Fault> {
    let Some(names) = args.strings("scopes")? else {
        return Ok([Scope::Read, Scope::Write, Scope::Mcp].into_iter().collect());
    };
    if names.is_empty() {
        return Err(Fault::new("scopes", FaultKind::TooFewItems, "scopes must contain at least 1 item."));
    }
    let read = |(index, name): (usize, &String)| {
        Scope::parse(name).ok_or_else(|| Fault::not_in(&format!("scopes[{index}]"), Scope::NAMES))
    };
    names.iter().enumerate().map(read).collect()
}

fn expiry(args: &Args, now: Timestamp) -> Result<Option<Timestamp>, Fault> {
    let Some(text) = args.text("expires_at") else { return Ok(None) };
    let wrong = |message: &str| Fault::new("expires_at", FaultKind::InvalidPattern, message);
    let end = Timestamp::parse(text).ok_or_else(|| wrong("expires_at must look like 2027-01-31T00:00:00 (UTC)."))?;
    if end <= now { Err(wrong("expires_at must lie in the future.")) } else { Ok(Some(end)) }
}
