//! The whole flow by hand: registration, sign-in with a key, consent, code, token.

use serde_json::json;
use toolgate_testkit::running_service::ServiceBuilder;

use super::flow::OAuthFixture;

on_both_databases!(a_person_with_a_key_connects_a_program, a_person_may_withhold_changes);

async fn a_person_with_a_key_connects_a_program(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let mut browser = fixture.visitor();
    let request = fixture.authorize_path(&[]);
    let page = browser.get(&request).await.expect(200).text();
    assert!(page.contains("name=\"key\"") && page.contains("name=\"password\""), "{page}");
    let next = super::flow::PageForm::parse(&page, "/signin").value("next").to_owned();
    let signed_in = browser.post("/signin", &[("key", &fixture.app.key()), ("next", &next)]).await.expect(303);
    let target = signed_in.header("location").unwrap();
    assert_eq!(target, format!("{}{request}", fixture.app.origin()), "the same request goes on");
    let answer = browser.allow(target).await;
    let token = fixture.exchange(&answer["code"]).await.expect(200).json();
    assert_eq!((&token["token_type"], &token["scope"]), (&json!("Bearer"), &json!("mcp:read mcp:write")));
    let grants = fixture.api.read(&format!("/servers/{}/grants", fixture.server["id"])).await;
    assert_eq!(grants[0]["client_name"], "Test client", "{grants:#}");
    assert_eq!(grants[0]["redirect_host"], "client.example", "{grants:#}");
}

async fn a_person_may_withhold_changes(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let mut browser = fixture.administrator().await;
    let form = browser.consent(&fixture.authorize_path(&[])).await;
    assert_eq!(form.0.iter().filter(|(name, _)| name == "scope").count(), 2, "both are ticked: {form:?}");
    let none = form.0.iter().filter(|(name, _)| name != "scope").map(|(name, value)| (name.as_str(), value.as_str()));
    let none: Vec<_> = none.chain([("decision", "allow")]).collect();
    let page = browser.post("/authorize", &none).await.expect(400).text();
    assert!(page.contains("Tick what the program may do"), "{page}");
    let read_only = form.with(&[("scope", "mcp:read"), ("decision", "allow")]);
    let answer = super::flow::answer(&browser.post("/authorize", &read_only).await.expect(303));
    let token = fixture.exchange(&answer["code"]).await.expect(200).json();
    assert_eq!(token["scope"], "mcp:read");
    // A client cannot get more than it asked for.
    let form = browser.consent(&fixture.authorize_path(&[("scope", Some("mcp:read openid"))])).await;
    let more = [form.with(&[("decision", "allow")]), vec![("scope", "mcp:write")]].concat();
    let answer = super::flow::answer(&browser.post("/authorize", &more).await.expect(303));
    assert_eq!(fixture.exchange(&answer["code"]).await.expect(200).json()["scope"], "mcp:read");
}
