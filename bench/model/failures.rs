//! Rates the texts of failing calls.

use serde_json::json;
use toolgate_testkit::failure_cases::{FailureReply, failure_cases, start, unknown_tool_cases};
use toolgate_testkit::running_service::ServiceBuilder;

/// The points of all texts.
#[derive(Default)]
pub(crate) struct FailureReport {
    pub(crate) cases: usize,
    /// Cases with all points.
    pub(crate) perfect: usize,
    pub(crate) points: usize,
    pub(crate) possible: usize,
    /// The names of cases, each with a rule that its text breaks.
    pub(crate) broken_rules: Vec<String>,
    /// The cases whose text has a secret.
    pub(crate) secrets: Vec<&'static str>,
}

/// Makes every failing call as a model would.
pub(crate) async fn measure(builder: ServiceBuilder) -> FailureReport {
    let service = start(builder, json!({})).await;
    let mcp = service.caller().legacy("2025-06-18").await;
    let mut report = FailureReport::default();
    for case in failure_cases().into_iter().chain(unknown_tool_cases()) {
        let reply = FailureReply::request(&mcp, &case).await;
        let score = case.score(&reply);
        report.cases += 1;
        report.perfect += usize::from(score.broken_rules.is_empty());
        report.points += score.points();
        report.possible += score.possible;
        report.secrets.extend(score.has_secret.then_some(case.name));
        let broken_rules =
            score.broken_rules.iter().map(|(rule, problem)| format!("{}: {rule} ({problem})", case.name));
        report.broken_rules.extend(broken_rules);
    }
    report
}
