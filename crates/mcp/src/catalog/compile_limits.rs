//! Concurrency limits for compilation. Small and large servers have separate limits, so that large ones do not delay
//! small ones.

use std::sync::Arc;

use tokio::sync::Semaphore;
use toolgate_storage::PublishedServer;

use super::ServerSnapshot;

/// A server is small if its new schemas have at most this many bytes in total.
const SMALL_SCHEMAS_MAX: usize = 64 * 1024;

/// The semaphores for small and large servers.
pub(super) struct CompileLimits {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

impl Default for CompileLimits {
    fn default() -> Self {
        Self { small: Arc::new(Semaphore::new(4)), large: Arc::new(Semaphore::new(2)) }
    }
}

impl CompileLimits {
    /// The semaphore for a server, by the size of the schemas that are not compiled yet.
    pub(super) fn semaphore(&self, stored: &PublishedServer, last: Option<&ServerSnapshot>) -> Arc<Semaphore> {
        let is_new = |id, revision| last.is_none_or(|last| last.tools.compiled(id, revision).is_none());
        let new = stored.tools.iter().map(|(tool, _)| tool).filter(|tool| is_new(tool.id, tool.revision));
        let schemas = new.map(|tool| {
            let output = tool.spec.output_schema.as_ref().map_or(0, |schema| schema.as_str().len());
            tool.spec.input_schema.as_str().len() + output
        });
        Arc::clone(if schemas.sum::<usize>() <= SMALL_SCHEMAS_MAX { &self.small } else { &self.large })
    }
}
