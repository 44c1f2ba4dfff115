//! What every request needs, whatever its route.

use std::sync::Arc;

use serde_json::value::RawValue;
use tokio_util::sync::CancellationToken;
use toolgate_analytics::Recorder;
use toolgate_domain::time::Clock;
use toolgate_execution::Executor;
use toolgate_storage::Storage;

use crate::config::Config;
use crate::demo::Demo;
use crate::key_changes::KeyChanges;
use crate::room::Room;

/// The service around a request.
pub(crate) struct Context {
    pub(crate) config: Config,
    pub(crate) storage: Arc<dyn Storage>,
    /// Test-runs tools.
    pub(crate) executor: Arc<Executor>,
    /// Where calls are recorded, and told of as they end.
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Cancelled when the service is to stop: streams end then.
    pub(crate) stopping: CancellationToken,
    /// Tells replies that last to look at their key.
    pub(crate) key_changes: Arc<KeyChanges>,
    pub(crate) demo: Arc<Demo>,
    /// Room for streams.
    pub(crate) streams: Arc<Room>,
    /// Room for tables of the log, which may be long.
    pub(crate) exports: Arc<Room>,
    /// Printed once: it is the largest answer a stranger can ask for.
    pub(crate) openapi: Box<RawValue>,
}
