//! What every request needs, whatever its route.

use std::sync::Arc;

use domain::time::Clock;
use execution::Executor;
use serde_json::value::RawValue;
use storage::Storage;

use crate::config::Config;

/// The service around a request.
pub(crate) struct Context {
    pub(crate) config: Config,
    pub(crate) storage: Arc<dyn Storage>,
    /// Test-runs tools.
    pub(crate) executor: Arc<Executor>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Printed once: it is the largest answer a stranger can ask for.
    pub(crate) openapi: Box<RawValue>,
}
