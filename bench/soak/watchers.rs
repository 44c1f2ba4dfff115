//! Clients that open an event stream, read it for a while and disconnect.

use std::sync::Arc;
use std::time::{Duration, Instant};

use toolgate_testkit::McpClient;
use toolgate_testkit::http::EventStream;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use crate::setup::SoakSetup;
use crate::stats::LoadStats;

/// The shortest stay, and what each further watcher adds to it.
const STAY_MIN: Duration = Duration::from_secs(2);
const STAY_STEP: Duration = Duration::from_millis(700);
/// How long news may take.
const EVENT_TIMEOUT: Duration = Duration::from_secs(2);

/// Watches for a while, leaves, and comes back, for ever.
pub(crate) async fn watch_repeatedly(number: u64, setup: Arc<SoakSetup>, stats: Arc<LoadStats>) {
    let stay = STAY_MIN + STAY_STEP * u32::try_from(number).unwrap_or(0);
    loop {
        stats.count_request();
        if number.is_multiple_of(3) {
            let session = McpClient::new(&setup.scratch.url).legacy(NEWEST_LEGACY).await;
            read_events("changes", session.listen().await, stay, &stats, || stats.changes()).await;
        } else {
            let stream = setup.app.client().get("/calls/stream").open().await;
            read_events("calls", stream.events().await, stay, &stats, || stats.requests()).await;
        }
    }
}

/// Reads what comes; records a stream that ends early, or that delivers nothing although something happened.
async fn read_events(of: &str, mut events: EventStream, stay: Duration, stats: &LoadStats, happened: impl Fn() -> u64) {
    let (ends, before) = (Instant::now() + stay, happened());
    let mut received = 0;
    while Instant::now() < ends {
        match tokio::time::timeout_at(ends.into(), events.next()).await {
            Ok(Some(_)) => received += 1,
            Ok(None) => return stats.record_wrong(format!("a stream of {of} ended")),
            Err(_) => {}
        }
    }
    // The first may have happened before the stream was there, the last is still on its way.
    if received == 0
        && happened() > before + 1
        && !matches!(tokio::time::timeout(EVENT_TIMEOUT, events.next()).await, Ok(Some(_)))
    {
        stats.record_wrong(format!("a stream of {of} delivered nothing for {stay:?}"));
    }
}
