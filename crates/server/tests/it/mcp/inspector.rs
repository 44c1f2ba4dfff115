//! The MCP Inspector on the command line, one run for each thing it is asked.

use serde_json::{Value, json};

use super::installed::{Installed, run};
use super::weather::Weather;

#[tokio::test]
async fn the_inspector_looks_around_after_a_handshake() {
    look_around("legacy").await;
}

#[tokio::test]
async fn the_inspector_looks_around_without_a_handshake() {
    look_around("modern").await;
}

async fn look_around(era: &str) {
    let Some(installed) = Installed::find() else { return };
    let weather = Weather::start().await;
    let ask = |arguments: &[&str]| ask(&installed, &weather, era, arguments);

    // --strict lints the schemas of all tools and fails when a client could not use one.
    let tools = ask(&["tools/list", "--strict"]);
    let names: Vec<&Value> = tools["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["get_weather", "say_hello"]);

    let called = ask(&["tools/call", "--tool-name", "get_weather", "--tool-arg", "city=Zürich"]);
    assert_eq!(called["content"], json!([{"type": "text", "text": "Sunny in Zürich"}]));

    let prompt = ask(&["prompts/get", "--prompt-name", "describe_city", "--prompt-args", "city=Lima"]);
    assert_eq!(prompt["messages"], json!([{"role": "user", "content": {"type": "text", "text": "Describe Lima."}}]));

    let resource = ask(&["resources/read", "--uri", "docs://umbrella"]);
    assert_eq!(resource["contents"][0]["text"], "Take one.");
    weather.assert_called_once();
}

/// The result that one run prints; `arguments` begin with the method.
fn ask(installed: &Installed, weather: &Weather, era: &str, arguments: &[&str]) -> Value {
    let mut command = installed.package_command("mcp-inspector");
    command.args(["--cli", weather.endpoint.url(), "--transport", "http", "--format", "json"]);
    command.args(["--header", &format!("X-API-Key: {}", weather.key), "--protocol-era", era, "--method"]);
    command.args(arguments);
    let said = run(command);
    let printed = serde_json::from_str::<Value>(&said.stdout).ok();
    match printed {
        Some(printed) if said.status == Some(0) => printed["result"].clone(),
        _ => panic!("the Inspector failed at {arguments:?}: {said}\n{}", weather.endpoint.app.logs()),
    }
}
