//! The MCP Inspector on the command line, one run per request.

use serde_json::{Value, json};

use super::client_programs::{ClientPrograms, run};
use super::weather::WeatherServer;

#[tokio::test]
async fn the_inspector_uses_the_server_after_a_handshake() {
    use_server("legacy").await;
}

#[tokio::test]
async fn the_inspector_uses_the_server_without_a_handshake() {
    use_server("modern").await;
}

async fn use_server(era: &str) {
    let Some(client_programs) = ClientPrograms::find() else { return };
    let weather = WeatherServer::start().await;
    let inspect = |arguments: &[&str]| inspect(&client_programs, &weather, era, arguments);

    // --strict lints the schemas of all tools and fails when a client could not use one.
    let tools = inspect(&["tools/list", "--strict"]);
    let names: Vec<&Value> = tools["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["get_weather", "say_hello"]);

    let called = inspect(&["tools/call", "--tool-name", "get_weather", "--tool-arg", "city=Zürich"]);
    assert_eq!(called["content"], json!([{"type": "text", "text": "Sunny in Zürich"}]));

    let prompt = inspect(&["prompts/get", "--prompt-name", "describe_city", "--prompt-args", "city=Lima"]);
    assert_eq!(prompt["messages"], json!([{"role": "user", "content": {"type": "text", "text": "Describe Lima."}}]));

    let resource = inspect(&["resources/read", "--uri", "docs://umbrella"]);
    assert_eq!(resource["contents"][0]["text"], "Take one.");
    weather.assert_called_once();
}

/// The result that one run prints; the first argument is the method.
fn inspect(client_programs: &ClientPrograms, weather: &WeatherServer, era: &str, arguments: &[&str]) -> Value {
    let mut command = client_programs.package_command("mcp-inspector");
    command.args(["--cli", weather.fixture.url(), "--transport", "http", "--format", "json"]);
    command.args(["--header", &format!("X-API-Key: {}", weather.key), "--protocol-era", era, "--method"]);
    command.args(arguments);
    let output = run(command);
    let printed = serde_json::from_str::<Value>(&output.stdout).ok();
    match printed {
        Some(printed) if output.status == Some(0) => printed["result"].clone(),
        _ => panic!("the Inspector failed at {arguments:?}: {output}\n{}", weather.fixture.app.logs()),
    }
}
