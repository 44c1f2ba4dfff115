//! The bounded queue between requests and the export thread: a slow or unavailable collector costs a limited amount of
//! memory, and never delays a request.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::otlp_values::ServiceIdentity;

/// A kind of exported data: traces or log records.
pub(super) trait ExportSignal: 'static {
    /// The queue item of one request or call.
    type Item: Send;
    /// Path of this signal at the collector.
    const PATH: &'static str;
    /// Maximum number of queued items.
    const QUEUE_MAX: usize;
    /// Maximum number of items in one export.
    const BATCH_MAX: usize;

    /// Number of spans or log records in an item.
    fn record_count(item: &Self::Item) -> u64;
    /// The message for the collector.
    fn encode(identity: &ServiceIdentity, items: Vec<Self::Item>) -> Vec<u8>;
    /// Number of spans or log records that the collector rejected, according to its response.
    fn rejected_count(response: &[u8]) -> u64;
}

/// The number of spans or log records since the start of the process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ExportStats {
    /// Accepted by the collector.
    pub(crate) exported: u64,
    /// Not queued, because the queue was full, or the request had too many spans.
    pub(crate) dropped: u64,
    /// Lost, because the collector was unavailable or refused them.
    pub(crate) failed: u64,
    /// Queued requests or calls.
    pub(crate) queued: u64,
}

#[derive(Default)]
pub(super) struct ExportCounters {
    pub(super) exported: AtomicU64,
    pub(super) dropped: AtomicU64,
    pub(super) failed: AtomicU64,
}

/// The sending side of the queue.
pub(super) struct ExportQueue<S: ExportSignal> {
    sender: Sender<S::Item>,
    wake: Arc<Notify>,
    counters: Arc<ExportCounters>,
}

/// The receiving side of the queue.
pub(super) struct QueuedItems<S: ExportSignal> {
    pub(super) receiver: Receiver<S::Item>,
    /// Notified when the queue is half full; otherwise the receiver polls the queue at an interval, so that not every
    /// request wakes its thread.
    pub(super) wake: Arc<Notify>,
    pub(super) counters: Arc<ExportCounters>,
}

impl<S: ExportSignal> ExportQueue<S> {
    pub(super) fn new() -> (Arc<Self>, QueuedItems<S>) {
        let (sender, receiver) = mpsc::channel(S::QUEUE_MAX);
        let (wake, counters) = (Arc::new(Notify::new()), Arc::new(ExportCounters::default()));
        let queue = Self { sender, wake: Arc::clone(&wake), counters: Arc::clone(&counters) };
        (Arc::new(queue), QueuedItems { receiver, wake, counters })
    }

    /// Queues an item. If there is no room, it is dropped and counted.
    pub(super) fn push(&self, item: S::Item) {
        let record_count = S::record_count(&item);
        if self.sender.try_send(item).is_err() {
            self.count_dropped(record_count);
        }
        if self.sender.capacity() < S::QUEUE_MAX / 2 {
            self.wake.notify_one();
        }
    }

    pub(super) fn count_dropped(&self, number: u64) {
        self.counters.dropped.fetch_add(number, Ordering::Relaxed);
    }

    pub(super) fn stats(&self) -> ExportStats {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        ExportStats {
            exported: read(&self.counters.exported),
            dropped: read(&self.counters.dropped),
            failed: read(&self.counters.failed),
            queued: (self.sender.max_capacity() - self.sender.capacity()) as u64,
        }
    }
}

impl<S: ExportSignal> fmt::Debug for ExportQueue<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExportQueue").field("path", &S::PATH).finish_non_exhaustive()
    }
}
