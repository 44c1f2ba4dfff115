//! Streams that a client with a token has open.

use std::time::Duration;

use serde_json::json;
use toolgate_testkit::McpClient;
use toolgate_testkit::http::EventStream;
use toolgate_testkit::mcp::NEWEST_LEGACY;

/// Well below the fifteen seconds between checks of an idle stream.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens the stream of a legacy session and a modern subscription.
pub(super) async fn open_streams(mcp: &McpClient) -> [EventStream; 2] {
    let params = json!({"notifications": {"toolsListChanged": true}});
    let mut modern = mcp.clone().modern().open("subscriptions/listen", params).await;
    assert_eq!(modern.next_json().await["method"], "notifications/subscriptions/acknowledged");
    [mcp.clone().legacy(NEWEST_LEGACY).await.listen().await, modern]
}

pub(super) async fn assert_ended(streams: [EventStream; 2]) {
    for mut events in streams {
        let end = tokio::time::timeout(END_TIMEOUT, events.next()).await;
        assert_eq!(end.expect("the stream is still open"), None);
    }
}
