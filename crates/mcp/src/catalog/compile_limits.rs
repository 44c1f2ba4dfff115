//! Concurrency limits for compilation. Small and large servers have separate limits, so that large ones do not delay
//! small ones.

use std::sync::Arc;

use tokio::sync::Semaphore;
use toolgate_storage::PublishedServer;

use super::snapshot::ServerSnapshot;

/// A server is small if its new schemas have at most this many bytes in total.
const SMALL_SCHEMAS_MAX: usize = 64 * 1024;
/// The most small servers that are compiled at the same time.
const SMALL_COMPILATIONS_MAX: usize = 4;
/// The most large servers that are compiled at the same time.
const LARGE_COMPILATIONS_MAX: usize = 2;

/// The semaphores for small and large servers.
pub(super) struct CompileLimits {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

impl Default for CompileLimits {
    fn default() -> Self {
        Self {
            small: Arc::new(Semaphore::new(SMALL_COMPILATIONS_MAX)),
            large: Arc::new(Semaphore::new(LARGE_COMPILATIONS_MAX)),
        }
    }
}

impl CompileLimits {
    /// The semaphore for a server, by the size of the schemas that are not compiled yet.
    pub(super) fn semaphore(&self, stored: &PublishedServer, last: Option<&ServerSnapshot>) -> Arc<Semaphore> {
        let is_new = |id, revision| last.is_none_or(|last| last.tools.reusable(id, revision).is_none());
        let new_tools = stored.tools.iter().map(|(tool, _)| tool).filter(|tool| is_new(tool.id, tool.revision));
        let schema_sizes = new_tools.map(|tool| {
            let output_size = tool.spec.output_schema.as_ref().map_or(0, |schema| schema.as_str().len());
            tool.spec.input_schema.as_str().len() + output_size
        });
        Arc::clone(if schema_sizes.sum::<usize>() <= SMALL_SCHEMAS_MAX { &self.small } else { &self.large })
    }
}
