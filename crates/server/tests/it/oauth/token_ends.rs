//! Access ends when the token expires, and when the server no longer requires sign-in.

use serde_json::json;
use toolgate_testkit::Upstream;

use super::open_streams::{assert_ended, open_streams};
use super::signed_tokens::{client_with, now, start_server, token_for};

#[tokio::test]
async fn streams_end_when_their_token_expires() {
    let fixture = start_server(Upstream::builder().start(), json!({})).await;
    let mut token = token_for(&fixture.server);
    token.expires_at = now().plus_millis(3_000);
    let streams = open_streams(&client_with(&fixture, &token)).await;
    assert_ended(streams).await;
    assert!(now() >= token.expires_at);
    client_with(&fixture, &token).send("tools/list", json!({})).await.expect(401);
}

#[tokio::test]
async fn a_token_is_refused_when_its_server_no_longer_requires_sign_in() {
    let fixture = start_server(Upstream::builder().start(), json!({})).await;
    let mcp = client_with(&fixture, &token_for(&fixture.server));
    mcp.send("tools/list", json!({})).await.expect(200);
    let streams = open_streams(&mcp).await;
    fixture.api.patch(&fixture.path("")).json(json!({"auth_type": "api-key"})).send().await.expect(200);
    let refused = mcp.send("tools/list", json!({})).await.expect(401);
    assert_eq!(refused.header("www-authenticate"), Some("Bearer realm=\"toolgate\""));
    assert_ended(streams).await;
}
