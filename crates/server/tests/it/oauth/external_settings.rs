//! Saving a server with an external issuer.

use serde_json::{Value, json};
use toolgate_testkit::{ApiFixture, MockResponse, TestResponse, Upstream};

use super::external_issuer::ExternalIssuer;
use crate::toolgate;

async fn save(service: &ApiFixture, oauth: Value) -> TestResponse {
    let fields = json!({"name": "Shop", "auth_type": "oauth", "settings": {"oauth": oauth}});
    service.api.post("/servers").json(fields).send().await
}

#[track_caller]
fn assert_fault(reply: &TestResponse, key: &str, text: &str) {
    assert_eq!(reply.status, 400, "{reply:?}");
    let data = &reply.json()["data"]["details"]["settings"];
    assert_eq!(data["data"]["param"], format!("settings[oauth][{key}]"), "{reply:?}");
    assert!(data["message"].as_str().unwrap().contains(text), "{text}: {reply:?}");
}

#[tokio::test]
async fn a_fault_of_the_issuer_is_named_when_a_server_is_saved() {
    let service = ApiFixture::start(toolgate());
    let issuer = ExternalIssuer::start();
    save(&service, json!({"issuer": issuer.url()})).await.expect(201);
    let with_slash = format!("{}/", issuer.url());
    assert_fault(&save(&service, json!({"issuer": with_slash})).await, "issuer", &issuer.url());
    let empty = Upstream::with_handler(|_| MockResponse::status(404));
    assert_fault(&save(&service, json!({"issuer": empty.url("")})).await, "issuer", "404");
    let unverified = save(&service, json!({"issuer": empty.url(""), "verify": false})).await.expect(201).json();
    let verified = json!({"settings": {"oauth": {"issuer": empty.url(""), "verify": true}}});
    let path = format!("/servers/{}", unverified["id"]);
    assert_fault(&service.api.patch(&path).json(verified).send().await, "issuer", "404");
    let address = empty.url("");
    drop(empty);
    assert_fault(&save(&service, json!({"issuer": address})).await, "issuer", "verify to false");
}

#[tokio::test]
async fn an_unreachable_issuer_does_not_prevent_other_changes() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let url = issuer.url();
    drop(issuer);
    let oauth = json!({"issuer": url, "scope_read": "r"});
    let fields = json!({"name": "Renamed", "auth_type": "oauth", "settings": {"oauth": oauth}});
    fixture.api.patch(&fixture.path("")).json(fields).send().await.expect(200);
}

#[tokio::test]
async fn settings_without_effect_are_refused() {
    let service = ApiFixture::start(toolgate());
    let issuer = ExternalIssuer::start();
    assert_fault(&save(&service, json!({"issuer": issuer.url(), "access": "users"})).await, "access", "allow");
    assert_fault(&save(&service, json!({"audience": "x"})).await, "audience", "built-in issuer");
    assert_fault(
        &save(&service, json!({"issuer": issuer.url(), "scope_read": "a b"})).await,
        "scope_read",
        "one scope",
    );
}
