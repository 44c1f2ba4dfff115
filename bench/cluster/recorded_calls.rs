//! Compares the call log with the acknowledged calls.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cluster::FaultCluster;

/// How long ingest of all journals may take.
const INGEST_TIMEOUT: Duration = Duration::from_mins(2);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The differences between the call log and the acknowledged calls.
pub(crate) struct LogComparison {
    pub(crate) acknowledged: usize,
    /// Calls in the log, including those that were not acknowledged.
    pub(crate) logged: usize,
    /// Acknowledged calls that are not in the log.
    pub(crate) missing: usize,
    /// Calls that are in the log more than once.
    pub(crate) duplicated: usize,
}

/// Waits until all nodes have stored their calls, and reads the log.
pub(crate) async fn compare(cluster: &FaultCluster, acknowledged: &HashSet<String>) -> LogComparison {
    wait_until_stored(cluster).await;
    let reply = cluster.nodes[0].api().get("/calls?format=ndjson").send().await.expect(200);
    let (mut request_ids, mut logged, mut duplicated) = (HashSet::new(), 0, 0);
    for line in reply.text().lines() {
        let call: Value = serde_json::from_str(line).expect("a line of the export is JSON");
        let request_id = call["request_id"].as_str().expect("a call has a request id").to_owned();
        logged += 1;
        duplicated += usize::from(!request_ids.insert(request_id));
    }
    let missing = acknowledged.difference(&request_ids).count();
    LogComparison { acknowledged: acknowledged.len(), logged, missing, duplicated }
}

async fn wait_until_stored(cluster: &FaultCluster) {
    let began = Instant::now();
    for node in &cluster.nodes {
        while node.api().read("/settings").await["recording"]["pending_calls"] != 0 {
            assert!(began.elapsed() < INGEST_TIMEOUT, "calls were not stored in time\n{}", node.app.logs());
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}
