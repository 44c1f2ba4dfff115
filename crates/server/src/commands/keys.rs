//! `toolgate key create|list|replace|revoke`. A new key is the only line on stdout: `KEY=$(toolgate key create)`.

use anyhow::{Context, bail};
use secrecy::ExposeSecret;
use toolgate_domain::api_key::{ApiKey, NewApiKey};
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::ApiKeyId;
use toolgate_domain::text::display_name;
use toolgate_domain::time::{Clock, SystemClock, Timestamp};
use toolgate_domain::user::{Role, User, Visibility};
use toolgate_storage::Storage;

use super::{note, print};
use crate::cli::{CreateKeyArgs, KeyCommand};
use crate::database;
use crate::settings::Settings;

/// Runs one of the key commands.
pub(crate) async fn manage_keys(command: KeyCommand, settings: &Settings) -> anyhow::Result<()> {
    let now = SystemClock.now();
    let storage = database::open_existing(settings).await?;
    let outcome = match command {
        KeyCommand::Create(new) => create(&*storage, new, now).await,
        KeyCommand::List => list(&*storage).await,
        KeyCommand::Replace => replace(&*storage, settings, now).await,
        KeyCommand::Revoke { id } => revoke(&*storage, ApiKeyId(id), now).await,
    };
    storage.close().await;
    outcome
}

async fn create(storage: &dyn Storage, new: CreateKeyArgs, now: Timestamp) -> anyhow::Result<()> {
    if new.expires.is_some_and(|end| end <= now) {
        bail!("--expires: this time has passed; the current time is {now} (UTC)");
    }
    let user = find_user(storage, new.user.as_deref()).await?;
    let secret = toolgate_auth::SecretKey::generate()?;
    let name = display_name("--name", &new.name)?;
    let CreateKeyArgs { scopes, expires, .. } = new;
    let new = NewApiKey { user_id: user.id, name, scopes, expires_at: expires, digest: secret.digest() };
    let created_key = storage.create_api_key(&Actor::service(now), new).await?;
    note(format_args!("Key {} of {} (it cannot be shown again):", created_key.id, user.name));
    print(secret.expose())
}

/// Finds a user by name, else by id. Without `name_or_id`, finds the first administrator who is not disabled.
async fn find_user(storage: &dyn Storage, name_or_id: Option<&str>) -> anyhow::Result<User> {
    let users = storage.list_users(None).await?.items;
    let Some(name_or_id) = name_or_id else {
        let first = users.into_iter().find(|user| user.role == Role::Admin && !user.is_disabled);
        return first.context("there is no user yet; start the service once to create the first administrator");
    };
    let by_name = users.iter().find(|user| user.name == name_or_id);
    let user = by_name.or_else(|| users.iter().find(|user| user.id.to_string() == name_or_id));
    user.cloned().with_context(|| format!("there is no user {name_or_id:?}"))
}

async fn list(storage: &dyn Storage) -> anyhow::Result<()> {
    let users = storage.list_users(None).await?.items;
    let keys = storage.list_api_keys(Visibility::All, None).await?.items;
    print(row(["ID", "USER", "SCOPES", "CREATED", "EXPIRES", "KEY", "NAME"]))?;
    keys.iter().try_for_each(|key| print(key_row(key, &users)))
}

fn key_row(key: &ApiKey, users: &[User]) -> String {
    let user = users.iter().find(|user| user.id == key.user_id).map_or("?", |user| user.name.as_str());
    let expires = key.expires_at.map_or_else(|| "never".to_owned(), |end| end.to_string());
    let (id, scopes, created) = (key.id.to_string(), key.scopes.names().join(","), key.created_at.to_string());
    row([&id, user, &scopes, &created, &expires, &key.hint, &key.name])
}

fn row([id, user, scopes, created, expires, hint, name]: [&str; 7]) -> String {
    format!("{id:<6}{user:<16}{scopes:<24}{created:<21}{expires:<21}{hint:<10}{name}")
}

async fn replace(storage: &dyn Storage, settings: &Settings, now: Timestamp) -> anyhow::Result<()> {
    let Some(key) = &settings.api_key else { bail!("set --api-key (TOOLGATE_API_KEY) to the new key") };
    storage.set_bootstrap_key(&Actor::service(now), toolgate_auth::digest_key(key.expose_secret())).await?;
    print("the first administrator's key is the value of --api-key (TOOLGATE_API_KEY); earlier ones are revoked")
}

async fn revoke(storage: &dyn Storage, id: ApiKeyId, now: Timestamp) -> anyhow::Result<()> {
    let key = storage.delete_api_key(&Actor::service(now), Visibility::All, id).await?;
    print(format_args!("revoked key {id} ({})", key.name))
}
