//! The whole authorization flow: registration, sign-in with a key, consent, code, token.

use serde_json::json;
use toolgate_testkit::page_form::PageForm;
use toolgate_testkit::running_service::ServiceBuilder;

use super::flow::OAuthFixture;

on_both_databases!(a_person_with_a_key_connects_a_program, a_person_may_allow_reading_only);

async fn a_person_with_a_key_connects_a_program(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let mut browser = fixture.visitor();
    let request = fixture.authorize_path(&[]);
    let page = browser.get(&request).await.expect(200).text();
    assert!(page.contains("name=\"key\"") && page.contains("name=\"password\""), "{page}");
    let next = PageForm::parse(&page, "/signin").value("next").to_owned();
    let signed_in = browser.post("/signin", &[("key", &fixture.app.key()), ("next", &next)]).await.expect(303);
    let target = signed_in.header("location").unwrap();
    assert_eq!(target, format!("{}{request}", fixture.app.origin()), "the authorization request continues");
    let callback = browser.allow(target).await;
    let token = fixture.exchange(&callback["code"]).await.expect(200).json();
    assert_eq!((&token["token_type"], &token["scope"]), (&json!("Bearer"), &json!("mcp:read mcp:write")));
    let grants = fixture.api.read(&format!("/servers/{}/grants", fixture.server["id"])).await;
    assert_eq!(grants[0]["client_name"], "Test client", "{grants:#}");
    assert_eq!(grants[0]["redirect_host"], "client.example", "{grants:#}");
}

async fn a_person_may_allow_reading_only(builder: &ServiceBuilder) {
    let fixture = OAuthFixture::start(builder.clone()).await;
    let mut browser = fixture.administrator().await;
    let form = browser.consent(&fixture.authorize_path(&[])).await;
    assert_eq!(form.0.iter().filter(|(name, _)| name == "scope").count(), 2, "both scopes are ticked: {form:?}");
    let without_scopes =
        form.0.iter().filter(|(name, _)| name != "scope").map(|(name, value)| (name.as_str(), value.as_str()));
    let without_scopes: Vec<_> = without_scopes.chain([("decision", "allow")]).collect();
    let page = browser.post("/authorize", &without_scopes).await.expect(400).text();
    assert!(page.contains("Tick what the program may do"), "{page}");
    let read_only = form.with(&[("scope", "mcp:read"), ("decision", "allow")]);
    let callback = super::flow::callback_parameters(&browser.post("/authorize", &read_only).await.expect(303));
    let token = fixture.exchange(&callback["code"]).await.expect(200).json();
    assert_eq!(token["scope"], "mcp:read");
    // A client cannot get more than it asked for.
    let form = browser.consent(&fixture.authorize_path(&[("scope", Some("mcp:read openid"))])).await;
    let more = [form.with(&[("decision", "allow")]), vec![("scope", "mcp:write")]].concat();
    let callback = super::flow::callback_parameters(&browser.post("/authorize", &more).await.expect(303));
    assert_eq!(fixture.exchange(&callback["code"]).await.expect(200).json()["scope"], "mcp:read");
}
