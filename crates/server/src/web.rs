//! All routes: the management API, the MCP endpoints, health checks, the console, the demo, and errors for unknown
//! paths.

mod app;
mod body_deadline;
mod console;
mod health;
mod pages;
mod panic;
mod request_id;
mod trace;
mod welcome;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use tokio_util::sync::CancellationToken;
use toolgate_analytics::Recorder;
use toolgate_domain::time::Clock;
use toolgate_execution::Executor;
use toolgate_mcp::McpService;
use toolgate_rest::Demo;
use toolgate_storage::Storage;

use crate::settings::Settings;
use crate::{demo, reply};
pub(crate) use app::App;
use health::Readiness;
use request_id::RequestIds;

/// The components of the application.
pub(crate) struct AppParts {
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) executor: Arc<Executor>,
    pub(crate) mcp: Arc<McpService>,
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) demo: Arc<Demo>,
    /// Once cancelled, the readiness check fails and streams end.
    pub(crate) stopping: CancellationToken,
}

/// Builds the whole application.
pub(crate) fn build_app(settings: &Settings, bound: SocketAddr, parts: AppParts) -> anyhow::Result<App> {
    let readiness = Readiness { storage: Arc::clone(&parts.storage), stopping: parts.stopping.clone() };
    let routes = Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz).with_state(readiness))
        .merge(demo::routes(Arc::clone(&parts.demo), bound)?)
        .merge(pages::routes(&settings.effective_base_url(bound), &settings.api_path()))
        .method_not_allowed_fallback(async || reply::method_not_allowed());
    let rest_dependencies = toolgate_rest::RestDependencies {
        storage: parts.storage,
        executor: parts.executor,
        recorder: parts.recorder,
        clock: parts.clock,
        demo: parts.demo,
        stopping: parts.stopping,
    };
    let rest = toolgate_rest::router(rest_config(settings, bound), rest_dependencies);
    Ok(App::new(routes.merge(rest), parts.mcp, RequestIds::new()?))
}

fn rest_config(settings: &Settings, bound: SocketAddr) -> toolgate_rest::RestConfig {
    toolgate_rest::RestConfig {
        prefix: settings.rest_prefix.clone(),
        namespace: settings.rest_namespace.clone(),
        base_url: settings.effective_base_url(bound),
        trusted_proxies: settings.trusted_proxies.clone(),
        cors_origins: settings.cors_origins.clone(),
        egress: settings.egress_rule(),
        retention_days: settings.retention_days,
        version: env!("CARGO_PKG_VERSION"),
    }
}

#[cfg(test)]
mod tests;
