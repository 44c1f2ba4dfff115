//! The official conformance suite, run against a server whose tools, prompts and resources are the ones it asks for.
//!
//! What it asks for are rows like anybody's, made over the management API. Which scenarios we do not pass is written
//! here, each with its reason, and has to stay true in both directions. docs/conformance.md tells the same in words.

mod asking;
mod objects;
mod report;
mod upstream;

use serde_json::json;
use toolgate_testkit::Upstream;

use super::endpoint::Endpoint;
use super::installed::Installed;
use report::Report;

/// A request of the server to the client in the middle of a call, which an HTTP API behind a tool has no way to make.
const ASKS_THE_CLIENT: [&str; 4] =
    ["elicitation-sep1034-defaults", "elicitation-sep1330-enums", "tools-call-elicitation", "tools-call-sampling"];
/// A prompt that asks the user back; ours are templates.
const PROMPT_ASKS_BACK: &str = "input-required-result-non-tool-request";
/// The extension for long-running tasks, which is optional and which we do not have.
const TASKS: &str = "tasks-";

#[tokio::test]
async fn of_2026_07_28_one_required_scenario_is_missing() {
    let Some(installed) = Installed::find() else { return };
    let stage = Stage::set().await;
    let report = Report::of_requirements(&installed, stage.endpoint.url(), "2026-07-28");
    report.assert_failing(&[PROMPT_ASKS_BACK], &stage.endpoint.app);
    report.assert_failing_unscored(|scenario| scenario.starts_with(TASKS), &stage.endpoint.app);
    report.assert_counts(36, 37);
    report.assert_no_warnings();
}

#[tokio::test]
async fn of_2025_11_25_four_required_scenarios_are_missing() {
    let Some(installed) = Installed::find() else { return };
    let stage = Stage::set().await;
    let report = Report::of_requirements(&installed, stage.endpoint.url(), "2025-11-25");
    report.assert_failing(&ASKS_THE_CLIENT, &stage.endpoint.app);
    report.assert_failing_unscored(|_| false, &stage.endpoint.app);
    report.assert_counts(26, 30);
    report.assert_no_warnings();
}

/// A server with everything that the suite looks for.
struct Stage {
    endpoint: Endpoint,
    _upstream: Upstream,
}

impl Stage {
    /// The suite brings no key and asks hundreds of times.
    async fn set() -> Self {
        let upstream = upstream::start();
        let endpoint =
            Endpoint::start(json!({"name": "Conformance", "auth_type": "none", "rate_limit_per_min": 0})).await;
        for tool in objects::tools(&upstream) {
            endpoint.tool(tool).await;
        }
        for tool in Self::tools_that_change_us(&endpoint).await {
            endpoint.tool(tool).await;
        }
        for prompt in objects::prompts() {
            endpoint.prompt(prompt).await;
        }
        for resource in objects::resources(&upstream) {
            endpoint.resource(resource).await;
        }
        Self { endpoint, _upstream: upstream }
    }

    /// Tools whose upstream is our own management API: calling one changes a list, and whoever listens hears of it.
    async fn tools_that_change_us(endpoint: &Endpoint) -> [serde_json::Value; 2] {
        let spare = endpoint.tool(objects::spare_tool()).await;
        let api = endpoint.app.api_base();
        let key = endpoint.app.key();
        [
            objects::calling_back("test_trigger_tool_change", &format!("{api}/tools/{}/toggle", spare["id"]), &key),
            objects::creating_a_prompt(
                "test_trigger_prompt_change",
                &format!("{api}{}", endpoint.path("/prompts")),
                &key,
            ),
        ]
    }
}
