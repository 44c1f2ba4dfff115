//! Third-party clients that sign in with OAuth: each finds the issuer from the URL of the endpoint alone, registers
//! itself, sends a person to the sign-in pages, and calls a tool with its token. The program in `tests/clients` also
//! acts as the person.

use std::process::Command;

use serde_json::{Value, json};
use toolgate_testkit::mcp::{MODERN, NEWEST_LEGACY};

use super::client_programs::{ClientPrograms, run};
use super::weather::WeatherServer;

#[tokio::test]
async fn the_python_sdk_signs_in_after_a_handshake() {
    sign_in(|programs| programs.python("python_mcp_oauth.py"), "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_python_sdk_signs_in_with_the_modern_revision() {
    sign_in(|programs| programs.python("python_mcp_oauth.py"), "auto", MODERN).await;
}

#[tokio::test]
async fn fastmcp_signs_in_after_a_handshake() {
    sign_in(|programs| programs.python("python_fastmcp_oauth.py"), "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn fastmcp_signs_in_with_the_modern_revision() {
    sign_in(|programs| programs.python("python_fastmcp_oauth.py"), "auto", MODERN).await;
}

#[tokio::test]
async fn the_javascript_sdk_signs_in() {
    sign_in(|programs| javascript(programs, "sdk"), "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_javascript_client_signs_in_after_a_handshake() {
    sign_in(|programs| javascript(programs, "client"), "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_javascript_client_signs_in_with_the_modern_revision() {
    sign_in(|programs| javascript(programs, "client"), "auto", MODERN).await;
}

pub(super) fn javascript(programs: &ClientPrograms, package: &str) -> Command {
    let mut program = programs.javascript("js_oauth.mjs");
    program.env("TOOLGATE_PACKAGE", package);
    program
}

async fn sign_in(program: impl FnOnce(&ClientPrograms) -> Command, mode: &str, protocol: &str) {
    let Some(programs) = ClientPrograms::find() else { return };
    let weather = WeatherServer::start().await;
    let grant = call_after_sign_in(&weather, program(&programs), mode, protocol).await;
    assert_eq!(grant["client_kind"], "registered", "{grant}");
}

/// Runs a program that signs in at the built-in issuer and calls a tool, checks what it reports, and returns the grant
/// that it got.
pub(super) async fn call_after_sign_in(
    weather: &WeatherServer,
    mut program: Command,
    mode: &str,
    protocol: &str,
) -> Value {
    let fixture = &weather.fixture;
    let settings = json!({"auth_type": "oauth", "settings": {"oauth": {"keys": false}}});
    fixture.api.patch(&fixture.path("")).json(settings).send().await.expect(200);
    program.env("TOOLGATE_KEY", fixture.app.key());
    let report = run_at(weather, program, mode).await;
    let grants = fixture.api.read(&fixture.path("/grants")).await;
    assert_eq!(grants.as_array().map(Vec::len), Some(1), "{grants}");
    assert_eq!(report, expected_report(protocol, &grants[0]["client_id"]));
    let call = &fixture.api.read("/calls").await[0];
    assert_eq!((&call["caller"]["kind"], &call["caller"]["id"]), (&json!("user"), &grants[0]["user_id"]));
    weather.assert_called_once();
    grants[0].clone()
}

/// Runs a program that signs in at the endpoint of this server, and returns the report that it prints.
pub(super) async fn run_at(weather: &WeatherServer, mut program: Command, mode: &str) -> Value {
    let fixture = &weather.fixture;
    program.env("TOOLGATE_URL", fixture.url()).env("TOOLGATE_MODE", mode);
    // Does not block this thread: the service may send requests to a host that runs on it.
    let output = tokio::task::spawn_blocking(|| run(program)).await.unwrap();
    let report = output.stdout.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
    report
        .filter(|_| output.status == Some(0))
        .unwrap_or_else(|| panic!("the client failed: {output}\n{}", fixture.app.logs()))
}

/// The report of a program whose id at the issuer is `client_id`.
pub(super) fn expected_report(protocol: &str, client_id: &Value) -> Value {
    json!({
        "protocol": protocol,
        "tools": ["get_weather", "say_hello"],
        "called": "Sunny in Zürich",
        "client_id": client_id,
        "refresh_token": true,
    })
}
