//! Retention of call records: old ones are deleted in small steps, so that other writers can run in between.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use toolgate_domain::time::{Clock, DAY_MS};
use toolgate_storage::{CallStore, Result};

use crate::wake_signal::WakeSignal;

/// How often old calls are deleted.
const SWEEP_INTERVAL: Duration = Duration::from_hours(1);
/// Delay between two steps.
const STEP_DELAY: Duration = Duration::from_millis(5);

/// Deletes old calls periodically.
pub(crate) struct Retention {
    pub(crate) storage: Arc<dyn CallStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) days: u32,
}

impl Retention {
    /// Runs until closing is signalled.
    pub(crate) async fn run(self, wake_signal: Arc<WakeSignal>) {
        let sweeps = async {
            loop {
                if let Err(error) = self.sweep().await {
                    tracing::warn!(error = ?error, "cannot delete old calls; retrying");
                }
                sleep(SWEEP_INTERVAL).await;
            }
        };
        tokio::select! {
            () = sweeps => {}
            () = wake_signal.closing() => {}
        }
    }

    /// Deletes calls beyond the retention period, and creates the partitions of the coming days.
    pub(crate) async fn sweep(&self) -> Result<()> {
        let now = self.clock.now();
        self.storage.prepare_partitions(now).await?;
        let cutoff = now.plus_millis(-i64::from(self.days).saturating_mul(DAY_MS));
        while self.storage.delete_calls_before(cutoff).await? {
            sleep(STEP_DELAY).await;
        }
        Ok(())
    }
}
