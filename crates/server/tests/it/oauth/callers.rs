//! The caller of each call: in the log, in its filters and in the stream.

use http::Method;
use serde_json::{Value, json};
use toolgate_domain::ids::{GrantId, UserId};
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::signed_tokens::{GRANT, client_with, start_server, token_for};

async fn start_with_tool() -> ServiceFixture {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server(upstream, json!({})).await;
    fixture.create_tool(json!({"name": "t", "endpoint_url": "/t"})).await;
    fixture
}

async fn callers(fixture: &ServiceFixture, query: &str) -> Vec<Value> {
    let log = fixture.api.read(&format!("/calls{query}")).await;
    log.as_array().unwrap().iter().map(|call| call["caller"].clone()).collect()
}

#[tokio::test]
async fn calls_are_logged_and_filtered_by_caller() {
    let fixture = start_with_tool().await;
    let me = fixture.api.read("/me").await["user"].clone();
    let ada = fixture.api.create("/users", json!({"name": "ada", "role": "owner"})).await;
    let mut token = token_for(&fixture.server);
    token.user_id = UserId(ada["id"].as_i64().unwrap());
    client_with(&fixture, &token).text("t", json!({})).await;
    let key = fixture.create("/keys", json!({"name": "script"})).await;
    McpClient::new(fixture.url()).bearer(key["key"].as_str().unwrap()).text("t", json!({})).await;
    McpClient::new(fixture.url()).bearer(&fixture.app.key()).text("t", json!({})).await;
    fixture.api.patch(&fixture.path("")).json(json!({"auth_type": "none"})).send().await.expect(200);
    McpClient::new(fixture.url()).text("t", json!({})).await;

    let user = |user: &Value| json!({"kind": "user", "id": user["id"], "name": user["name"]});
    let no_caller = json!({"kind": "none", "id": null, "name": null});
    let script = json!({"kind": "key", "id": key["id"], "name": "script"});
    assert_eq!(callers(&fixture, "").await, [no_caller.clone(), user(&me), script.clone(), user(&ada)]);
    for (query, expected) in [
        (format!("?caller=user:{}", ada["id"]), vec![user(&ada)]),
        (format!("?caller=user:{}", me["id"]), vec![user(&me)]),
        (format!("?caller=key:{}", key["id"]), vec![script.clone()]),
        ("?caller=none".to_owned(), vec![no_caller]),
        (format!("?caller=key:{}&endpoint_key_id={}", key["id"], key["id"]), vec![script]),
        (format!("?caller=user:{}&endpoint_key_id={}", me["id"], key["id"]), vec![]),
        ("?caller=user:999".to_owned(), vec![]),
    ] {
        assert_eq!(callers(&fixture, &query).await, expected, "{query}");
    }
    let refused = fixture.api.get("/calls?caller=ada").send().await.expect(400).json();
    assert!(refused["data"]["params"]["caller"].as_str().unwrap().contains("user:7"), "{refused}");
}

#[tokio::test]
async fn the_stream_of_calls_names_the_caller() {
    let fixture = start_with_tool().await;
    let mut token = token_for(&fixture.server);
    token.user_id = UserId(77);
    let mut events = fixture.api.get("/calls/stream?caller=user:77").open().await.events().await;
    McpClient::new(fixture.url()).bearer(&fixture.app.key()).text("t", json!({})).await;
    client_with(&fixture, &token).text("t", json!({})).await;
    let event = events.next_json().await;
    assert_eq!(event["caller"], json!({"kind": "user", "id": 77, "name": null}), "{event}");
}

#[tokio::test]
async fn a_stored_response_can_be_read_after_the_renewal_of_the_token() {
    let items: Vec<Value> = (0..200).map(|number| json!({"number": number, "title": "Something is wrong"})).collect();
    let upstream = Upstream::with_handler(move |_| MockResponse::json(json!(items)));
    let fixture = start_server(upstream, json!({})).await;
    fixture.create_tool(json!({"name": "list", "endpoint_url": "/list", "shaping": {"max_tokens": 500}})).await;
    let mut token = token_for(&fixture.server);
    let result = client_with(&fixture, &token).modern().call("list", json!({})).await;
    let link = result["content"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(link["type"], "resource_link", "{result}");
    let read = json!({"uri": link["uri"]});
    token.grant_id = GrantId(GRANT + 1);
    token.expires_at = token.expires_at.plus_millis(1);
    let renewed = client_with(&fixture, &token).modern().result("resources/read", read.clone()).await;
    assert!(renewed.to_string().contains("Something is wrong"), "{renewed}");
    token.user_id = UserId(2);
    let (_, error) = client_with(&fixture, &token).modern().error("resources/read", read).await;
    assert_eq!(error["code"], -32602, "{error}");
}

#[tokio::test]
async fn the_session_of_a_person_is_unknown_to_others() {
    let fixture = start_with_tool().await;
    let mut token = token_for(&fixture.server);
    let owner = client_with(&fixture, &token).legacy(NEWEST_LEGACY).await;
    let listen = |client: &McpClient| client.session_request(Method::GET).header("accept", "text/event-stream");
    let mut events = listen(&owner).open().await.events().await;
    token.user_id = UserId(77);
    token.grant_id = GrantId(GRANT + 1);
    let others = [client_with(&fixture, &token), McpClient::new(fixture.url()).bearer(&fixture.app.key())];
    for other in others.map(|other| other.in_session_of(&owner)) {
        // They are served like clients without a session.
        assert_eq!(other.send("tools/list", json!({})).await.status, 200);
        listen(&other).send().await.expect(405);
        other.session_request(Method::DELETE).send().await.expect(405);
    }
    fixture.create_tool(json!({"name": "new", "endpoint_url": "/new"})).await;
    assert_eq!(events.next_json().await["method"], "notifications/tools/list_changed", "the stream is still open");
    owner.session_request(Method::DELETE).send().await.expect(204);
}
