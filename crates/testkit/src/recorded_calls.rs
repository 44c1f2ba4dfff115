//! Reads the calls that a service has recorded.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::http::Client;
use crate::running_service::RunningService;

/// How long ingest may take.
const INGEST_TIMEOUT: Duration = Duration::from_mins(1);
/// Pause between two reads of a number that a test waits for.
pub const POLL_INTERVAL: Duration = Duration::from_millis(20);

impl Client {
    /// Waits until every recorded call is ingested. A report waits for ingest in the service, so that a measured service
    /// does not spend CPU time on the requests of a loop.
    pub async fn wait_until_ingested(&self) {
        let start = Instant::now();
        loop {
            self.read("/analytics/overview").await;
            let settings = self.read("/settings").await;
            if settings["recording"]["pending_calls"] == 0 {
                return;
            }
            assert!(start.elapsed() < INGEST_TIMEOUT, "calls are not ingested: {settings}");
        }
    }
}

impl RunningService {
    /// The number of calls of today and yesterday in the overview: a test may run at midnight.
    pub async fn call_count(&self) -> u64 {
        let overview = self.client().read("/analytics/overview").await;
        ["calls_today", "calls_yesterday"]
            .iter()
            .map(|field| overview[field].as_u64().expect("the field is a number"))
            .sum()
    }

    /// Waits until the overview counts at least `expected` calls; returns the number.
    pub async fn wait_for_call_count(&self, expected: u64) -> u64 {
        let start = Instant::now();
        loop {
            let counted = self.call_count().await;
            if counted >= expected {
                return counted;
            }
            assert!(start.elapsed() < INGEST_TIMEOUT, "{counted} of {expected} calls are counted\n{}", self.logs());
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// The request ids of all calls in the log.
    pub async fn logged_request_ids(&self) -> HashSet<String> {
        let (api, mut cursor, mut request_ids) = (self.client(), String::new(), HashSet::new());
        loop {
            let page = api.get(&format!("/calls?per_page=100{cursor}")).send().await.expect(200);
            for call in page.json().as_array().expect("the log is a list") {
                let id = call["request_id"].as_str().expect("a call has a request id");
                assert!(request_ids.insert(id.to_owned()), "the call with request id {id} is in the log twice");
            }
            let Some(next) = page.header("x-next-before") else { break };
            cursor = format!("&before={next}");
        }
        request_ids
    }
}
