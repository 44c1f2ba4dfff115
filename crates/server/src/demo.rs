//! The demo: a book shop API inside the service, and a server whose tools call it. The demo is off until it is enabled
//! with `--demo` or over the management API; a file in the data folder stores that it is enabled.
//!
//! The book shop API uses the listener of the service, so that there is no second port to configure or to protect.

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

const DEMO_DOCUMENT: &str = include_str!("demo/server.json");

/// Opens the demo of a service that listens on `bound`.
pub(crate) fn open(settings: &Settings, bound: SocketAddr) -> anyhow::Result<Arc<Demo>> {
    let origin = format!("http://{}", Settings::local_address(bound));
    let document = serde_json::from_str(&DEMO_DOCUMENT.replace("{origin}", &origin))
        .context("the built-in demo document is invalid")?;
    let marker = MarkerFile::open(DataDir::new(&settings.data_dir).demo_marker_file())?;
    Ok(Arc::new(Demo::new(origin, document, Box::new(marker))))
}

/// Resumes an existing demo. If the settings enable the demo, adds it unless it exists, and returns its server.
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
    let added = demo.add(storage, &settings.egress_rule(), actor, owner.id).await;
    Ok(Some(added.map_err(|error| anyhow!("cannot add the demo (--demo, TOOLGATE_DEMO): {error}"))?.server))
}

#[cfg(test)]
mod tests;
