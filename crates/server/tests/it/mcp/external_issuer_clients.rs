//! Third-party clients at a server whose issuer is the npm package `oidc-provider`: each finds that issuer from the URL
//! of the endpoint alone, registers itself there, and calls a tool with the JWT that it got.

use std::process::Command;

use serde_json::json;
use toolgate_testkit::mcp::{MODERN, NEWEST_LEGACY};

use super::client_programs::ClientPrograms;
use super::running_program::RunningProgram;
use super::signed_in_clients::{expected_report, javascript, run_at};
use super::weather::WeatherServer;

#[tokio::test]
async fn the_python_sdk_signs_in_at_an_external_issuer_after_a_handshake() {
    sign_in(|programs| programs.python("python_mcp_oauth.py"), "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_python_sdk_signs_in_at_an_external_issuer_with_the_modern_revision() {
    sign_in(|programs| programs.python("python_mcp_oauth.py"), "auto", MODERN).await;
}

#[tokio::test]
async fn fastmcp_signs_in_at_an_external_issuer() {
    sign_in(|programs| programs.python("python_fastmcp_oauth.py"), "auto", MODERN).await;
}

#[tokio::test]
async fn the_javascript_sdk_signs_in_at_an_external_issuer() {
    sign_in(|programs| javascript(programs, "sdk"), "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_javascript_client_signs_in_at_an_external_issuer_after_a_handshake() {
    sign_in(|programs| javascript(programs, "client"), "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_javascript_client_signs_in_at_an_external_issuer_with_the_modern_revision() {
    sign_in(|programs| javascript(programs, "client"), "auto", MODERN).await;
}

async fn sign_in(program: impl FnOnce(&ClientPrograms) -> Command, mode: &str, protocol: &str) {
    let Some(programs) = ClientPrograms::find() else { return };
    let issuer = RunningProgram::start(programs.javascript("oidc_provider.mjs"));
    let weather = WeatherServer::start().await;
    let fixture = &weather.fixture;
    let oauth = json!({
        "issuer": issuer.url,
        "keys": false,
        "name_claim": "name",
        "allow": [{"claim": "groups", "any_of": ["weather"]}],
        "scope_read": "weather:read",
        "scope_write": "weather:write",
    });
    let settings = json!({"auth_type": "oauth", "settings": {"oauth": oauth}});
    fixture.api.patch(&fixture.path("")).json(settings).send().await.expect(200);
    let report = run_at(&weather, program(&programs), mode).await;
    assert!(report["client_id"].is_string(), "{report}");
    assert_eq!(report, expected_report(protocol, &report["client_id"]));
    let clients = fixture.api.read("/oauth/clients").await;
    assert_eq!(clients, json!([]), "the built-in issuer was not used");
    let caller = fixture.api.read("/calls").await[0]["caller"].clone();
    assert_eq!((&caller["kind"], &caller["name"]), (&json!("subject"), &json!("Ada Lovelace")), "{caller}");
    assert_no_token_upstream(&weather);
}

/// The token of a client is for the endpoint, and never for the upstream.
fn assert_no_token_upstream(weather: &WeatherServer) {
    weather.assert_called_once();
    let received = format!("{:?}", weather.upstream.last()).to_lowercase();
    assert!(!received.contains("bearer"), "{received}");
}
