//! Those who watch: they come, follow calls or changes for a while, and go.

use std::sync::Arc;
use std::time::{Duration, Instant};

use testkit::Mcp;
use testkit::http::Events;
use testkit::mcp::NEWEST_LEGACY;

use crate::gauge::Gauge;
use crate::stage::Stage;

/// The shortest stay, and what each further watcher adds to it.
const STAY: Duration = Duration::from_secs(2);
const MORE: Duration = Duration::from_millis(700);

/// Watches for a while, leaves, and comes back, for ever.
pub(crate) async fn come_and_go(number: u64, stage: Arc<Stage>, gauge: Arc<Gauge>) {
    let stay = STAY + MORE * u32::try_from(number).unwrap_or(0);
    loop {
        gauge.counted();
        if number.is_multiple_of(3) {
            let session = Mcp::at(&stage.scratch.url).legacy(NEWEST_LEGACY).await;
            follow(session.listen().await, stay, &gauge).await;
        } else {
            let stream = stage.app.client().get("/calls/stream").open().await;
            follow(stream.events().await, stay, &gauge).await;
        }
    }
}

/// Reads what comes; a stream that ends by itself is wrong, and one that tells nothing, too.
async fn follow(mut events: Events, stay: Duration, gauge: &Gauge) {
    let ends = Instant::now() + stay;
    let mut heard = 0;
    while Instant::now() < ends {
        match tokio::time::timeout_at(ends.into(), events.next()).await {
            Ok(Some(_)) => heard += 1,
            Ok(None) => return gauge.wrong("a stream ended".to_owned()),
            Err(_) => {}
        }
    }
    if heard == 0 {
        gauge.wrong("a stream told nothing".to_owned());
    }
}
