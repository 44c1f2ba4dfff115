//! The demo: a book shop inside the service, and the server whose tools call it. It is off until somebody asks for it,
//! with `--demo` or over the management API; what was asked for is remembered in the data folder.
//!
//! Its API is on the service's own listener, so that there is no second port to remember, to free or to protect.

mod api;
mod marker;
mod shop;

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use toolgate_domain::audit::Actor;
use toolgate_domain::server::Server;
use toolgate_domain::user::Role;
use toolgate_rest::Demo;
use toolgate_storage::Storage;

use crate::data_dir::DataDir;
use crate::settings::Settings;
pub(crate) use api::routes;
use marker::MarkerFile;

const DOCUMENT: &str = include_str!("demo/server.json");

/// The demo of a service that listens on `bound`.
pub(crate) fn open(settings: &Settings, bound: SocketAddr) -> anyhow::Result<Arc<Demo>> {
    let origin = format!("http://{}", Settings::local_address(bound));
    let document =
        serde_json::from_str(&DOCUMENT.replace("{origin}", &origin)).context("the demo's own description")?;
    let marker = MarkerFile::open(DataDir::new(&settings.data_dir).demo())?;
    Ok(Arc::new(Demo::new(origin, document, Box::new(marker))))
}

/// Adds the demo where the settings ask for it, else goes on with the one that there is. Returns the server that was
/// asked for.
pub(crate) async fn start(
    demo: &Demo,
    settings: &Settings,
    storage: &dyn Storage,
    actor: &Actor,
) -> anyhow::Result<Option<Server>> {
    demo.resume(storage, actor).await?;
    if !settings.demo {
        return Ok(None);
    }
    let users = storage.list_users(None).await?.items;
    let owner = users.iter().find(|user| user.role == Role::Admin).context("there is no administrator")?;
    let added = demo.add(storage, &settings.egress(), actor, owner.id).await;
    Ok(Some(added.map_err(|error| anyhow!("cannot add the demo (--demo, TOOLGATE_DEMO): {error}"))?.server))
}

#[cfg(test)]
mod tests;
