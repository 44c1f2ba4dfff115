//! Notifications of changes, which nodes send each other through a channel of Redis. The database delivers the same
//! notifications reliably; this channel is for the time in which a node does not know yet that its connection to the
//! database was lost. So a notification may be lost here, and a change never waits for Redis. Notifications are
//! encrypted, so that only a node can send them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{Mutex, mpsc};

use super::ClusterState;

/// Maximum number of notifications that wait for Redis. Further ones are not sent.
const QUEUED_MAX: usize = 4096;
/// Maximum number of notifications in one message.
const BATCH_MAX: usize = 128;
/// Maximum size of a received message. Sent messages are smaller: a notification has at most 200 bytes.
const MESSAGE_BYTES_MAX: usize = 32 * 1024;

type ChangeReceiver = Box<dyn Fn(&str) + Send + Sync>;

/// The notifications of this node that wait for Redis, and the receiver of those of other nodes.
pub(super) struct ChangeChannel {
    queue: mpsc::Sender<String>,
    /// Locked by the task that sends them.
    queued: Mutex<mpsc::Receiver<String>>,
    unsent: AtomicU64,
    receiver: OnceLock<ChangeReceiver>,
}

impl ChangeChannel {
    pub(super) fn new() -> Self {
        let (queue, queued) = mpsc::channel(QUEUED_MAX);
        Self { queue, queued: Mutex::new(queued), unsent: AtomicU64::new(0), receiver: OnceLock::new() }
    }

    pub(super) fn unsent(&self) -> u64 {
        self.unsent.load(Ordering::Relaxed)
    }

    fn count_unsent(&self, notifications: usize) {
        self.unsent.fetch_add(notifications as u64, Ordering::Relaxed);
    }
}

impl ClusterState {
    /// Sets the receiver of the notifications of all nodes, including this one. Only the first call has an effect.
    pub fn set_change_receiver(&self, receiver: impl Fn(&str) + Send + Sync + 'static) {
        let _ = self.changes.receiver.set(Box::new(receiver));
    }

    /// Sends a notification to all nodes, without waiting for Redis.
    pub fn announce_change(&self, notification: String) {
        if self.changes.queue.try_send(notification).is_err() {
            self.changes.count_unsent(1);
        }
    }

    /// Sends the notifications of [`ClusterState::announce_change`]. Runs for as long as the service does.
    pub async fn run_announcements(&self) -> std::convert::Infallible {
        let mut queued = self.changes.queued.lock().await;
        let mut batch = Vec::with_capacity(BATCH_MAX);
        loop {
            // The queue is never closed: its sender is next to its receiver.
            queued.recv_many(&mut batch, BATCH_MAX).await;
            if self.publish_changes(&batch).await.is_none() {
                self.changes.count_unsent(batch.len());
            }
            batch.clear();
        }
    }

    /// `None` if Redis is unavailable.
    async fn publish_changes(&self, notifications: &[String]) -> Option<u64> {
        if !self.connection.is_connected() {
            return None;
        }
        let channel = self.change_channel();
        let message = self.keys.encrypt(&channel, notifications.join("\n").as_bytes())?;
        self.publish(&channel, &message).await
    }

    pub(super) fn change_channel(&self) -> String {
        self.keys.plain_key(format_args!("changes"))
    }

    /// Passes the notifications in a message to the receiver. Messages that cannot be decrypted are ignored.
    pub(super) fn receive_changes(&self, encrypted: &[u8]) {
        let Some(receiver) = self.changes.receiver.get() else { return };
        if encrypted.len() > MESSAGE_BYTES_MAX {
            return;
        }
        let plain = self.keys.decrypt(&self.change_channel(), encrypted);
        if let Some(text) = plain.and_then(|plain| String::from_utf8(plain).ok()) {
            text.split('\n').take(BATCH_MAX).for_each(receiver);
        }
    }
}
