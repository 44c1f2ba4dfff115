//! Expiry, rate limit and last use of endpoint keys.

use std::time::Duration;

use serde_json::{Value, json};
use toolgate_domain::time::{Clock as _, SystemClock};
use toolgate_testkit::{McpClient, ServiceFixture};

use super::management::{self, assert_refused, bare_client};

async fn start_server_that_requires_keys(fields: Value) -> ServiceFixture {
    let mut fields = fields;
    fields["auth_type"] = json!("api-key");
    management::start_server(fields).await
}

/// Creates a key with these fields.
async fn create_key(fixture: &ServiceFixture, fields: Value) -> Value {
    let mut fields = fields;
    fields["name"] = json!("k");
    fixture.app.client().create(&fixture.path("/keys"), fields).await
}

fn client_with(fixture: &ServiceFixture, key: &Value) -> McpClient {
    bare_client(fixture).bearer(key["key"].as_str().unwrap())
}

fn key_path(fixture: &ServiceFixture, key: &Value) -> String {
    fixture.path(&format!("/keys/{}", key["id"]))
}

/// The time `secs` seconds from now, in the format of the API.
fn in_seconds(secs: i64) -> String {
    SystemClock.now().plus_millis(secs * 1000).to_string()
}

#[tokio::test]
async fn the_refusal_of_an_expired_key_names_the_time_and_a_removed_expiry_restores_access() {
    let fixture = start_server_that_requires_keys(json!({})).await;
    let expires_at = in_seconds(3);
    let key = create_key(&fixture, json!({"expires_at": expires_at})).await;
    let mcp = client_with(&fixture, &key);
    mcp.send("tools/list", json!({})).await.expect(200);
    let expired = async {
        loop {
            let reply = mcp.send("tools/list", json!({})).await;
            if reply.status != 200 {
                return reply;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let reply = tokio::time::timeout(Duration::from_mins(1), expired).await.expect("the key expires");
    assert_refused(&reply, 401, 401);
    assert_eq!(reply.header("www-authenticate"), Some("Bearer realm=\"toolgate\""));
    let message = reply.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("Unauthorized: send a key of this server as"), "{message}");
    assert!(message.contains(&format!("This key expired at {expires_at} (UTC)")), "{message}");
    // A second, valid key in the same request gives access.
    let valid = create_key(&fixture, json!({})).await;
    let both = mcp.request("tools/list", json!({})).header("x-api-key", valid["key"].as_str().unwrap());
    both.send().await.expect(200);
    let path = key_path(&fixture, &key);
    management::change(&fixture, &path, json!({"expires_at": null})).await;
    mcp.send("tools/list", json!({})).await.expect(200);
}

#[tokio::test]
async fn the_rate_limit_of_a_key_applies_to_this_key_only_and_its_refusals_do_not_count_for_the_server() {
    let fixture = start_server_that_requires_keys(json!({"rate_limit_per_min": 5})).await;
    let limited = create_key(&fixture, json!({"rate_limit_per_min": 2})).await;
    let other = create_key(&fixture, json!({})).await;
    let send = |key: &Value| {
        let mcp = client_with(&fixture, key);
        async move { mcp.send("tools/list", json!({})).await }
    };
    for _ in 0..2 {
        send(&limited).await.expect(200);
    }
    for _ in 0..10 {
        let refused = send(&limited).await;
        assert_refused(&refused, 429, 429);
        let error = &refused.json()["error"];
        assert_eq!(error["message"], "Rate limit of this key exceeded: 2 requests per minute");
        assert_eq!(error["data"]["limit"], 2);
        let wait_secs: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=61).contains(&wait_secs) && error["data"]["retry_after"] == wait_secs, "{refused:?}");
    }
    for _ in 0..3 {
        send(&other).await.expect(200);
    }
    let refused = send(&other).await;
    assert_refused(&refused, 429, 429);
    assert_eq!(refused.json()["error"]["message"], "Rate limit exceeded");
    // A request that the server refuses does not count for the key.
    management::change(&fixture, &key_path(&fixture, &limited), json!({"rate_limit_per_min": 3})).await;
    for _ in 0..5 {
        assert_eq!(send(&limited).await.json()["error"]["message"], "Rate limit exceeded");
    }
    management::change_server(&fixture, json!({"rate_limit_per_min": 0})).await;
    send(&limited).await.expect(200);
    assert_refused(&send(&limited).await, 429, 429);
    management::change(&fixture, &key_path(&fixture, &limited), json!({"rate_limit_per_min": null})).await;
    send(&limited).await.expect(200);
}

#[tokio::test]
async fn the_last_use_of_a_key_is_shown_and_survives_a_restart() {
    let mut fixture = start_server_that_requires_keys(json!({})).await;
    let (used, unused) = (create_key(&fixture, json!({})).await, create_key(&fixture, json!({})).await);
    assert_eq!(used["last_used_at"], Value::Null);
    let before = in_seconds(0);
    client_with(&fixture, &used).send("tools/list", json!({})).await.expect(200);
    bare_client(&fixture).bearer("tg_wrong").send("tools/list", json!({})).await.expect(401);
    let listed = fixture.app.client().read(&fixture.path("/keys")).await;
    let last_used = listed[0]["last_used_at"].as_str().unwrap().to_owned();
    assert!(before <= last_used && last_used <= in_seconds(0), "{last_used}");
    assert_eq!(listed[1]["last_used_at"], Value::Null);
    // Used again right before the service stops: the last figures are written at shutdown.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    client_with(&fixture, &unused).send("tools/list", json!({})).await.expect(200);
    fixture.app.terminate();
    fixture.app.restart();
    let stored = fixture.app.client().read(&key_path(&fixture, &unused)).await;
    assert!(stored["last_used_at"].as_str().unwrap() > last_used.as_str(), "{stored}");
}
