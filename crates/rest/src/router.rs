//! The axum router of the API.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::any;

use crate::concurrency_limit::ConcurrencyLimit;
use crate::config::RestConfig;
use crate::context::{ApiContext, LazyDocument, RestDependencies};
use crate::dispatch::Dispatcher;
use crate::key_changes::KeyChanges;
use crate::openapi;
use crate::routes;

/// Concurrent live streams, in total and per user.
const STREAMS_MAX: (usize, usize) = (256, 32);
/// Concurrent exports of the call log, in total and per user: each reads from the database until it ends.
const EXPORTS_MAX: (usize, usize) = (4, 2);
/// Concurrent imports of documents, in total and per user: each can take seconds of CPU time and much memory.
const IMPORTS_MAX: (usize, usize) = (2, 1);

/// The router of everything below `/{prefix}`.
pub fn router(config: RestConfig, services: RestDependencies) -> Router {
    let routes = routes::all();
    let openapi = lazy_openapi(config.clone());
    let base = format!("/{}", config.prefix);
    let [stream_limit, export_limit, import_limit] =
        [STREAMS_MAX, EXPORTS_MAX, IMPORTS_MAX].map(|(total, per_user)| ConcurrencyLimit::new(total, per_user));
    let key_changes = Arc::new(KeyChanges::new());
    services.storage.listen(Arc::<KeyChanges>::clone(&key_changes));
    let context =
        Arc::new(ApiContext { config, services, key_changes, stream_limit, export_limit, import_limit, openapi });
    Router::new()
        .route(&base, any(serve))
        .route(&format!("{base}/"), any(serve))
        .route(&format!("{base}/{{*path}}"), any(serve))
        .with_state(Arc::new(Dispatcher { context, routes }))
}

fn lazy_openapi(config: RestConfig) -> LazyDocument {
    let document = move || toolgate_domain::json::raw(openapi::document(&config, &routes::all()).to_string());
    LazyLock::new(Box::new(document))
}

async fn serve(State(dispatcher): State<Arc<Dispatcher>>, request: Request) -> Response {
    dispatcher.serve(request).await
}
