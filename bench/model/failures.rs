//! Rates the texts of failures.

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
    /// The rules that texts break, with the names of their cases.
    pub(crate) lost: Vec<String>,
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
        report.perfect += usize::from(score.lost.is_empty());
        report.points += score.points();
        report.possible += score.possible;
        report.secrets.extend(score.has_secret.then_some(case.name));
        let lost = score.lost.iter().map(|(rule, problem)| format!("{}: {rule} ({problem})", case.name));
        report.lost.extend(lost);
    }
    report
}
