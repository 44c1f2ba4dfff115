//! The web interface of the MCP Inspector, in Chromium: a person connects it to a server, signs in, allows access, and
//! calls a tool.

use serde_json::json;
use toolgate_testkit::free_port;

use super::client_programs::ClientPrograms;
use super::running_program::RunningProgram;
use super::weather::WeatherServer;
use crate::console::browser::Browser;

#[tokio::test]
async fn a_person_signs_in_with_the_inspector_after_a_handshake() {
    sign_in("legacy").await;
}

#[tokio::test]
async fn a_person_signs_in_with_the_inspector_without_a_handshake() {
    sign_in("modern").await;
}

async fn sign_in(era: &str) {
    let (Some(programs), Some(browser)) = (ClientPrograms::find(), Browser::find()) else { return };
    let weather = WeatherServer::start().await;
    let fixture = &weather.fixture;
    let settings = json!({"auth_type": "oauth", "settings": {"oauth": {"keys": false}}});
    fixture.api.patch(&fixture.path("")).json(settings).send().await.expect(200);
    let inspector = start_inspector(&programs, fixture.url(), era);
    let output = browser.run("inspector.mjs", &fixture.app, &json!({"inspector": inspector.url})).await;
    assert_eq!(output["tools"], json!(["get_weather", "say_hello"]), "{output:#}");
    for part in ["Inspector", "Weather", "a program on this computer", "It registered itself"] {
        assert!(output.text("/consent").contains(part), "{part}: {output:#}");
    }
    assert_eq!((&output["errors"], &output["dialogs"]), (&json!([]), &json!([])), "{output:#}");
    let grants = fixture.api.read(&fixture.path("/grants")).await;
    assert_eq!((grants.as_array().map(Vec::len), &grants[0]["redirect_host"]), (Some(1), &json!("127.0.0.1")));
    let call = &fixture.api.read("/calls").await[0];
    assert_eq!((&call["caller"]["kind"], &call["caller"]["id"]), (&json!("user"), &grants[0]["user_id"]), "{call}");
    weather.assert_called_once();
}

/// Starts the web interface for one server.
fn start_inspector(programs: &ClientPrograms, url: &str, era: &str) -> RunningProgram {
    let mut command = programs.package_command("mcp-inspector");
    command.args(["--web", "--server-url", url, "--transport", "http", "--protocol-era", era]);
    command.env("CLIENT_PORT", free_port().to_string());
    // These ports belong to parts that the test does not use; 0 is any free port.
    command.env("MCP_SANDBOX_PORT", "0").env("MCP_APP_ORIGIN_PORT", "0");
    command.env("MCP_AUTO_OPEN_ENABLED", "false").env("MCP_INSPECTOR_SECRET_STORE", "memory");
    RunningProgram::start(command)
}
