//! Services and state shared by all requests.

use std::sync::{Arc, LazyLock};

use serde_json::value::RawValue;
use tokio_util::sync::CancellationToken;
use toolgate_analytics::{AccessCounters, Recorder};
use toolgate_domain::time::Clock;
use toolgate_execution::Executor;
use toolgate_execution::issuers::IssuerClient;
use toolgate_storage::Storage;

use crate::concurrency_limit::ConcurrencyLimit;
use crate::config::RestConfig;
use crate::demo::Demo;
use crate::key_changes::KeyChanges;

/// The services that the API uses.
pub struct RestDependencies {
    /// Stores the objects.
    pub storage: Arc<dyn Storage>,
    /// Runs tool tests.
    pub executor: Arc<Executor>,
    /// Reads the metadata of other issuers.
    pub issuers: Arc<IssuerClient>,
    /// Records calls, and publishes them to live streams as they end.
    pub recorder: Arc<Recorder>,
    /// Counts accepted and refused requests to endpoints.
    pub access_counters: Arc<AccessCounters>,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// The demo server.
    pub demo: Arc<Demo>,
    /// Cancelled when the service stops; open streams then end.
    pub stopping: CancellationToken,
}

/// Services and state shared by all requests.
pub(crate) struct ApiContext {
    pub(crate) config: RestConfig,
    pub(crate) services: RestDependencies,
    /// Notifies long-lived replies of changed keys.
    pub(crate) key_changes: Arc<KeyChanges>,
    /// Limits open live streams, each of which holds a connection.
    pub(crate) stream_limit: Arc<ConcurrencyLimit>,
    /// Limits concurrent exports of the call log, which may take long.
    pub(crate) export_limit: Arc<ConcurrencyLimit>,
    /// Limits concurrent imports of documents.
    pub(crate) import_limit: Arc<ConcurrencyLimit>,
    /// Generated for its first request, because it would delay the start of the service, and then cached, because it is
    /// the largest reply available without authentication.
    pub(crate) openapi: LazyDocument,
}

/// A JSON document that is generated when it is first read.
pub(crate) type LazyDocument = LazyLock<Box<RawValue>, Box<dyn FnOnce() -> Box<RawValue> + Send>>;
