//! How long single calls are kept: the old ones are forgotten in small steps, with room for other writers between.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use toolgate_domain::time::{Clock, DAY_MS};
use toolgate_storage::{Calls, Result};

use crate::mover::Bell;

/// How often to look for old calls.
const EVERY: Duration = Duration::from_hours(1);
/// Between two steps.
const PAUSE: Duration = Duration::from_millis(5);

/// Forgets old calls, now and then, until it is told to close.
pub(crate) struct Retention {
    pub(crate) storage: Arc<dyn Calls>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) days: u32,
}

impl Retention {
    /// Runs until the bell says that all is closing.
    pub(crate) async fn run(self, bell: Arc<Bell>) {
        let forever = async {
            loop {
                if let Err(error) = self.sweep().await {
                    tracing::warn!(error = ?error, "old calls cannot be forgotten for now");
                }
                sleep(EVERY).await;
            }
        };
        tokio::select! {
            () = forever => {}
            () = bell.closing() => {}
        }
    }

    /// Forgets what is old, and makes room for the days to come.
    pub(crate) async fn sweep(&self) -> Result<()> {
        let now = self.clock.now();
        self.storage.prepare_days(now).await?;
        let moment = now.plus_millis(-i64::from(self.days).saturating_mul(DAY_MS));
        while self.storage.forget_calls_before(moment).await? {
            sleep(PAUSE).await;
        }
        Ok(())
    }
}
