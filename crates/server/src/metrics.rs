//! Metrics of this node in the formats of Prometheus. The numbers are counted where things happen, without a lock; a
//! scrape reads them all and encodes them ([014](../../../docs/decisions/014-metrics.md)).
//!
//! Every label has a fixed set of values, except the names of the busiest tools, whose number a setting limits.

mod exposition;
mod families;
mod family_writer;
mod process;
mod scrape;

use std::time::Duration;

use crate::node_state::NodeState;
pub(crate) use exposition::ExpositionFormat;
use scrape::Scrape;

/// How long a scrape waits for the database: a scrape must not fail because the database does.
const PING_TIMEOUT: Duration = Duration::from_secs(1);

/// All metrics, as text.
pub(crate) async fn render(node: &NodeState, format: ExpositionFormat) -> String {
    let ping = tokio::time::timeout(PING_TIMEOUT, node.storage.ping()).await;
    format.encode(Scrape::read(node, matches!(ping, Ok(Ok(())))))
}
