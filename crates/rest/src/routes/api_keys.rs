//! `/api-keys`: the keys of the management API.

use serde_json::json;
use serde_json::value::RawValue;
use toolgate_auth::{Principal, SecretKey};
use toolgate_domain::api_key::{NewApiKey, Scope, Scopes};
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::{ApiKeyId, UserId};
use toolgate_domain::text::{self, NAME_MAX};
use toolgate_domain::user::{Role, Visibility};
use toolgate_storage::StorageError;

use super::expiry;
use super::{DeleteArgs, PagingArgs, deletion_doc, object_doc, paged_list_doc};
use crate::error::RestError;
use crate::params::{Items, arguments, strings, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::key::{ApiKeyOut, CreatedApiKeyOut};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new("listApiKeys", "List the keys of the management API: all for an administrator, otherwise the caller's own.")
            .read("/api-keys", list_keys)
            .reply(paged_list_doc::<ApiKeyOut<'_>>()),
        Operation::new(
            "createApiKey",
            "Create a key. The key is shown only in this reply. Only an administrator can create keys of other users, or keys \
             with more scopes or a later expiry than the key of the request.",
        )
        .create("/api-keys", create)
        .reply(object_doc::<CreatedApiKeyOut<'_>>(201)),
        Operation::new("getApiKey", "Get a key, without its secret.")
            .read("/api-keys/{id}", get)
            .reply(object_doc::<ApiKeyOut<'_>>(200)),
        Operation::new("deleteApiKey", "Revoke a key immediately.")
            .delete("/api-keys/{id}", delete)
            .reply(deletion_doc::<ApiKeyOut<'_>>()),
    ]
}

arguments! {
    struct NewApiKeyArgs {
        name: String = arg::text_with_rule(NAME_MAX, "What the key is for.").required(),
        user_id: Option<UserId> = arg::integer(&(1..=i64::MAX), "Owner of the key. Default: the caller."),
        scopes: Option<Vec<Box<RawValue>>> = arg::array(
            Items::Strings,
            "read, write (implies read), admin (implies all), mcp (use servers over MCP). Keys of a user with the role \
             member have mcp only.",
        )
        .with_schema(json!({"items": {"type": "string", "enum": Scope::NAMES}, "minItems": 1}))
        .default(json!(["read", "write", "mcp"])),
        expires_at: Option<String> =
            arg::text(30, "Expiry time: YYYY-MM-DDTHH:MM:SS, UTC. Default: never."),
    }
}

async fn list_keys(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    let listing = request.storage().list_api_keys(visible_keys(&request)?, page).await?;
    ApiReply::list(&request, &listing, page, ApiKeyOut::new)
}

async fn create(request: ApiRequest, args: NewApiKeyArgs) -> Result<ApiReply, RestError> {
    let (secret, principal) = (SecretKey::generate()?, request.principal()?);
    let user_id = args.user_id.unwrap_or(principal.user_id());
    let role = owner_role(&request, user_id).await?;
    let mut new = NewApiKey {
        user_id,
        name: text::display_name("name", &args.name)?,
        scopes: scopes(args.scopes.as_deref(), principal, role)?,
        expires_at: args.expires_at.map(|text| expiry::parse_future(&text, request.now())).transpose()?,
        digest: secret.digest(),
    };
    if !principal.may_administer() {
        limit_to_own_rights(&mut new, principal)?;
    }
    let key = request.storage().create_api_key(&request.actor()?, new).await.map_err(missing_user)?;
    let new_key = CreatedApiKeyOut::new(&key, secret.expose());
    ApiReply::created(&new_key, &request.link(&format!("/api-keys/{}", key.id)))
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    ApiReply::ok(&ApiKeyOut::new(&request.storage().api_key(visible_keys(&request)?, request.id(ApiKeyId)).await?))
}

async fn delete(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    let key =
        request.storage().delete_api_key(&request.actor()?, visible_keys(&request)?, request.id(ApiKeyId)).await?;
    ApiReply::deleted(&ApiKeyOut::new(&key))
}

/// The role of the user who gets a key.
async fn owner_role(request: &ApiRequest, user_id: UserId) -> Result<Role, RestError> {
    let principal = request.principal()?;
    if user_id == principal.user_id() {
        return Ok(principal.user().role);
    }
    if !principal.may_administer() {
        return Err(RestError::forbidden_by("Only administrators may create keys of another user (user_id)."));
    }
    Ok(request.storage().user(user_id).await.map_err(missing_user)?.role)
}

fn missing_user(error: StorageError) -> RestError {
    match error {
        StorageError::NotFound(ObjectKind::User) => {
            Fault::invalid_value("user_id", "user_id must be the id of an existing user.").into()
        }
        other => other.into(),
    }
}

/// The keys that the caller may see and revoke.
fn visible_keys(request: &ApiRequest) -> Result<Visibility, RestError> {
    let principal = request.principal()?;
    Ok(if principal.may_administer() { Visibility::All } else { Visibility::User(principal.user_id()) })
}

/// Fails if a caller who is not an administrator would get more rights than the key of the request has. A key that
/// expires creates only keys that expire no later.
fn limit_to_own_rights(new: &mut NewApiKey, principal: &Principal) -> Result<(), RestError> {
    let is_beyond = |name: &&&str| Scope::parse(name).is_some_and(|scope| !principal.may_grant(scope));
    if let Some(scope) = new.scopes.names().iter().find(is_beyond) {
        let message = format!("scopes: {scope} is beyond the scopes of your own key and role.");
        return Err(Fault::invalid_value("scopes", message).into());
    }
    match (new.expires_at, principal.permissions_end_at()) {
        (Some(end), Some(own_end)) if end > own_end => {
            let message = format!("expires_at must not be later than the expiry of your own key, {own_end}.");
            return Err(Fault::invalid_value("expires_at", message).into());
        }
        (end, own_end) => new.expires_at = end.or(own_end),
    }
    Ok(())
}

/// The scopes of a key for a user with the role `role`.
fn scopes(sent: Option<&[Box<RawValue>]>, principal: &Principal, role: Role) -> Result<Scopes, Fault> {
    let Some(names) = sent.map(|items| strings("scopes", items)).transpose()? else {
        let default = [Scope::Read, Scope::Write, Scope::Mcp].into_iter();
        let is_allowed = |scope: &Scope| principal.may_administer() || principal.may_grant(*scope);
        return Ok(default
            .filter(|scope| is_allowed(scope) && (role != Role::Member || *scope == Scope::Mcp))
            .collect());
    };
    if names.is_empty() {
        return Err(Fault::new("scopes", FaultKind::TooFewItems, "scopes must contain at least 1 item."));
    }
    let read = |(index, name): (usize, &String)| {
        Scope::parse(name).ok_or_else(|| Fault::not_in(&format!("scopes[{index}]"), Scope::NAMES))
    };
    let scopes: Scopes = names.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    if role == Role::Member && scopes.names() != [Scope::Mcp.as_str()] {
        let message = "scopes: the user has the role member, whose keys can only have the scope mcp.";
        return Err(Fault::invalid_value("scopes", message));
    }
    Ok(scopes)
}
