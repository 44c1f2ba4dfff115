//! The axum router of the API.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::any;
use tokio_util::sync::CancellationToken;
use toolgate_analytics::Recorder;
use toolgate_domain::time::Clock;
use toolgate_execution::Executor;
use toolgate_storage::Storage;

use crate::concurrency_limit::ConcurrencyLimit;
use crate::config::RestConfig;
use crate::context::{ApiContext, LazyDocument};
use crate::demo::Demo;
use crate::dispatch::Dispatcher;
use crate::key_changes::KeyChanges;
use crate::openapi;
use crate::routes;

/// Concurrent live streams, in total and per user.
const STREAMS_MAX: (usize, usize) = (256, 32);
/// Concurrent exports of the call log, in total and per user: each reads from the database until it ends.
const EXPORTS_MAX: (usize, usize) = (4, 2);

/// The services that the API uses.
pub struct RestDependencies {
    /// Stores the objects.
    pub storage: Arc<dyn Storage>,
    /// Runs tool tests.
    pub executor: Arc<Executor>,
    /// Records calls.
    pub recorder: Arc<Recorder>,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// The demo server.
    pub demo: Arc<Demo>,
    /// Cancelled when the service stops; open streams then end.
    pub stopping: CancellationToken,
}

/// The router of everything below `/{prefix}`.
pub fn router(config: RestConfig, dependencies: RestDependencies) -> Router {
    let routes = routes::all();
    let openapi = lazy_openapi(config.clone());
    let base = format!("/{}", config.prefix);
    let RestDependencies { storage, executor, recorder, clock, demo, stopping } = dependencies;
    let [stream_limit, export_limit] =
        [STREAMS_MAX, EXPORTS_MAX].map(|(total, per_user)| ConcurrencyLimit::new(total, per_user));
    let key_changes = Arc::new(KeyChanges::new());
    storage.listen(Arc::<KeyChanges>::clone(&key_changes));
    let context = Arc::new(ApiContext {
        config,
        storage,
        executor,
        recorder,
        clock,
        stopping,
        key_changes,
        demo,
        stream_limit,
        export_limit,
        openapi,
    });
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
