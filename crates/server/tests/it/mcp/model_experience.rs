//! What `make model` checks without measuring: responses that are shortened for models, and the recorded scores.

#[path = "../../../../../bench/model/recorded.rs"]
mod recorded;
#[path = "../../../../../bench/model/recount.rs"]
mod recount;
#[path = "../../../../../bench/model/response_check.rs"]
mod response_check;
#[path = "../../../../../bench/model/responses.rs"]
mod responses;

use toolgate_testkit::failure_cases::{FailureCase, failure_cases, unknown_tool_cases};

use crate::toolgate;
use recorded::{Score, recorded_score};
use response_check::ResponseReport;

/// The factor by which shaping must reduce the tokens of all responses together.
const REDUCTION_MIN: usize = 20;

#[tokio::test]
async fn shortened_responses_keep_every_fact_and_say_what_is_left_out() {
    let reports = response_check::check_responses(toolgate()).await;
    let problems: Vec<String> = reports
        .iter()
        .flat_map(|report| report.problems.iter().map(|problem| format!("{}: {problem}", report.name)))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let sum = |tokens: fn(&ResponseReport) -> usize| reports.iter().map(tokens).sum::<usize>();
    let (before, after) = (sum(|report| report.before), sum(|report| report.after));
    assert!(before >= after * REDUCTION_MIN, "{before} tokens became {after}");
    assert!(reports.iter().all(|report| report.parts > 0 && report.facts_in_first_part <= report.facts));
}

#[test]
fn the_documentation_records_the_maximum_score_for_failure_texts() {
    let document = include_str!("../../../../../docs/model.md");
    let possible = failure_cases().iter().chain(&unknown_tool_cases()).map(FailureCase::possible_points).sum();
    assert_eq!(recorded_score(document, "failure texts"), Some(Score { points: possible, possible }));
}

#[test]
fn scores_are_read_from_a_table_and_compared_as_shares() {
    let table = "| score | last run |\n|---|---|\n| failure texts | 1,200 of 1,210 |\n| other | 3 |\n";
    let recorded = recorded_score(table, "failure texts");
    assert_eq!(recorded, Some(Score { points: 1200, possible: 1210 }));
    assert_eq!(recorded_score(table, "other"), None);
    assert_eq!(recorded_score(table, "missing"), None);
    let score = |points, possible| Score { points, possible };
    assert!(score(9, 10).is_below(score(10, 10)));
    assert!(!score(19, 20).is_below(score(9, 10)));
}
