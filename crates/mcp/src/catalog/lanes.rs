//! Compilers wait in two lanes, so that a server with much to compile does not hold up those with little.

use std::sync::Arc;

use tokio::sync::Semaphore;
use toolgate_storage::PublishedServer;

use super::Published;

/// Schemas of this many bytes together are little.
const LITTLE: usize = 64 * 1024;

/// The two lanes.
pub(super) struct Lanes {
    little: Arc<Semaphore>,
    much: Arc<Semaphore>,
}

impl Default for Lanes {
    fn default() -> Self {
        Self { little: Arc::new(Semaphore::new(4)), much: Arc::new(Semaphore::new(2)) }
    }
}

impl Lanes {
    /// The lane of a server, by what of it is not compiled already.
    pub(super) fn of(&self, stored: &PublishedServer, last: Option<&Published>) -> Arc<Semaphore> {
        let is_new = |id, revision| last.is_none_or(|last| last.tools.compiled(id, revision).is_none());
        let new = stored.tools.iter().map(|(tool, _)| tool).filter(|tool| is_new(tool.id, tool.revision));
        let schemas = new.map(|tool| {
            let output = tool.spec.output_schema.as_ref().map_or(0, |schema| schema.as_str().len());
            tool.spec.input_schema.as_str().len() + output
        });
        Arc::clone(if schemas.sum::<usize>() <= LITTLE { &self.little } else { &self.much })
    }
}
