//! All routes: the management API, the MCP endpoints, health checks, the console, the demo, and errors for unknown
//! paths.

mod app;
mod body_deadline;
mod client_addresses;
mod console;
mod health;
mod metrics;
mod pages;
mod panic;
mod request_id;
mod request_log;
mod welcome;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use toolgate_domain::node::NodeIdentity;
use toolgate_domain::time::Timestamp;
use toolgate_issuer::{IssuerConfig, IssuerContext};
use toolgate_mcp::McpService;
use toolgate_rest::{RestConfig, RestDependencies};

use crate::exit::InvalidSettings;
use crate::node_state::NodeStateCell;
use crate::request_counters::RequestCounters;
use crate::settings::{OAuthRegistration, Settings};
use crate::{demo, reply};
pub(crate) use app::{App, RequestObservers};
use client_addresses::ClientAddresses;
use request_id::RequestIds;

/// Builds the whole application. `node` is set before the application handles a request.
pub(crate) fn build_app(
    settings: &Settings,
    bound: SocketAddr,
    mcp: Arc<McpService>,
    (rest_config, dependencies): (RestConfig, RestDependencies),
    issuer: &Arc<IssuerContext>,
    node: &NodeStateCell,
    observers: RequestObservers,
) -> anyhow::Result<App> {
    let metrics = match settings.metrics_listen {
        Some(_) => Router::new(),
        None => metrics::protected_routes(Arc::clone(node)),
    };
    let routes = health::routes(node)
        .merge(metrics)
        .merge(demo::routes(Arc::clone(&dependencies.demo), bound, settings.trusted_proxies())?)
        .merge(toolgate_issuer::router(issuer))
        .merge(pages::routes(&settings.effective_base_url(bound), &settings.api_path()))
        .method_not_allowed_fallback(async || reply::method_not_allowed());
    let rest = toolgate_rest::router(rest_config, dependencies);
    Ok(App::new(routes.merge(rest), Some(mcp), RequestIds::new()?, ClientAddresses::new(settings), observers))
}

/// Builds the application for the monitoring address: health checks, and metrics without a key. It responds before
/// `node` is set.
pub(crate) fn build_monitoring_app(node: NodeStateCell, requests: Arc<RequestCounters>) -> anyhow::Result<App> {
    let routes = health::routes(&node)
        .merge(metrics::open_routes(node))
        .method_not_allowed_fallback(async || reply::method_not_allowed())
        .fallback(async || reply::not_found());
    let observers = RequestObservers { counters: requests, tracer: None };
    Ok(App::new(routes, None, RequestIds::new()?, ClientAddresses::unrecorded(), observers))
}

/// The configuration of the built-in OAuth issuer.
pub(crate) fn issuer_config(settings: &Settings, bound: SocketAddr) -> anyhow::Result<IssuerConfig> {
    let issuer = settings.issuer(bound);
    Ok(IssuerConfig {
        openid: settings.openid(issuer.as_deref()).map_err(InvalidSettings)?,
        issuer,
        is_loopback: !settings.is_exposed(),
        is_registration_open: settings.oauth_registration == OAuthRegistration::Open,
        redirect_schemes: settings.oauth_redirect_schemes.clone(),
        trusted_proxies: settings.trusted_proxies(),
    })
}

/// The configuration of the management API on this node.
pub(crate) fn rest_config(
    settings: &Settings,
    bound: SocketAddr,
    node: NodeIdentity,
    started_at: Timestamp,
) -> RestConfig {
    RestConfig {
        prefix: settings.rest_prefix.clone(),
        namespace: settings.rest_namespace.clone(),
        base_url: settings.effective_base_url(bound),
        trusted_proxies: settings.trusted_proxies(),
        is_exposed: settings.is_exposed(),
        cors_origins: settings.cors_origins.clone(),
        egress: settings.egress_rule(),
        redirect_schemes: settings.oauth_redirect_schemes.clone(),
        openid_issuer: settings.oidc_issuer.clone(),
        retention_days: settings.retention_days,
        version: env!("CARGO_PKG_VERSION"),
        node,
        started_at,
    }
}

#[cfg(test)]
mod tests;
