//! Those who watch: they come, follow calls or changes for a while, and go.

use std::sync::Arc;
use std::time::{Duration, Instant};

use toolgate_testkit::Mcp;
use toolgate_testkit::http::Events;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use crate::gauge::Gauge;
use crate::stage::Stage;

/// The shortest stay, and what each further watcher adds to it.
const STAY: Duration = Duration::from_secs(2);
const MORE: Duration = Duration::from_millis(700);
/// How long news may take.
const LATE: Duration = Duration::from_secs(2);

/// Watches for a while, leaves, and comes back, for ever.
pub(crate) async fn come_and_go(number: u64, stage: Arc<Stage>, gauge: Arc<Gauge>) {
    let stay = STAY + MORE * u32::try_from(number).unwrap_or(0);
    loop {
        gauge.counted();
        if number.is_multiple_of(3) {
            let session = Mcp::at(&stage.scratch.url).legacy(NEWEST_LEGACY).await;
            follow("changes", session.listen().await, stay, &gauge, || gauge.changes()).await;
        } else {
            let stream = stage.app.client().get("/calls/stream").open().await;
            follow("calls", stream.events().await, stay, &gauge, || gauge.requests()).await;
        }
    }
}

/// Reads what comes; a stream that ends by itself is wrong, and one that tells nothing although something happened, too.
async fn follow(of: &str, mut events: Events, stay: Duration, gauge: &Gauge, happened: impl Fn() -> u64) {
    let (ends, before) = (Instant::now() + stay, happened());
    let mut heard = 0;
    while Instant::now() < ends {
        match tokio::time::timeout_at(ends.into(), events.next()).await {
            Ok(Some(_)) => heard += 1,
            Ok(None) => return gauge.wrong(format!("a stream of {of} ended")),
            Err(_) => {}
        }
    }
    // The first may have happened before the stream was there, the last is still on its way.
    if heard == 0 && happened() > before + 1 && !matches!(tokio::time::timeout(LATE, events.next()).await, Ok(Some(_)))
    {
        gauge.wrong(format!("a stream of {of} told nothing for {stay:?}"));
    }
}
