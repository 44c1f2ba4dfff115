//! The demo: a server to try things with, over an API that the service has inside. It is made from a document, by the
//! rules of the routes that make servers, and there is one of it at most.

use std::fmt;
use std::io;

use http::StatusCode;
use serde_json::Value;
use tokio::sync::Mutex;
use toolgate_domain::audit::Actor;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::server::Server;
use toolgate_domain::tool::{Tool, ToolPatch};
use toolgate_domain::user::Visibility;
use toolgate_execution::egress::EgressRule;
use toolgate_storage::{Storage, StorageError};
use url::Url;

use crate::error::RestError;
use crate::routes::blueprint;

/// The key of the server's settings by which it is known.
const MARK: &str = "demo";
/// What every path of its API begins with.
const PATH: &str = "/demo/";

/// Which server is the demo, over restarts.
pub trait DemoMarker: Send + Sync {
    /// The server that was remembered.
    fn read(&self) -> Option<ServerId>;
    /// Remembers it, or forgets it.
    fn write(&self, server: Option<ServerId>) -> io::Result<()>;
}

/// The demo of a service.
pub struct Demo {
    /// Where its API is, as the tools of this service reach it: `http://127.0.0.1:8080`.
    origin: String,
    /// The server, with its tools, prompts and resources.
    document: Value,
    marker: Box<dyn DemoMarker>,
    /// Held while it is being added, so that it is added once.
    adding: Mutex<()>,
}

/// Why the demo could not be added.
pub struct DemoError(RestError);

/// The demo server, and whether it was just made.
pub struct Added {
    /// The server.
    pub server: Server,
    /// Whether it was not there before.
    pub is_new: bool,
}

impl Demo {
    /// The demo whose API is at `origin`, as `document` describes it.
    pub fn new(origin: String, document: Value, marker: Box<dyn DemoMarker>) -> Self {
        Self { origin, document, marker, adding: Mutex::default() }
    }

    /// Whether its API is to answer.
    pub fn is_on(&self) -> bool {
        self.marker.read().is_some()
    }

    /// The server, if it was added and is still there.
    pub async fn server(&self, storage: &dyn Storage) -> Result<Option<Server>, StorageError> {
        let Some(id) = self.marker.read() else { return Ok(None) };
        match storage.server(Visibility::All, id).await {
            Ok(server) => Ok(Some(server).filter(is_marked)),
            Err(StorageError::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sees to it that the demo is there; where it is not, it is made for `owner`.
    pub async fn add(
        &self,
        storage: &dyn Storage,
        egress: &EgressRule,
        actor: &Actor,
        owner: UserId,
    ) -> Result<Added, DemoError> {
        let _turn = self.adding.lock().await;
        self.check_way(egress)?;
        if let Some(server) = self.server(storage).await? {
            return Ok(Added { server, is_new: false });
        }
        let server = blueprint::create(storage, egress, actor, owner, &self.document).await?;
        self.marker.write(Some(server.id)).map_err(|error| RestError::internal(&error))?;
        Ok(Added { server, is_new: true })
    }

    /// After a start: forgets a server that is gone, and has the tools of one that is there call the port that the
    /// service has now.
    pub async fn resume(&self, storage: &dyn Storage, actor: &Actor) -> Result<(), DemoError> {
        let Some(server) = self.server(storage).await? else {
            let forgotten = if self.is_on() { self.marker.write(None) } else { Ok(()) };
            return Ok(forgotten.map_err(|error| RestError::internal(&error))?);
        };
        let tools = storage.list_tools(Visibility::All, server.id, None, None).await?;
        for tool in &tools.items {
            if let Some(url) = self.moved(tool) {
                let patch = ToolPatch { endpoint_url: Some(url), ..ToolPatch::default() };
                storage.update_tool(actor, Visibility::All, tool.id, patch).await?;
            }
        }
        Ok(())
    }

    /// Where a tool is to call, if it calls this API at a port of an earlier start.
    fn moved(&self, tool: &Tool) -> Option<EndpointUrl> {
        let url = tool.spec.endpoint_url.as_str();
        let (origin, path) = url.split_once(PATH)?;
        let was_ours = ["http://127.0.0.1:", "http://[::1]:"].iter().any(|ours| origin.starts_with(ours));
        let moved = format!("{}{PATH}{path}", self.origin);
        (was_ours && moved != url).then(|| EndpointUrl::parse("endpoint_url", &moved).ok())?
    }

    /// Tools obey the rule on destinations, also those of the demo.
    fn check_way(&self, egress: &EgressRule) -> Result<(), RestError> {
        let origin = &self.origin;
        let url = Url::parse(origin).map_err(|error| RestError::internal(&error))?;
        egress.check_url(&url).map_err(|blocked| {
            let address = origin.trim_start_matches("http://");
            let message = format!(
                "The demo calls this service itself, at {origin}, which tools may not: {blocked}. \
                 Have whoever runs this service add {address} to TOOLGATE_UPSTREAM_ALLOW."
            );
            RestError::new(StatusCode::CONFLICT, "rest_demo_blocked", message)
        })
    }
}

/// Another server can have its number, after a backup was restored.
fn is_marked(server: &Server) -> bool {
    server.spec.settings.as_ref().is_some_and(|settings| settings.to_value()[MARK] == true)
}

impl From<DemoError> for RestError {
    fn from(DemoError(error): DemoError) -> Self {
        error
    }
}

impl From<RestError> for DemoError {
    fn from(error: RestError) -> Self {
        Self(error)
    }
}

impl From<StorageError> for DemoError {
    fn from(error: StorageError) -> Self {
        Self(error.into())
    }
}

impl fmt::Display for DemoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.message())
    }
}

impl fmt::Debug for DemoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for DemoError {}
