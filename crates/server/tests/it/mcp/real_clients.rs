//! Clients of other projects, each a small program in `tests/clients` that looks around in a server with a key and
//! prints what it saw.

use std::process::Command;

use serde_json::Value;
use testkit::mcp::{MODERN, NEWEST_LEGACY};

use super::installed::{Installed, run};
use super::weather::Weather;

#[tokio::test]
async fn the_python_sdk_looks_around_after_a_handshake() {
    python("python_mcp.py", "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_python_sdk_finds_the_modern_revision_by_itself() {
    python("python_mcp.py", "auto", MODERN).await;
}

#[tokio::test]
async fn the_python_sdk_looks_around_without_a_handshake() {
    python("python_mcp.py", MODERN, MODERN).await;
}

#[tokio::test]
async fn fastmcp_looks_around_after_a_handshake() {
    python("python_fastmcp.py", "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn fastmcp_finds_the_modern_revision_by_itself() {
    python("python_fastmcp.py", "auto", MODERN).await;
}

#[tokio::test]
async fn the_javascript_sdk_looks_around_after_a_handshake() {
    javascript("js_sdk.mjs", "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_javascript_client_looks_around_after_a_handshake() {
    javascript("js_client.mjs", "legacy", NEWEST_LEGACY).await;
}

#[tokio::test]
async fn the_javascript_client_finds_the_modern_revision_by_itself() {
    javascript("js_client.mjs", "auto", MODERN).await;
}

#[tokio::test]
async fn the_javascript_client_looks_around_without_a_handshake() {
    javascript("js_client.mjs", MODERN, MODERN).await;
}

async fn python(program: &str, mode: &str, protocol: &str) {
    if let Some(installed) = Installed::find() {
        look_around(installed.python(program), mode, protocol).await;
    }
}

async fn javascript(program: &str, mode: &str, protocol: &str) {
    if let Some(installed) = Installed::find() {
        look_around(installed.javascript(program), mode, protocol).await;
    }
}

async fn look_around(mut program: Command, mode: &str, protocol: &str) {
    let weather = Weather::start().await;
    let said = run({
        program
            .env("TOOLGATE_URL", weather.endpoint.url())
            .env("TOOLGATE_KEY", &weather.key)
            .env("TOOLGATE_MODE", mode);
        program
    });
    let seen = said.stdout.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let Some(mut seen) = seen.filter(|_| said.status == Some(0)) else {
        panic!("the client failed: {said}\n{}", weather.endpoint.app.logs());
    };
    // A Python client that is told the revision asks nobody for a name.
    let server = seen.as_object_mut().and_then(|seen| seen.remove("server"));
    assert!(matches!(&server, Some(Value::Null)) || server == Some("Weather".into()), "{server:?}");
    assert_eq!(seen, Weather::seen(protocol));
    weather.assert_called_once();
}
