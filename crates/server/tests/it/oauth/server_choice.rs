//! A client that names no server: the person chooses among the servers that they may use.

use serde_json::json;
use toolgate_testkit::page_form::PageForm;

use super::flow::{OAuthFixture, callback_parameters};
use crate::toolgate;

#[tokio::test]
async fn a_person_chooses_among_the_servers_that_they_may_use() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let user = fixture.api.create("/users", json!({"name": "Bob", "role": "owner"})).await;
    let key = fixture.api.create("/api-keys", json!({"name": "b", "user_id": user["id"], "scopes": ["mcp"]})).await;
    let oauth = json!({"access": "users"});
    let shared = json!({"name": "Shared", "auth_type": "oauth", "settings": {"oauth": oauth}});
    let shared = fixture.api.create("/servers", shared).await;
    let paused = json!({"name": "Paused", "auth_type": "oauth", "status": "paused", "settings": {"oauth": oauth}});
    fixture.api.create("/servers", paused).await;
    let mut bob = fixture.visitor();
    bob.sign_in_with_key(key["key"].as_str().unwrap()).await.expect(303);
    let path = fixture.authorize_path(&[("resource", None)]);
    let page = bob.get(&path).await.expect(200).text();
    assert_eq!(page.matches("type=\"radio\"").count(), 1, "{page}");
    assert!(page.contains("Shared") && !page.contains("Weather") && !page.contains("Paused"), "{page}");
    assert!(!page.contains("type=\"radio\" checked"), "none is preselected: {page}");
    let form = PageForm::parse(&page, "/authorize");
    let not_chosen = bob.post("/authorize", &form.with(&[("decision", "allow")])).await.expect(400);
    assert!(not_chosen.text().contains("Choose a server"), "{not_chosen:?}");
    let not_allowed = form.with(&[("decision", "allow"), ("resource", fixture.endpoint())]);
    assert_eq!(callback_parameters(&bob.post("/authorize", &not_allowed).await.expect(303))["error"], "access_denied");
    let chosen = form.with(&[("decision", "allow"), ("resource", shared["endpoint_url"].as_str().unwrap())]);
    let code = &callback_parameters(&bob.post("/authorize", &chosen).await.expect(303))["code"];
    fixture.exchange(code).await.expect(200);
    let grants = fixture.api.read(&format!("/servers/{}/grants", shared["id"])).await;
    assert_eq!(grants.as_array().unwrap().len(), 1, "{grants:#}");
}

#[tokio::test]
async fn access_that_is_taken_away_before_the_decision_gives_no_code() {
    let fixture = OAuthFixture::start(toolgate()).await;
    let set_access = async |access: &str| {
        let settings = json!({"settings": {"oauth": {"access": access}}});
        fixture.api.patch(&format!("/servers/{}", fixture.server["id"])).json(settings).send().await.expect(200);
    };
    set_access("users").await;
    let user = fixture.api.create("/users", json!({"name": "Bob", "role": "member"})).await;
    let key = fixture.api.create("/api-keys", json!({"name": "b", "user_id": user["id"], "scopes": ["mcp"]})).await;
    let mut bob = fixture.visitor();
    bob.sign_in_with_key(key["key"].as_str().unwrap()).await.expect(303);
    let form = bob.consent(&fixture.authorize_path(&[])).await;
    set_access("owner").await;
    let denied = callback_parameters(&bob.post("/authorize", &form.with(&[("decision", "allow")])).await.expect(303));
    assert_eq!((denied["error"].as_str(), denied.get("code")), ("access_denied", None));
    assert_eq!(fixture.grant_count().await, 0);
}
