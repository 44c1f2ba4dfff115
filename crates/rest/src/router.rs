//! The axum router that leads into the API.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::any;
use domain::time::Clock;
use execution::Executor;
use storage::Storage;

use crate::config::Config;
use crate::context::Context;
use crate::dispatch::Dispatcher;
use crate::openapi;
use crate::routes;

/// The router of everything below `/{prefix}`.
pub fn router(config: Config, storage: Arc<dyn Storage>, executor: Arc<Executor>, clock: Arc<dyn Clock>) -> Router {
    let routes = routes::all();
    let openapi = domain::json::raw(openapi::document(&config, &routes).to_string());
    let base = format!("/{}", config.prefix);
    let context = Arc::new(Context { config, storage, executor, clock, openapi });
    Router::new()
        .route(&base, any(serve))
        .route(&format!("{base}/"), any(serve))
        .route(&format!("{base}/{{*path}}"), any(serve))
        .with_state(Arc::new(Dispatcher { context, routes }))
}

async fn serve(State(dispatcher): State<Arc<Dispatcher>>, request: Request) -> Response {
    dispatcher.serve(request).await
}
