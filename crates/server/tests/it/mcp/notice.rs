//! How long after the management API's reply a client hears of a change.

use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_testkit::http::{Events, Request};
use toolgate_testkit::mcp::NEWEST_LEGACY;

use super::owner::{self, bare, idle_tool};

const ROUNDS: usize = 25;
/// What is promised is a tenth of this; a busy machine gets the rest.
const LENIENT: Duration = Duration::from_secs(1);

/// From the reply to the event, which may also be there first.
async fn delay(change: Request, events: &mut Events, method: &str) -> Duration {
    let changing = async {
        change.send().await.expect(200);
        Instant::now()
    };
    let hearing = async {
        assert_eq!(events.next_json().await["method"], method);
        Instant::now()
    };
    let (replied, heard) = tokio::join!(changing, hearing);
    heard.saturating_duration_since(replied)
}

fn report(what: &str, mut delays: Vec<Duration>) {
    delays.sort();
    let (median, worst) = (delays[delays.len() / 2], delays[delays.len() - 1]);
    // Not println!: it is for whoever measures, with `--nocapture` or `--success-output`.
    let _ = writeln!(std::io::stdout(), "{what}: median {median:?}, worst {worst:?} of {}", delays.len());
    assert!(worst < LENIENT, "{what}: {delays:?}");
}

#[tokio::test]
async fn a_client_hears_of_a_change_within_moments_of_the_reply() {
    let endpoint = owner::open(json!({})).await;
    let tool = endpoint.tool(idle_tool("t")).await;
    let resource: Value = endpoint.resource(json!({"uri": "docs://r", "name": "r"})).await;
    let legacy = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    let mut of_session = legacy.listen().await;
    legacy.result("resources/subscribe", json!({"uri": "docs://r"})).await;
    let wanted = json!({"notifications": {"promptsListChanged": true}});
    let mut of_listener = bare(&endpoint).modern().open("subscriptions/listen", wanted).await;
    of_listener.next_json().await;
    let prompt = endpoint.prompt(json!({"name": "p", "template_content": "x"})).await;
    for events in [&mut of_session, &mut of_listener] {
        assert_eq!(events.next_json().await["method"], "notifications/prompts/list_changed");
    }

    let api = endpoint.app.client();
    let (mut tools, mut updates, mut prompts) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let toggle = api.post(&format!("/tools/{}/toggle", tool["id"]));
        tools.push(delay(toggle, &mut of_session, "notifications/tools/list_changed").await);
        let content = json!({"data_source_config": {"content": round.to_string()}});
        let rewrite = api.post(&endpoint.path(&format!("/resources/{}", resource["id"]))).json(content);
        updates.push(delay(rewrite, &mut of_session, "notifications/resources/updated").await);
        let description = json!({"description": round.to_string()});
        let describe = api.post(&endpoint.path(&format!("/prompts/{}", prompt["id"]))).json(description);
        prompts.push(delay(describe, &mut of_listener, "notifications/prompts/list_changed").await);
        // The session hears of that too.
        of_session.next_json().await;
    }
    report("tools/list_changed on a session's stream", tools);
    report("resources/updated on a session's stream", updates);
    report("prompts/list_changed for a listener", prompts);
}
