//! The API as a whole: its configuration, its routes, and the axum router that leads into it.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::any;
use domain::time::Clock;
use execution::egress::EgressRule;
use ipnet::IpNet;
use serde_json::value::RawValue;
use storage::Storage;

use crate::base_url::BaseUrl;
use crate::dispatch;
use crate::openapi;
use crate::route::Route;
use crate::routes;

/// What the operator decides about the API.
#[derive(Clone, Debug)]
pub struct Config {
    /// First segment of the address, `wp-json` by default.
    pub prefix: String,
    /// Second segment, `toolgate` by default; `v1` follows.
    pub namespace: String,
    /// The public address of the service.
    pub base_url: BaseUrl,
    /// Whose forwarding headers count.
    pub trusted_proxies: Vec<IpNet>,
    /// Origins of web pages that may call the API.
    pub cors_origins: Vec<String>,
    /// What tools may reach beside public addresses.
    pub egress: EgressRule,
    /// How long raw calls are kept.
    pub retention_days: u32,
    /// Version of the service.
    pub version: &'static str,
}

impl Config {
    /// `toolgate/v1`.
    pub(crate) fn namespace(&self) -> String {
        format!("{}/v1", self.namespace)
    }

    /// `/wp-json/toolgate/v1`, to which every path of a route is relative.
    pub(crate) fn root(&self) -> String {
        format!("/{}/{}", self.prefix, self.namespace())
    }
}

/// Everything a request needs.
pub(crate) struct Api {
    pub(crate) config: Config,
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) routes: Vec<Route>,
    /// Printed once: it is the largest answer a stranger can ask for.
    pub(crate) openapi: Box<RawValue>,
}

/// The router of everything below `/{prefix}`.
pub fn router(config: Config, storage: Arc<dyn Storage>, clock: Arc<dyn Clock>) -> Router {
    let routes = routes::all();
    let openapi = domain::json::raw(openapi::document(&config, &routes).to_string());
    let base = format!("/{}", config.prefix);
    let api = Arc::new(Api { config, storage, clock, routes, openapi });
    Router::new()
        .route(&base, any(serve))
        .route(&format!("{base}/"), any(serve))
        .route(&format!("{base}/{{*path}}"), any(serve))
        .with_state(api)
}

async fn serve(State(api): State<Arc<Api>>, request: Request) -> Response {
    dispatch::serve(api, request).await
}
