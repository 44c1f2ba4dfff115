//! All routes: the management API, the MCP endpoints, health checks, the console, the demo, and errors for unknown
//! paths.

mod app;
mod body_deadline;
mod client_addresses;
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
use toolgate_mcp::McpService;
use toolgate_rest::{RestConfig, RestDependencies};

use crate::settings::Settings;
use crate::{demo, reply};
pub(crate) use app::App;
use client_addresses::ClientAddresses;
use health::Readiness;
use request_id::RequestIds;

/// Builds the whole application. Once `stopping` of the dependencies is cancelled, the readiness check fails.
pub(crate) fn build_app(
    settings: &Settings,
    bound: SocketAddr,
    mcp: Arc<McpService>,
    dependencies: RestDependencies,
) -> anyhow::Result<App> {
    let readiness = Readiness { storage: Arc::clone(&dependencies.storage), stopping: dependencies.stopping.clone() };
    let routes = Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz).with_state(readiness))
        .merge(demo::routes(Arc::clone(&dependencies.demo), bound, settings.trusted_proxies())?)
        .merge(pages::routes(&settings.effective_base_url(bound), &settings.api_path()))
        .method_not_allowed_fallback(async || reply::method_not_allowed());
    let rest = toolgate_rest::router(rest_config(settings, bound), dependencies);
    Ok(App::new(routes.merge(rest), mcp, RequestIds::new()?, ClientAddresses::new(settings)))
}

fn rest_config(settings: &Settings, bound: SocketAddr) -> RestConfig {
    RestConfig {
        prefix: settings.rest_prefix.clone(),
        namespace: settings.rest_namespace.clone(),
        base_url: settings.effective_base_url(bound),
        trusted_proxies: settings.trusted_proxies(),
        is_exposed: settings.is_exposed(),
        cors_origins: settings.cors_origins.clone(),
        egress: settings.egress_rule(),
        retention_days: settings.retention_days,
        version: env!("CARGO_PKG_VERSION"),
    }
}

#[cfg(test)]
mod tests;
