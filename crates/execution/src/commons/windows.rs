//! The limiter's windows, one for all nodes.

use std::time::Duration;

use toolgate_domain::ids::ServerId;

use super::Commons;
use crate::limiter::{RequestKind, RetryAfter};

/// The longest wait there is; a commons that speaks of more is not to be believed.
const WAIT_MAX_SECS: u64 = 61;

impl Commons {
    /// Counts one request, or says when to come again; `None` where it cannot be counted here. `limit` is not 0.
    pub(crate) async fn count(
        &self,
        server: ServerId,
        kind: RequestKind,
        limit: u32,
    ) -> Option<Result<(), RetryAfter>> {
        let kind = match kind {
            RequestKind::Call => "calls",
            RequestKind::Other => "others",
        };
        let name = self.keys.plain(format_args!("window:{}:{kind}", server.0));
        let count =
            |mut connection| async move { self.window.key(name).arg(limit).invoke_async::<u64>(&mut connection).await };
        match self.line.ask(count).await? {
            0 => Some(Ok(())),
            secs => Some(Err(RetryAfter(Duration::from_secs(secs.min(WAIT_MAX_SECS))))),
        }
    }
}
