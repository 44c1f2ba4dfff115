//! What lies in Redis tells nothing to who reads it.

use serde_json::json;
use toolgate_testkit::app::TEST_KEY;
use toolgate_testkit::redis::PASSWORD;
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};
use toolgate_testkit::{Answer, Upstream};

use super::Nodes;

const TOKEN: &str = "upstream-token-0123456789";
const SAID: &str = "words-of-the-upstream-0123456789";
const ARGUMENT: &str = "argument-of-a-call-0123456789";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_credential_no_question_and_no_answer_can_be_read_in_redis_and_its_password_nowhere() {
    // An upstream that repeats the credential it was sent.
    let upstream = Upstream::answering(|_| Answer::text(format!("{SAID} Bearer {TOKEN}")));
    let Some(nodes) = Nodes::start(upstream, 100).await else { return };
    let credentials = json!({"auth_type": "bearer", "auth_credentials": {"token": TOKEN}, "cache_ttl": 300,
        "input_schema": {"type": "object", "properties": {"q": {}}}});
    nodes.tool("tool", credentials).await;
    for attempt in 0..5 {
        for index in [0, 1] {
            let text = nodes.caller(index).text("tool", json!({"q": format!("{ARGUMENT} {attempt}")})).await;
            assert!(text.contains(SAID), "{text}");
        }
    }
    assert!(nodes.upstream.hits() < 10, "answers came through Redis");
    let names = nodes.redis.names();
    let kinds = ["answer:", "nodes", "window:"];
    assert!(kinds.iter().all(|kind| names.iter().any(|name| name.contains(kind))), "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("toolgate:1:")), "{names:?}");
    let held = nodes.redis.bytes();
    assert!(find_secret(&held, "toolgate:1:").is_some(), "the names are among what is looked at");
    for secret in [TOKEN, SAID, ARGUMENT, TEST_KEY, PASSWORD] {
        assert_eq!(find_secret(&held, secret), None, "{secret}");
    }
    for app in &nodes.apps {
        let settings = app.client().get("/settings").send().await.expect(200);
        assert_eq!(find_secret(app.logs().as_bytes(), PASSWORD), None);
        assert_eq!(find_secret(settings.text().as_bytes(), PASSWORD), None);
        assert_eq!(find_secret_in_files(app.data_dir(), PASSWORD), []);
    }
}
