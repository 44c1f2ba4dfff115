//! Expiry, rate limit and last use of endpoint keys.

use std::time::Duration;

use serde_json::{Value, json};
use toolgate_domain::time::{Clock as _, SystemClock};
use toolgate_testkit::{McpClient, ServiceFixture};

use super::management::{self, assert_refused, plain_client};

async fn start_guarded_server(fields: Value) -> ServiceFixture {
    let mut fields = fields;
    fields["auth_type"] = json!("api-key");
    management::start_server(fields).await
}

/// Creates a key with these fields.
async fn create_key(endpoint: &ServiceFixture, fields: Value) -> Value {
    let mut fields = fields;
    fields["name"] = json!("k");
    endpoint.app.client().create(&endpoint.path("/keys"), fields).await
}

fn client_with(endpoint: &ServiceFixture, key: &Value) -> McpClient {
    plain_client(endpoint).bearer(key["key"].as_str().unwrap())
}

fn key_path(endpoint: &ServiceFixture, key: &Value) -> String {
    endpoint.path(&format!("/keys/{}", key["id"]))
}

/// The time in some seconds, in the format of the API.
fn in_seconds(secs: i64) -> String {
    SystemClock.now().plus_millis(secs * 1000).to_string()
}

#[tokio::test]
async fn an_expired_key_is_refused_with_the_time_until_its_expiry_is_changed() {
    let endpoint = start_guarded_server(json!({})).await;
    let expires_at = in_seconds(3);
    let key = create_key(&endpoint, json!({"expires_at": expires_at})).await;
    let mcp = client_with(&endpoint, &key);
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
    let valid = create_key(&endpoint, json!({})).await;
    let both = mcp.request("tools/list", json!({})).header("x-api-key", valid["key"].as_str().unwrap());
    both.send().await.expect(200);
    let path = key_path(&endpoint, &key);
    management::change(&endpoint, &path, json!({"expires_at": null})).await;
    mcp.send("tools/list", json!({})).await.expect(200);
}

#[tokio::test]
async fn the_limit_of_a_key_holds_for_this_key_only_and_spares_the_limit_of_the_server() {
    let endpoint = start_guarded_server(json!({"rate_limit_per_min": 5})).await;
    let limited = create_key(&endpoint, json!({"rate_limit_per_min": 2})).await;
    let other = create_key(&endpoint, json!({})).await;
    let send = |key: &Value| {
        let mcp = client_with(&endpoint, key);
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
    management::change(&endpoint, &key_path(&endpoint, &limited), json!({"rate_limit_per_min": 3})).await;
    for _ in 0..5 {
        assert_eq!(send(&limited).await.json()["error"]["message"], "Rate limit exceeded");
    }
    management::change_server(&endpoint, json!({"rate_limit_per_min": 0})).await;
    send(&limited).await.expect(200);
    assert_refused(&send(&limited).await, 429, 429);
    management::change(&endpoint, &key_path(&endpoint, &limited), json!({"rate_limit_per_min": null})).await;
    send(&limited).await.expect(200);
}

#[tokio::test]
async fn the_last_use_of_a_key_is_shown_and_survives_a_restart() {
    let mut endpoint = start_guarded_server(json!({})).await;
    let (used, unused) = (create_key(&endpoint, json!({})).await, create_key(&endpoint, json!({})).await);
    assert_eq!(used["last_used_at"], Value::Null);
    let before = in_seconds(0);
    client_with(&endpoint, &used).send("tools/list", json!({})).await.expect(200);
    plain_client(&endpoint).bearer("tg_wrong").send("tools/list", json!({})).await.expect(401);
    let listed = endpoint.app.client().read(&endpoint.path("/keys")).await;
    let last_used = listed[0]["last_used_at"].as_str().unwrap().to_owned();
    assert!(before <= last_used && last_used <= in_seconds(0), "{last_used}");
    assert_eq!(listed[1]["last_used_at"], Value::Null);
    // Used again right before the service stops: the last figures are written at shutdown.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    client_with(&endpoint, &unused).send("tools/list", json!({})).await.expect(200);
    endpoint.app.terminate();
    endpoint.app.restart();
    let stored = endpoint.app.client().read(&key_path(&endpoint, &unused)).await;
    assert!(stored["last_used_at"].as_str().unwrap() > last_used.as_str(), "{stored}");
}
