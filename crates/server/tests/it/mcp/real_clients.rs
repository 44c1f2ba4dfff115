//! Clients of other projects, each a small program in `tests/clients` that looks around in a server with a key and
//! prints what it saw.

use std::process::Command;

use serde_json::Value;
use toolgate_testkit::mcp::{MODERN, NEWEST_LEGACY};

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

/// A client that is turned away looks for a login; there is none, and it has to say so instead of waiting or
/// stumbling over what it finds.
#[tokio::test]
async fn a_wrong_key_ends_in_an_error_that_says_so() {
    let Some(installed) = Installed::find() else { return };
    let weather = Weather::start().await;
    for (mut program, mode) in [
        (installed.python("python_mcp.py"), "legacy"),
        (installed.python("python_mcp.py"), "auto"),
        (installed.python("python_fastmcp.py"), "auto"),
        (installed.javascript("js_sdk.mjs"), "legacy"),
        (installed.javascript("js_client.mjs"), "auto"),
    ] {
        program.env("TOOLGATE_URL", weather.endpoint.url()).env("TOOLGATE_KEY", "wrong").env("TOOLGATE_MODE", mode);
        let shown = format!("{program:?}");
        let said = run(program);
        let names_it = ["401", "Unauthorized"].iter().any(|word| said.stderr.contains(word));
        assert!(said.status == Some(1) && names_it, "{shown}: {said}");
    }
    assert_eq!(weather.upstream.hits(), 0);
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
    assert!(matches!(&server, Some(Value::Null)) || server == Some("weather".into()), "{server:?}");
    assert_eq!(seen, Weather::seen(protocol));
    weather.assert_called_once();
}
