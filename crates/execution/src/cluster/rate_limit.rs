//! Rate-limit windows that all nodes share.

use std::fmt::Display;
use std::time::Duration;

use super::ClusterState;

/// The longest possible wait; a longer one from Redis is wrong and is capped.
const WAIT_MAX_SECS: u64 = 61;

impl ClusterState {
    /// Counts one request of this kind in the window of `scope`, or returns after which time to retry; `None` if Redis is unavailable. `limit`
    /// must not be 0.
    pub(crate) async fn count_request(
        &self,
        scope: impl Display,
        kind: &'static str,
        limit: u32,
    ) -> Option<Result<(), Duration>> {
        let key = self.keys.plain_key(format_args!("window:{scope}:{kind}"));
        let count = |mut connection| async move {
            self.window_script.key(key).arg(limit).invoke_async::<u64>(&mut connection).await
        };
        match self.connection.query(count).await? {
            0 => Some(Ok(())),
            secs => Some(Err(Duration::from_secs(secs.min(WAIT_MAX_SECS)))),
        }
    }

    /// Reverts the count of the newest request of this kind, if Redis is available.
    pub(crate) async fn uncount_request(&self, scope: impl Display, kind: &'static str) {
        let key = self.keys.plain_key(format_args!("window:{scope}:{kind}"));
        let uncount =
            |mut connection| async move { self.uncount_script.key(key).invoke_async::<u64>(&mut connection).await };
        let _ = self.connection.query(uncount).await;
    }
}
