//! Fills the call log without making calls.

use toolgate_domain::call::CallRecord;
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::{Clock as _, SystemClock, Timestamp};
use toolgate_testkit::RunningService;

use crate::recorded;

/// Inserts `count` calls of about half a kilobyte each into the call log of a service on a temporary `PostgreSQL`
/// database.
pub(super) async fn fill_log(app: &RunningService, count: u64) {
    let now_ms = SystemClock.now().as_millis();
    let first_ms = now_ms - i64::try_from(count).unwrap();
    let database = app.temporary_database().unwrap();
    recorded::insert_calls(database.url(), app.data_dir(), (first_ms..now_ms).map(long_call).collect()).await;
}

fn long_call(at_ms: i64) -> CallRecord {
    CallRecord {
        at: Timestamp::from_millis(at_ms),
        client_name: Some("x".repeat(200)),
        request_id: "r".repeat(200),
        ..CallRecord::new(UserId(1), ServerId(1), ToolId(1), "cursor".to_owned())
    }
}
