//! The pages of the console for sign-in, in Chromium: who may use a server, connected apps, OAuth clients, own
//! connections, and callers in the call log.

use serde_json::{Value, json};
use toolgate_domain::ids::UserId;
use toolgate_testkit::{Client, McpClient, MockResponse, Upstream, free_address};

use super::flow::{OAuthFixture, WebSession};
use super::signed_tokens::{client_with, start_server, token_for};
use crate::console::browser::Browser;
use crate::toolgate;

/// Allows the client of the fixture access, and returns an MCP client with its token.
async fn connect(fixture: &OAuthFixture, browser: &mut WebSession) -> McpClient {
    let callback = browser.allow(&fixture.authorize_path(&[])).await;
    let tokens = fixture.exchange(&callback["code"]).await.expect(200).json();
    McpClient::new(fixture.endpoint()).bearer(tokens["access_token"].as_str().unwrap())
}

async fn list_tools(program: &McpClient) -> u16 {
    program.send("tools/list", json!({})).await.status
}

#[tokio::test]
async fn the_owner_chooses_sign_in_and_sees_the_address_and_the_steps() {
    let Some(browser) = Browser::find() else { return };
    let app = toolgate().start();
    let api = app.client();
    let server = api.create("/servers", json!({"name": "Weather", "auth_type": "api-key"})).await;
    let output = browser.run("access_sign_in.mjs", &app, &json!({"server": server["id"]})).await;
    assert_eq!(output["address"], server["endpoint_url"], "{output:#}");
    for (client, part) in [
        ("Claude", "Add custom connector"),
        ("ChatGPT", "Developer mode"),
        ("Claude Code", "claude mcp add --transport http"),
        ("VS Code", "MCP: Add Server"),
        ("Cursor", "~/.cursor/mcp.json"),
    ] {
        let steps = output["steps"][client].as_str().unwrap();
        assert!(steps.contains(part) && steps.contains("Sign in at Toolgate"), "{client}: {output:#}");
    }
    assert!(output.text("/warning").contains("All connected apps lose access"), "{output:#}");
    assert_eq!((&output["saved"], &output["kept"], &output["faults"]), (&json!(true), &json!(true), &json!([])));
    let saved = api.read(&format!("/servers/{}", server["id"])).await;
    let settings = json!({"access": "users", "access_token_ttl": 86_400, "keys": false});
    assert_eq!((&saved["auth_type"], &saved["settings"]["oauth"]), (&json!("oauth"), &settings), "{saved:#}");
}

#[tokio::test]
async fn a_service_that_cannot_issue_tokens_says_what_to_set_before_anything_is_saved() {
    let Some(browser) = Browser::find() else { return };
    let address = free_address();
    let builder = toolgate().env("TOOLGATE_LISTEN", address.to_string());
    let app = builder.env("TOOLGATE_BASE_URL", "http://tools.example").start();
    let api = Client::new(&format!("http://{address}/wp-json/toolgate/v1"), Some(&app.key()));
    let issuer = json!({"issuer": null, "problem": "not_https"});
    assert_eq!(api.read("/oauth/issuer").await, issuer);
    let server = api.create("/servers", json!({"name": "Weather", "auth_type": "api-key"})).await;
    let input = json!({"server": server["id"]});
    let output = browser.run_at("no_issuer.mjs", &format!("http://{address}/"), &app.key(), &input).await;
    output.assert_no_errors();
    let callout = output.text("/callout");
    assert!(callout.contains("TOOLGATE_BASE_URL") && callout.contains("not https"), "{output:#}");
    assert_eq!((&output["isOffered"], &output["isOfferedForOther"]), (&json!(false), &json!(false)), "{output:#}");
    assert_eq!(output["changes"], json!([]), "{output:#}");
    assert_eq!(api.read(&format!("/servers/{}", server["id"])).await["auth_type"], "api-key");
}

#[tokio::test]
async fn the_owner_ends_the_access_of_a_connected_app_and_its_next_call_is_refused() {
    let Some(browser) = Browser::find() else { return };
    let fixture = OAuthFixture::start(toolgate()).await;
    let program = connect(&fixture, &mut fixture.administrator().await).await;
    assert_eq!(list_tools(&program).await, 200);
    let output = browser.run("connected_apps.mjs", &fixture.app, &json!({"server": fixture.server["id"]})).await;
    output.assert_no_errors();
    let connected = output.text("/connected");
    for part in ["“Test client”", "registered itself, not verified", "client.example", "admin", "Read and change"] {
        assert!(connected.contains(part), "{part}: {output:#}");
    }
    assert!(output.text("/warning").contains("Its next request is refused"), "{output:#}");
    assert!(output.text("/empty").contains("Add the address of this server"), "{output:#}");
    assert_eq!(output["faults"], json!([]), "{output:#}");
    assert_eq!(list_tools(&program).await, 401);
    assert_eq!(fixture.grant_count().await, 0);
}

