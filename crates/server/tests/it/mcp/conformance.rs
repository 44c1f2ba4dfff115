//! The official conformance suite, run against a server with the tools, prompts and resources that it expects.
//!
//! The objects are created over the management API. The constants list the scenarios that fail, with the reason. The
//! tests fail if a listed scenario passes or an unlisted one fails. docs/conformance.md explains the failures.

mod input_required;
mod objects;
mod report;
mod upstream;

use serde_json::json;
use toolgate_testkit::{ServiceFixture, Upstream};

use super::client_programs::ClientPrograms;
use super::management;
use report::Report;

/// Scenarios in which the server sends a request to the client during a call. The HTTP API behind a tool cannot do
/// this.
const SERVER_REQUESTS: [&str; 4] =
    ["elicitation-sep1034-defaults", "elicitation-sep1330-enums", "tools-call-elicitation", "tools-call-sampling"];
/// A scenario with a prompt that requires input from the user. Toolgate's prompts are templates.
const PROMPT_REQUIRES_INPUT: &str = "input-required-result-non-tool-request";
/// Prefix of the scenarios for long-running tasks, an optional extension that Toolgate does not implement.
const TASKS_PREFIX: &str = "tasks-";

#[tokio::test]
async fn one_required_scenario_of_2026_07_28_fails() {
    let Some(client_programs) = ClientPrograms::find() else { return };
    let server = ConformanceServer::start().await;
    let report = Report::run_requirements(&client_programs, server.fixture.url(), "2026-07-28");
    report.assert_failing(&[PROMPT_REQUIRES_INPUT], &server.fixture.app);
    report.assert_failing_optional(|scenario| scenario.starts_with(TASKS_PREFIX), &server.fixture.app);
    report.assert_counts(36, 37);
    report.assert_no_warnings();
}

#[tokio::test]
async fn four_required_scenarios_of_2025_11_25_fail() {
    let Some(client_programs) = ClientPrograms::find() else { return };
    let server = ConformanceServer::start().await;
    let report = Report::run_requirements(&client_programs, server.fixture.url(), "2025-11-25");
    report.assert_failing(&SERVER_REQUESTS, &server.fixture.app);
    report.assert_failing_optional(|_| false, &server.fixture.app);
    report.assert_counts(26, 30);
    report.assert_no_warnings();
}

/// A server with every object that the suite expects.
struct ConformanceServer {
    fixture: ServiceFixture,
    _upstream: Upstream,
}

impl ConformanceServer {
    /// The suite sends no key and makes hundreds of requests, so the server has no key and no rate limit.
    async fn start() -> Self {
        let upstream = upstream::start();
        let fixture =
            management::start_server(json!({"name": "Conformance", "auth_type": "none", "rate_limit_per_min": 0}))
                .await;
        for tool in objects::tools(&upstream) {
            fixture.create("/tools", tool).await;
        }
        for tool in Self::tools_that_change_lists(&fixture).await {
            fixture.create("/tools", tool).await;
        }
        for prompt in objects::prompts() {
            fixture.create("/prompts", prompt).await;
        }
        for resource in objects::resources(&upstream) {
            fixture.create("/resources", resource).await;
        }
        Self { fixture, _upstream: upstream }
    }

    /// Tools whose upstream is Toolgate's own management API: calling one changes a list and sends a notification.
    async fn tools_that_change_lists(fixture: &ServiceFixture) -> [serde_json::Value; 2] {
        let spare = fixture.create("/tools", objects::spare_tool()).await;
        let api = fixture.app.api_base();
        let key = fixture.app.key();
        [
            objects::management_tool("test_trigger_tool_change", &format!("{api}/tools/{}/toggle", spare["id"]), &key),
            objects::prompt_creation_tool(
                "test_trigger_prompt_change",
                &format!("{api}{}", fixture.path("/prompts")),
                &key,
            ),
        ]
    }
}
