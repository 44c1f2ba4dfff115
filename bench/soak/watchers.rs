//! Clients that open an event stream, read it for a while and disconnect.

use std::sync::Arc;
use std::time::{Duration, Instant};

use toolgate_testkit::McpClient;
use toolgate_testkit::http::EventStream;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use crate::setup::SoakSetup;
use crate::stats::LoadStats;

/// How long the first watcher reads a stream.
const WATCH_TIME_MIN: Duration = Duration::from_secs(2);
/// How much longer each further watcher reads, so that they do not reconnect at the same time.
const WATCH_TIME_STEP: Duration = Duration::from_millis(700);
/// How long an event may take to arrive.
const EVENT_TIMEOUT: Duration = Duration::from_secs(2);

/// Opens an event stream, reads it for a while and closes it, in an endless loop.
pub(crate) async fn read_streams_repeatedly(number: u64, setup: Arc<SoakSetup>, stats: Arc<LoadStats>) {
    let watch_time = WATCH_TIME_MIN + WATCH_TIME_STEP * u32::try_from(number).unwrap_or(0);
    loop {
        stats.count_request();
        if number.is_multiple_of(3) {
            let session = McpClient::new(&setup.scratch.url).legacy(NEWEST_LEGACY).await;
            read_events("changes", session.listen().await, watch_time, &stats, || stats.changes()).await;
        } else {
            let stream = setup.app.client().get("/calls/stream").open().await;
            // Counts all requests, most of which are calls: enough to detect a stream without events.
            read_events("calls", stream.events().await, watch_time, &stats, || stats.requests()).await;
        }
    }
}

/// Reads events. Records a failure if the stream ends early, or delivers nothing although `published_count` increased.
async fn read_events(
    kind: &str,
    mut events: EventStream,
    watch_time: Duration,
    stats: &LoadStats,
    published_count: impl Fn() -> u64,
) {
    let (end, count_before) = (Instant::now() + watch_time, published_count());
    let mut received = 0;
    while Instant::now() < end {
        match tokio::time::timeout_at(end.into(), events.next()).await {
            Ok(Some(_)) => received += 1,
            Ok(None) => return stats.record_wrong(format!("a stream of {kind} ended")),
            Err(_) => {}
        }
    }
    // One event may have been published before the stream was open, and the last one may still be in transit.
    if received == 0
        && published_count() > count_before + 1
        && !matches!(tokio::time::timeout(EVENT_TIMEOUT, events.next()).await, Ok(Some(_)))
    {
        stats.record_wrong(format!("a stream of {kind} delivered nothing for {watch_time:?}"));
    }
}
