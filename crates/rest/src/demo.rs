//! The demo server, whose tools call a built-in API of this service. It is created from a JSON document with the
//! validation rules of the routes, and at most one exists.

use std::io;

use http::StatusCode;
use serde_json::Value;
use tokio::sync::Mutex;
use toolgate_domain::audit::Actor;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::ids::ServerId;
use toolgate_domain::server::Server;
use toolgate_domain::tool::{Tool, ToolPatch};
use toolgate_domain::user::Visibility;
use toolgate_execution::egress::EgressRule;
use toolgate_storage::{Storage, StorageError, ToolFilter};
use url::Url;

use crate::error::RestError;

/// The key in the server's settings that marks it as the demo.
const DEMO_SETTING: &str = "demo";
/// The path prefix of the demo API.
const PATH_PREFIX: &str = "/demo/";

/// Persists which server is the demo.
pub trait DemoMarker: Send + Sync {
    /// The stored server id.
    fn read(&self) -> Option<ServerId>;
    /// Stores the server id, or removes it.
    fn write(&self, server: Option<ServerId>) -> io::Result<()>;
}

/// The demo of this service.
pub struct Demo {
    /// Origin of the demo API for the tools of this service: `http://127.0.0.1:8080`.
    origin: String,
    /// The server, with its tools, prompts and resources.
    pub(crate) document: Value,
    pub(crate) marker: Box<dyn DemoMarker>,
    /// Held while the demo is added, so that concurrent requests add it once.
    pub(crate) add_lock: Mutex<()>,
}

/// The demo server, and whether it was just created.
pub struct DemoServer {
    /// The server.
    pub server: Server,
    /// Whether this request created it.
    pub is_new: bool,
}

impl Demo {
    /// A demo whose API is at `origin` and whose server is described by `document`.
    pub fn new(origin: String, document: Value, marker: Box<dyn DemoMarker>) -> Self {
        Self { origin, document, marker, add_lock: Mutex::default() }
    }

    /// Whether the demo API is enabled.
    pub fn is_enabled(&self) -> bool {
        self.marker.read().is_some()
    }

    /// The server, if it was added and still exists.
    pub async fn server(&self, storage: &dyn Storage) -> Result<Option<Server>, StorageError> {
        let Some(id) = self.marker.read() else { return Ok(None) };
        match storage.server(Visibility::All, id).await {
            Ok(server) => Ok(Some(server).filter(is_marked)),
            Err(StorageError::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Runs at startup: removes the marker if the demo server was deleted; otherwise points the tools of the demo
    /// server to the current port.
    pub async fn resume(&self, storage: &dyn Storage, actor: &Actor) -> Result<(), RestError> {
        let Some(server) = self.server(storage).await? else {
            let removed = if self.is_enabled() { self.marker.write(None) } else { Ok(()) };
            return removed.map_err(|error| RestError::internal(&error));
        };
        let tools = storage.list_tools(Visibility::All, server.id, &ToolFilter::default(), None).await?;
        for tool in &tools.items {
            if let Some(url) = self.relocated_url(tool) {
                let patch = ToolPatch { endpoint_url: Some(url), ..ToolPatch::default() };
                storage.update_tool(actor, Visibility::All, tool.id, patch).await?;
            }
        }
        Ok(())
    }

    /// The current URL of a tool that still calls the demo API at the port of an earlier start.
    fn relocated_url(&self, tool: &Tool) -> Option<EndpointUrl> {
        let url = tool.spec.endpoint_url.as_str();
        let (origin, path) = url.split_once(PATH_PREFIX)?;
        let is_local = ["http://127.0.0.1:", "http://[::1]:"].iter().any(|local| origin.starts_with(local));
        let current = format!("{}{PATH_PREFIX}{path}", self.origin);
        (is_local && current != url).then(|| EndpointUrl::parse("endpoint_url", &current).ok())?
    }

    /// Fails if the egress rule blocks the demo API: the tools of the demo could not call it.
    pub(crate) fn check_destination(&self, egress: &EgressRule) -> Result<(), RestError> {
        let origin = &self.origin;
        let url = Url::parse(origin).map_err(|error| RestError::internal(&error))?;
        egress.check_url(&url).map_err(|blocked| {
            let address = origin.trim_start_matches("http://");
            let message = format!(
                "The demo calls this service at {origin}, which the egress rule blocks: {blocked}. \
                 Ask the operator to add {address} to TOOLGATE_UPSTREAM_ALLOW."
            );
            RestError::new(StatusCode::CONFLICT, "rest_demo_blocked", message)
        })
    }
}

/// After a backup is restored, another server can have the stored id, so the settings are checked, too.
fn is_marked(server: &Server) -> bool {
    server.spec.settings.as_ref().is_some_and(|settings| settings.to_value()[DEMO_SETTING] == true)
}
