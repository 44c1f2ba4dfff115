//! The delay between the reply of the management API and the notification of a client.

use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_testkit::http::{EventStream, TestRequest};
use toolgate_testkit::mcp::NEWEST_LEGACY;

use super::management::{self, bare_client, uncalled_tool};

const ROUNDS: usize = 25;
/// Ten times the documented delay, to tolerate a busy machine.
const MEDIAN_DELAY_MAX: Duration = Duration::from_secs(1);
/// Shorter than the interval at which a node looks for changes that it was not notified of.
const DELAY_MAX: Duration = Duration::from_secs(10);

/// The time from the reply to the event; zero if the event comes first.
async fn delay(change: TestRequest, events: &mut EventStream, method: &str) -> Duration {
    let changing = async {
        change.send().await.expect(200);
        Instant::now()
    };
    let receiving = async {
        assert_eq!(events.next_json().await["method"], method);
        Instant::now()
    };
    let (replied, received) = tokio::join!(changing, receiving);
    received.saturating_duration_since(replied)
}

fn assert_delays(label: &str, mut delays: Vec<Duration>) {
    delays.sort();
    let (median, worst) = (delays[delays.len() / 2], delays[delays.len() - 1]);
    // Written to stdout directly; shown with `--nocapture` or `--success-output`.
    let _ = writeln!(std::io::stdout(), "{label}: median {median:?}, worst {worst:?} of {}", delays.len());
    assert!(median < MEDIAN_DELAY_MAX && worst < DELAY_MAX, "{label}: a delay is too long: {delays:?}");
}

#[tokio::test]
async fn a_client_is_notified_of_a_change_soon_after_the_reply() {
    let fixture = management::start_server(json!({})).await;
    let tool = fixture.create("/tools", uncalled_tool("t")).await;
    let resource: Value = fixture.create("/resources", json!({"uri": "docs://r", "name": "r"})).await;
    let legacy = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let mut session_events = legacy.listen().await;
    legacy.result("resources/subscribe", json!({"uri": "docs://r"})).await;
    let filter = json!({"notifications": {"promptsListChanged": true}});
    let mut subscription_events = bare_client(&fixture).modern().open("subscriptions/listen", filter).await;
    subscription_events.next_json().await;
    let prompt = fixture.create("/prompts", json!({"name": "p", "template_content": "x"})).await;
    for events in [&mut session_events, &mut subscription_events] {
        assert_eq!(events.next_json().await["method"], "notifications/prompts/list_changed");
    }

    let api = fixture.app.client();
    let (mut tool_delays, mut resource_delays, mut prompt_delays) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let toggle = api.post(&format!("/tools/{}/toggle", tool["id"]));
        tool_delays.push(delay(toggle, &mut session_events, "notifications/tools/list_changed").await);
        let content = json!({"data_source_config": {"content": round.to_string()}});
        let rewrite = api.post(&fixture.path(&format!("/resources/{}", resource["id"]))).json(content);
        resource_delays.push(delay(rewrite, &mut session_events, "notifications/resources/updated").await);
        let description = json!({"description": round.to_string()});
        let describe = api.post(&fixture.path(&format!("/prompts/{}", prompt["id"]))).json(description);
        prompt_delays.push(delay(describe, &mut subscription_events, "notifications/prompts/list_changed").await);
        // The session also gets the notification of the prompt change.
        session_events.next_json().await;
    }
    assert_delays("tools/list_changed on a session's stream", tool_delays);
    assert_delays("resources/updated on a session's stream", resource_delays);
    assert_delays("prompts/list_changed on a subscription", prompt_delays);
}