#[tokio::test]
async fn an_administrator_registers_and_blocks_a_client_and_invites_a_user() {
    let Some(browser) = Browser::find() else { return };
    let fixture = OAuthFixture::start(toolgate()).await;
    fixture.api.create_user("ada", "member").await;
    let output = browser.run("oauth_clients.mjs", &fixture.app, &json!({"user": "ada"})).await;
    assert!(output.text("/error").contains("Address 2"), "the error names the line: {output:#}");
    assert!(output.text("/secret").starts_with("tgs_"), "{output:#}");
    assert_eq!(output["shownAgain"], false, "the secret is shown once");
    assert!(output.text("/warning").contains("All access that people gave it ends"), "{output:#}");
    let clients = fixture.api.read("/oauth/clients").await;
    let client = clients.as_array().unwrap().iter().find(|client| client["client_id"] == output["id"]).unwrap();
    assert_eq!((&client["kind"], &client["status"]), (&json!("preregistered"), &json!("blocked")), "{client:#}");
    let invitation = output.text("/invitation").strip_prefix(&fixture.app.origin()).unwrap();
    let page = fixture.visitor().get(invitation).await.expect(200).text();
    assert!(page.contains("ada"), "{page}");
}

#[tokio::test]
async fn a_member_sees_and_ends_only_own_connections() {
    let Some(browser) = Browser::find() else { return };
    let fixture = OAuthFixture::start(toolgate()).await;
    let path = format!("/servers/{}", fixture.server["id"]);
    let settings = json!({"settings": {"oauth": {"access": "users"}}});
    fixture.api.patch(&path).json(settings).send().await.expect(200);
    let ada = fixture.api.create_user("ada", "member").await;
    let key = fixture.api.create("/api-keys", json!({"name": "k", "user_id": ada, "scopes": ["mcp"]})).await;
    let mut session = fixture.visitor();
    session.sign_in_with_key(key["key"].as_str().unwrap()).await.expect(303);
    let program = connect(&fixture, &mut session).await;
    let of_administrator = connect(&fixture, &mut fixture.administrator().await).await;
    let output = browser.run("my_connections.mjs", &fixture.app, &json!({"memberKey": key["key"]})).await;
    // Pages that a member may not see request nothing.
    output.assert_no_errors();
    assert!(output.text("/connected").contains("Weather"), "{output:#}");
    assert!(output.text("/note").contains("You are signed in as ada (Member)"), "{output:#}");
    assert_eq!(output["pages"], json!(["My connections"]), "{output:#}");
    assert_eq!(output["commands"].as_array().map(Vec::len), Some(1), "{output:#}");
    assert_eq!(output["faults"], json!([]), "{output:#}");
    assert_eq!((list_tools(&program).await, list_tools(&of_administrator).await), (401, 200));
}

#[tokio::test]
async fn the_call_log_shows_and_filters_callers() {
    let Some(browser) = Browser::find() else { return };
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server(upstream, json!({})).await;
    fixture.create_tool(json!({"name": "t", "endpoint_url": "/t"})).await;
    let ada = fixture.api.create("/users", json!({"name": "ada", "role": "owner"})).await;
    let mut token = token_for(&fixture.server);
    token.user_id = UserId(ada["id"].as_i64().unwrap());
    client_with(&fixture, &token).text("t", json!({})).await;
    let key = fixture.create("/keys", json!({"name": "script"})).await;
    McpClient::new(fixture.url()).bearer(key["key"].as_str().unwrap()).text("t", json!({})).await;
    // Reading the log waits until the calls are recorded.
    assert_eq!(fixture.api.read("/calls").await.as_array().map(Vec::len), Some(2));
    let output = browser.run("callers.mjs", &fixture.app, &Value::Null).await;
    output.assert_no_errors();
    let all = [output.text("/all/0"), output.text("/all/1")].concat();
    assert!(all.contains("ada user") && all.contains("script key"), "{output:#}");
    assert_eq!(output["filtered"].as_array().map(Vec::len), Some(1), "{output:#}");
    assert!(output.text("/filtered/0").contains("ada user"), "{output:#}");
    assert!(output.text("/details").contains("Caller"), "{output:#}");
    assert!(output.text("/address").contains(&format!("caller=user%3A{}", ada["id"])), "{output:#}");
}
