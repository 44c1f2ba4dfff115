//! The event stream of a session on this node.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::state::SessionState;

/// An open event stream of a session. Dropping it records that the stream is closed.
#[derive(Debug)]
pub(crate) struct SessionStream {
    state: Arc<SessionState>,
    number: u64,
    ended: CancellationToken,
}

impl SessionStream {
    /// `None` if the session has ended. See [`SessionState::open_stream`].
    pub(super) fn open(state: &Arc<SessionState>, number: Option<u64>) -> Option<Self> {
        let (number, ended) = state.open_stream(number)?;
        Some(Self { state: Arc::clone(state), number, ended })
    }

    /// Cancelled when the stream must end.
    pub(crate) fn ended(&self) -> CancellationToken {
        self.ended.clone()
    }

    /// The URIs of the resources that the session is subscribed to.
    pub(crate) fn resource_subscriptions(&self) -> Vec<String> {
        self.state.resource_subscriptions()
    }
}

impl Drop for SessionStream {
    fn drop(&mut self) {
        self.state.remove_stream(self.number);
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::session::SessionIdentity;
    use toolgate_domain::time::Timestamp;

    use super::*;

    fn state() -> Arc<SessionState> {
        Arc::new(SessionState::new(SessionIdentity { nonce: [1; 12], expires_at: Timestamp::from_millis(1) }, 1))
    }

    fn open(state: &Arc<SessionState>, number: Option<u64>) -> SessionStream {
        SessionStream::open(state, number).unwrap()
    }

    #[test]
    fn a_session_has_no_stream_after_its_client_has_disconnected() {
        let state = state();
        let older = open(&state, None);
        let newer = open(&state, None);
        assert!(older.ended.is_cancelled() && !newer.ended.is_cancelled());
        drop(older);
        assert!(state.has_stream(), "the end of the older stream does not concern the newer one");
        drop(newer);
        assert!(!state.has_stream());
    }

    #[test]
    fn only_a_newer_stream_ends_a_stream_in_any_order_of_events() {
        let state = state();
        let stream = open(&state, Some(11));
        state.close_streams_before(10);
        assert!(!stream.ended.is_cancelled() && state.has_stream());
        state.close_streams_before(12);
        assert!(stream.ended.is_cancelled() && !state.has_stream());
        assert!(open(&state, Some(11)).ended.is_cancelled(), "a newer stream is known already");
        assert!(!open(&state, Some(12)).ended.is_cancelled());
        let without_cluster = open(&state, None);
        assert!(!without_cluster.ended.is_cancelled(), "it is the newest one that this node knows");
        state.close_streams_before(14);
        assert!(without_cluster.ended.is_cancelled());
    }

    #[test]
    fn an_ended_session_opens_no_stream() {
        let state = state();
        let stream = open(&state, None);
        state.end();
        assert!(stream.ended.is_cancelled());
        assert!(SessionStream::open(&state, None).is_none());
    }
}
