//! Calls with tokens of an external issuer: the person in the log, and no token in what is sent or stored.

use serde_json::{Value, json};
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};

use super::external_issuer::{ExternalIssuer, call};

#[tokio::test]
async fn calls_are_logged_with_the_person() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({"name_claim": "name"})).await;
    let mut events = fixture.api.get("/calls/stream").open().await.events().await;
    call(&issuer.client(&fixture, json!({"sub": "ada", "name": "Ada Lovelace"}))).await.expect(200);
    call(&issuer.client(&fixture, json!({"sub": "eve"}))).await.expect(200);
    call(&issuer.client(&fixture, json!({"sub": "ada", "name": "Ada Lovelace", "jti": "2"}))).await.expect(200);
    let log = fixture.api.read("/calls").await;
    let callers: Vec<&Value> = log.as_array().unwrap().iter().map(|call| &call["caller"]).collect();
    let id = callers[0]["id"].as_i64().unwrap();
    assert_eq!(callers[0], &json!({"kind": "subject", "id": id, "name": "Ada Lovelace"}));
    assert_eq!((&callers[1]["name"], callers[2]), (&json!("eve"), callers[0]));
    assert!((1..1 << 53).contains(&id), "{id} is not exact in JSON");
    let filtered = fixture.api.read(&format!("/calls?caller=subject:{id}")).await;
    assert_eq!(filtered.as_array().unwrap().len(), 2);
    let live = loop {
        let event = events.next_json().await;
        if event["caller"]["kind"] == "subject" {
            break event;
        }
    };
    assert_eq!(live["caller"]["id"], id);
    let usage = fixture.api.read("/analytics/keys").await;
    assert!(usage.to_string().contains("Ada Lovelace"), "{usage}");
}

#[tokio::test]
async fn the_token_is_neither_sent_upstream_nor_stored() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let token = issuer.sign(&issuer.claims(&fixture));
    let mcp = toolgate_testkit::McpClient::new(fixture.url()).bearer(&token);
    call(&mcp).await.expect(200);
    call(&mcp.clone().modern()).await.expect(200);
    let (_, signature) = token.rsplit_once('.').unwrap();
    for request in fixture.upstream.requests().iter().chain(&issuer.host.requests()) {
        assert_eq!(find_secret(format!("{request:?}").as_bytes(), signature), None);
        assert_eq!(request.header("authorization"), None);
    }
    fixture.api.read("/calls").await;
    assert!(find_secret_in_files(fixture.app.data_dir(), signature).is_empty());
    assert_eq!(find_secret(fixture.app.logs().as_bytes(), signature), None);
}
