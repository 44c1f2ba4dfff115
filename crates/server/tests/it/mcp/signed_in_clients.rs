//! Third-party clients that sign in with OAuth: each finds the issuer from the URL of the endpoint alone, registers itself,
//! sends a person to the pages, and calls a tool with its token. The person is part of the program in `tests/clients`.

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

fn javascript(programs: &ClientPrograms, package: &str) -> Command {
    let mut program = programs.javascript("js_oauth.mjs");
    program.env("TOOLGATE_PACKAGE", package);
    program
}

async fn sign_in(program: impl FnOnce(&ClientPrograms) -> Command, mode: &str, protocol: &str) {
    let Some(programs) = ClientPrograms::find() else { return };
    let weather = WeatherServer::start().await;
    let endpoint = &weather.endpoint;
    let settings = json!({"auth_type": "oauth", "settings": {"oauth": {"keys": false}}});
    endpoint.api.patch(&endpoint.path("")).json(settings).send().await.expect(200);
    let mut program = program(&programs);
    program.env("TOOLGATE_URL", endpoint.url()).env("TOOLGATE_KEY", endpoint.app.key()).env("TOOLGATE_MODE", mode);
    let output = run(program);
    let report = output.stdout.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let Some(report) = report.filter(|_| output.status == Some(0)) else {
        panic!("the client failed: {output}\n{}", endpoint.app.logs());
    };
    let grants = endpoint.api.read(&endpoint.path("/grants")).await;
    assert_eq!(grants.as_array().map(Vec::len), Some(1), "{grants}");
    let expected = json!({
        "protocol": protocol,
        "tools": ["get_weather", "say_hello"],
        "called": "Sunny in Zürich",
        "client_id": grants[0]["client_id"],
        "refresh_token": true,
    });
    assert_eq!(report, expected, "{output}");
    let call = &endpoint.api.read("/calls").await[0];
    assert_eq!((&call["caller"]["kind"], &call["caller"]["id"]), (&json!("user"), &grants[0]["user_id"]));
    weather.assert_called_once();
}
