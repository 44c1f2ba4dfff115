//! The axum router that leads into the API.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::any;
use tokio_util::sync::CancellationToken;
use toolgate_analytics::Recorder;
use toolgate_domain::time::Clock;
use toolgate_execution::Executor;
use toolgate_storage::Storage;

use crate::config::Config;
use crate::context::Context;
use crate::demo::Demo;
use crate::dispatch::Dispatcher;
use crate::key_changes::KeyChanges;
use crate::openapi;
use crate::room::Room;
use crate::routes;

/// Streams that may be open at once: of all, and of one user.
const STREAMS_MAX: (usize, usize) = (256, 32);
/// Tables of the log that may be read at once: each keeps the database busy.
const EXPORTS_MAX: (usize, usize) = (4, 2);

/// What the API is made of.
pub struct Parts {
    /// Where objects are kept.
    pub storage: Arc<dyn Storage>,
    /// Test-runs tools.
    pub executor: Arc<Executor>,
    /// Where calls are recorded.
    pub recorder: Arc<Recorder>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// A server to try things with.
    pub demo: Arc<Demo>,
    /// Cancelled when the service is to stop: streams end then.
    pub stopping: CancellationToken,
}

/// The router of everything below `/{prefix}`.
pub fn router(config: Config, parts: Parts) -> Router {
    let routes = routes::all();
    let openapi = toolgate_domain::json::raw(openapi::document(&config, &routes).to_string());
    let base = format!("/{}", config.prefix);
    let Parts { storage, executor, recorder, clock, demo, stopping } = parts;
    let [streams, exports] = [STREAMS_MAX, EXPORTS_MAX].map(|(all, of_one)| Room::new(all, of_one));
    let key_changes = Arc::new(KeyChanges::new());
    storage.listen(Arc::<KeyChanges>::clone(&key_changes));
    let context = Arc::new(Context {
        config,
        storage,
        executor,
        recorder,
        clock,
        stopping,
        key_changes,
        demo,
        streams,
        exports,
        openapi,
    });
    Router::new()
        .route(&base, any(serve))
        .route(&format!("{base}/"), any(serve))
        .route(&format!("{base}/{{*path}}"), any(serve))
        .with_state(Arc::new(Dispatcher { context, routes }))
}

async fn serve(State(dispatcher): State<Arc<Dispatcher>>, request: Request) -> Response {
    dispatcher.serve(request).await
}
