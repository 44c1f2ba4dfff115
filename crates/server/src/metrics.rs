//! Metrics of this node in the formats of Prometheus. Each component counts its own events without a lock; a scrape
//! reads all counters and encodes them ([014](../../../docs/decisions/014-metrics.md)).
//!
//! Every label has a fixed set of values, except the names of the busiest tools, whose number a setting limits.

mod exposition;
mod families;
mod family_writer;
mod process;
mod scrape;

use crate::node_state::NodeState;
pub(crate) use exposition::ExpositionFormat;
use scrape::Scrape;

/// All metrics, as text.
pub(crate) async fn render(node: &NodeState, format: ExpositionFormat) -> String {
    let is_database_up = node.ping_database().await.is_ok();
    format.encode(Scrape::read(node, is_database_up))
}
