//! Third-party clients. Each is a small program in `tests/clients` that uses every feature of a server with a key and
//! prints what it received.

use std::process::Command;

use serde_json::Value;
use toolgate_testkit::mcp::{MODERN, NEWEST_LEGACY};

use super::client_programs::{ClientPrograms, run};
use super::weather::WeatherServer;

#[tokio::test]
async fn the_python_sdk_uses_the_server_after_a_handshake() {
    run_python("python_mcp.py", "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_python_sdk_negotiates_the_modern_revision() {
    run_python("python_mcp.py", "auto", MODERN).await;
}

#[tokio::test]
async fn the_python_sdk_uses_the_server_without_a_handshake() {
    run_python("python_mcp.py", MODERN, MODERN).await;
}

#[tokio::test]
async fn fastmcp_uses_the_server_after_a_handshake() {
    run_python("python_fastmcp.py", "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn fastmcp_negotiates_the_modern_revision() {
    run_python("python_fastmcp.py", "auto", MODERN).await;
}

#[tokio::test]
async fn the_javascript_sdk_uses_the_server_after_a_handshake() {
    run_javascript("js_sdk.mjs", "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_javascript_client_uses_the_server_after_a_handshake() {
    run_javascript("js_client.mjs", "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_javascript_client_negotiates_the_modern_revision() {
    run_javascript("js_client.mjs", "auto", MODERN).await;
}

#[tokio::test]
async fn the_javascript_client_uses_the_server_without_a_handshake() {
    run_javascript("js_client.mjs", MODERN, MODERN).await;
}

/// A client that gets a 401 looks for an OAuth login. There is none, and the client must report the error instead of
/// waiting or failing on the discovery replies.
#[tokio::test]
async fn a_wrong_key_is_reported_as_an_error() {
    let Some(client_programs) = ClientPrograms::find() else { return };
    let weather = WeatherServer::start().await;
    for (mut program, mode) in [
        (client_programs.python("python_mcp.py"), "legacy"),
        (client_programs.python("python_mcp.py"), "auto"),
        (client_programs.python("python_fastmcp.py"), "auto"),
        (client_programs.javascript("js_sdk.mjs"), "legacy"),
        (client_programs.javascript("js_client.mjs"), "auto"),
    ] {
        program.env("TOOLGATE_URL", weather.fixture.url()).env("TOOLGATE_KEY", "wrong").env("TOOLGATE_MODE", mode);
        let command_line = format!("{program:?}");
        let output = run(program);
        let names_cause = ["401", "Unauthorized"].iter().any(|word| output.stderr.contains(word));
        assert!(output.status == Some(1) && names_cause, "{command_line}: {output}");
    }
    assert_eq!(weather.upstream.request_count(), 0);
}

async fn run_python(program: &str, mode: &str, protocol: &str) {
    if let Some(client_programs) = ClientPrograms::find() {
        use_server(client_programs.python(program), mode, protocol).await;
    }
}

async fn run_javascript(program: &str, mode: &str, protocol: &str) {
    if let Some(client_programs) = ClientPrograms::find() {
        use_server(client_programs.javascript(program), mode, protocol).await;
    }
}

async fn use_server(mut program: Command, mode: &str, protocol: &str) {
    let weather = WeatherServer::start().await;
    let output = run({
        program.env("TOOLGATE_URL", weather.fixture.url()).env("TOOLGATE_KEY", &weather.key).env("TOOLGATE_MODE", mode);
        program
    });
    let report = output.stdout.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let Some(mut report) = report.filter(|_| output.status == Some(0)) else {
        panic!("the client failed: {output}\n{}", weather.fixture.app.logs());
    };
    // A Python client with a configured revision does not request the server's name.
    let server = report.as_object_mut().and_then(|report| report.remove("server"));
    assert!(matches!(&server, Some(Value::Null)) || server == Some("weather".into()), "{server:?}");
    assert_eq!(report, WeatherServer::expected_report(protocol));
    weather.assert_called_once();
}
