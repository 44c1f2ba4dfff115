//! The thread that sends batches to the collector, apart from the threads that serve requests.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::collector::{CollectorError, OtlpCollector};
use super::export_queue::{ExportSignal, QueuedItems};
use super::log_signal::LogSignal;
use super::otlp_values::ServiceIdentity;
use super::trace_signal::TraceSignal;

/// How long items are collected before they are sent.
const EXPORT_INTERVAL: Duration = Duration::from_secs(1);
/// Attempts to send a batch while the collector is unavailable.
const ATTEMPTS_MAX: u32 = 3;
/// The delay after the first attempt; it doubles after each further one.
const BACKOFF: Duration = Duration::from_millis(500);

/// The running thread.
pub(super) struct ExportThread {
    stopping: CancellationToken,
    /// Cancelled when everything has been sent.
    finished: CancellationToken,
}

impl ExportThread {
    /// Starts the thread.
    pub(super) fn start(
        collector: OtlpCollector,
        identity: ServiceIdentity,
        traces: QueuedItems<TraceSignal>,
        calls: Option<QueuedItems<LogSignal>>,
    ) -> io::Result<Self> {
        let (stopping, finished) = (CancellationToken::new(), CancellationToken::new());
        let running = Self { stopping: stopping.clone(), finished: finished.clone() };
        let runtime = Builder::new_current_thread().enable_all().build()?;
        thread::Builder::new().name("otlp".to_owned()).spawn(move || {
            let _finished = finished.drop_guard();
            let target = ExportTarget { collector, identity, stopping };
            let target = &target;
            runtime.block_on(async {
                let export_calls = async {
                    if let Some(calls) = calls {
                        ExportWorker::new(target, calls).run().await;
                    }
                };
                tokio::join!(ExportWorker::new(target, traces).run(), export_calls)
            });
        })?;
        Ok(running)
    }

    /// Sends the queued items and ends; returns false if that takes longer than `limit`.
    pub(super) async fn close(&self, limit: Duration) -> bool {
        self.stopping.cancel();
        timeout(limit, self.finished.cancelled()).await.is_ok()
    }
}

/// Where batches go, and how this service is named there.
struct ExportTarget {
    collector: OtlpCollector,
    identity: ServiceIdentity,
    stopping: CancellationToken,
}

/// Sends the batches of one signal.
struct ExportWorker<'a, S: ExportSignal> {
    target: &'a ExportTarget,
    items: QueuedItems<S>,
    /// Whether the last batch was lost; only the first loss is logged.
    is_failing: bool,
}

impl<'a, S: ExportSignal> ExportWorker<'a, S> {
    fn new(target: &'a ExportTarget, items: QueuedItems<S>) -> Self {
        Self { target, items, is_failing: false }
    }

    async fn run(mut self) {
        let wake = Arc::clone(&self.items.wake);
        while !self.target.stopping.is_cancelled() {
            tokio::select! {
                () = sleep(EXPORT_INTERVAL) => {}
                () = wake.notified() => {}
                () = self.target.stopping.cancelled() => {}
            }
            self.export_queued().await;
        }
    }

    async fn export_queued(&mut self) {
        loop {
            let mut batch = Vec::new();
            while batch.len() < S::BATCH_MAX
                && let Ok(item) = self.items.receiver.try_recv()
            {
                batch.push(item);
            }
            if batch.is_empty() {
                return;
            }
            self.export(batch).await;
        }
    }

    async fn export(&mut self, batch: Vec<S::Item>) {
        let record_count: u64 = batch.iter().map(S::record_count).sum();
        let counters = &self.items.counters;
        match self.send(S::encode(&self.target.identity, batch)).await {
            Ok(response) => {
                let rejected = S::rejected_count(&response).min(record_count);
                counters.exported.fetch_add(record_count - rejected, Ordering::Relaxed);
                counters.failed.fetch_add(rejected, Ordering::Relaxed);
                if std::mem::take(&mut self.is_failing) {
                    tracing::info!(path = S::PATH, "the OpenTelemetry collector accepts data again");
                }
            }
            Err(error) => {
                counters.failed.fetch_add(record_count, Ordering::Relaxed);
                if !std::mem::replace(&mut self.is_failing, true) {
                    tracing::warn!(path = S::PATH, %error, "cannot export to the OpenTelemetry collector; data is dropped");
                }
            }
        }
    }

    /// Sends a message; retries if the collector is temporarily unavailable.
    async fn send(&self, message: Vec<u8>) -> Result<Vec<u8>, CollectorError> {
        let ExportTarget { collector, stopping, .. } = self.target;
        let (message, mut delay) = (bytes::Bytes::from(message), BACKOFF);
        for _ in 1..ATTEMPTS_MAX {
            match collector.post(S::PATH, message.clone()).await {
                Err(error) if error.is_transient() && !stopping.is_cancelled() => {
                    let _ = timeout(delay, stopping.cancelled()).await;
                    delay *= 2;
                }
                result => return result,
            }
        }
        collector.post(S::PATH, message).await
    }
}
