//! Rate-limit windows that all nodes share.

use std::fmt::Display;
use std::time::Duration;

use super::ClusterState;

/// The longest possible wait: the window of a minute, rounded up. A longer one from Redis is wrong and is capped.
const WAIT_MAX: Duration = Duration::from_secs(61);

/// The request of a node for slots of a window that all nodes share, with a report on its lease.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SlotRequest {
    pub(crate) limit: u32,
    /// Requests to count now.
    pub(crate) wanted: u32,
    /// Slots to lease for later requests.
    pub(crate) ahead: u32,
    /// The number of the lease's account; a node uses a new one after each failure. `None` for a request that has no
    /// lease and wants none.
    pub(crate) account: Option<u64>,
    /// Leased slots that have been used since the last report.
    pub(crate) used: u32,
    /// Leased slots that the node gives back.
    pub(crate) returned: u32,
}

/// The reply to a [`SlotRequest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotReply {
    /// How many of the wanted requests are admitted.
    pub(crate) admitted: u32,
    /// Newly leased slots.
    pub(crate) leased: u32,
    /// The slots that the account held after the report, without the newly leased ones.
    pub(crate) held: u32,
    /// The time until there are free slots again; zero if all requested slots were granted.
    pub(crate) wait: Duration,
}

impl SlotReply {
    /// Caps the numbers, because a faulty Redis could grant more than was requested.
    fn new((admitted, leased, held, wait_ms): (u32, u32, u32, u64), request: &SlotRequest) -> Self {
        Self {
            admitted: admitted.min(request.wanted),
            leased: leased.min(request.ahead),
            held,
            wait: Duration::from_millis(wait_ms).min(WAIT_MAX),
        }
    }
}

impl ClusterState {
    /// Counts one request of this kind in the window of `scope`; the error is the time after which to retry. `None` if
    /// Redis is unavailable. `limit` must not be 0.
    pub(crate) async fn count_request(
        &self,
        scope: impl Display,
        kind: &'static str,
        limit: u32,
    ) -> Option<Result<(), Duration>> {
        let reply = self.request_slots(scope, kind, SlotRequest { limit, wanted: 1, ..SlotRequest::default() }).await?;
        Some(if reply.admitted > 0 { Ok(()) } else { Err(reply.wait) })
    }

    /// Counts requests, renews a lease or gives it back; `None` if Redis is unavailable.
    pub(crate) async fn request_slots(
        &self,
        scope: impl Display,
        kind: &'static str,
        request: SlotRequest,
    ) -> Option<SlotReply> {
        let window = self.keys.plain_key(format_args!("window:{scope}:{kind}"));
        let leases = self.keys.leases_key(&window);
        let account = request.account.map(|account| format!("{}:{account}", self.node_id)).unwrap_or_default();
        let ask = |mut connection| async move {
            let mut script = self.window_script.key(window);
            script.key(leases).arg(request.limit).arg(request.wanted).arg(request.ahead);
            script.arg(account).arg(request.used).arg(request.returned);
            script.invoke_async(&mut connection).await
        };
        self.connection.query(ask).await.map(|reply| SlotReply::new(reply, &request))
    }

    /// Reverts the count of the newest request of this kind, if Redis is available.
    pub(crate) async fn uncount_request(&self, scope: impl Display, kind: &'static str) {
        let key = self.keys.plain_key(format_args!("window:{scope}:{kind}"));
        let uncount =
            |mut connection| async move { self.uncount_script.key(key).invoke_async::<u64>(&mut connection).await };
        let _ = self.connection.query(uncount).await;
    }
}
