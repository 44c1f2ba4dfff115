//! Rate-limit windows that all nodes share.

use std::time::Duration;

use toolgate_domain::ids::ServerId;

use super::ClusterState;

/// The longest possible wait; a longer one from Redis is wrong and is capped.
const WAIT_MAX_SECS: u64 = 61;

impl ClusterState {
    /// Counts one request of this kind, or returns after which time to retry; `None` if Redis is unavailable. `limit`
    /// must not be 0.
    pub(crate) async fn count_request(
        &self,
        server: ServerId,
        kind: &'static str,
        limit: u32,
    ) -> Option<Result<(), Duration>> {
        let key = self.keys.plain_key(format_args!("window:{}:{kind}", server.0));
        let count = |mut connection| async move {
            self.window_script.key(key).arg(limit).invoke_async::<u64>(&mut connection).await
        };
        match self.connection.query(count).await? {
            0 => Some(Ok(())),
            secs => Some(Err(Duration::from_secs(secs.min(WAIT_MAX_SECS)))),
        }
    }
}
