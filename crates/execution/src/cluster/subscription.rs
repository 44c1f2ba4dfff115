//! The subscription of a node to the channels of Redis on which nodes send each other events about sessions and
//! notifications of changes.

use std::time::Duration;

use futures_util::StreamExt as _;
use redis::aio::PubSub;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::ClusterState;
use super::reconnect::RECONNECT_DELAY;
use super::redis_connection::{RedisFailure, run_within};
use super::session_events::SessionEvent;

/// A subscription without a message for this long is checked with a ping: a network can drop a connection silently.
const PING_INTERVAL: Duration = Duration::from_secs(1);
const PING_TIMEOUT: Duration = Duration::from_secs(1);
/// The number of failures in succession, while commands succeed, that is reported. The first ones may belong to an outage
/// of Redis that the connection for commands has not noticed yet.
const REPORTED_FAILURES: u32 = 4;

impl ClusterState {
    /// Sends the events of other nodes about sessions to `events`, and notifications of changes to the receiver of
    /// [`ClusterState::set_change_receiver`], for as long as the receiver of the events exists.
    pub async fn run_subscription(&self, events: &mpsc::Sender<SessionEvent>) {
        // Failures in succession while commands succeed.
        let mut failures = 0_u32;
        while !events.is_closed() {
            match self.client.subscribe(&[&self.session_channel(), &self.change_channel()]).await {
                Ok(pubsub) => {
                    failures = 0;
                    if let Err(failure) = self.receive_messages(pubsub, events).await {
                        tracing::debug!(reason = failure.kind, "the connection for messages of other nodes failed");
                    }
                }
                Err(error) => {
                    failures = if self.is_connected() { failures.saturating_add(1) } else { 0 };
                    report_failure(failures, &error.into());
                }
            }
            let _ = events.send(SessionEvent::Unsubscribed).await;
            sleep(RECONNECT_DELAY).await;
        }
    }

    /// Returns when the connection is closed or the receiver is gone.
    async fn receive_messages(&self, pubsub: PubSub, events: &mpsc::Sender<SessionEvent>) -> Result<(), RedisFailure> {
        let changes = self.change_channel();
        let (mut sink, mut messages) = pubsub.split();
        let mut event = Some(SessionEvent::Subscribed);
        loop {
            if let Some(event) = event.take()
                && events.send(event).await.is_err()
            {
                return Ok(());
            }
            match timeout(PING_INTERVAL, messages.next()).await {
                Ok(Some(message)) if message.get_channel_name() == changes => {
                    self.receive_changes(message.get_payload_bytes());
                }
                Ok(Some(message)) => event = self.decode_message(message.get_payload_bytes()),
                Ok(None) => return Ok(()),
                Err(_) => run_within(PING_TIMEOUT, sink.ping::<redis::Value>()).await.map(drop)?,
            }
        }
    }

    /// Sends a message to all nodes. Returns how many received it from the same Redis server; `None` if Redis is
    /// unavailable.
    pub(super) async fn publish(&self, channel: &str, message: &[u8]) -> Option<u64> {
        let publish = |mut connection| async move {
            redis::cmd("PUBLISH").arg(channel).arg(message).query_async::<u64>(&mut connection).await
        };
        self.connection.query(publish).await
    }
}

/// Warns once if Redis accepts commands but no subscription.
fn report_failure(failures: u32, failure: &RedisFailure) {
    if failures == REPORTED_FAILURES {
        tracing::warn!(
            reason = failure.kind,
            "messages of other nodes cannot be received through Redis: check that its user may subscribe to the \
             channels toolgate:*"
        );
    }
    tracing::debug!(reason = failure.kind, "messages of other nodes cannot be received; retrying");
}
