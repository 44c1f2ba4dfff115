//! Checks based on recorded calls: long results, arguments on which calls fail, arguments that no call sends.

use serde_json::Value;

use crate::lint::LintedTool;
use crate::lint::evidence::{ArgumentFailures, CallEvidence, SentArguments};
use crate::lint::finding::{Finding, FindingCode};
use crate::lint::prose::with_separators;

/// Claude Code warns about results with more tokens.
const RESULT_TOKENS_MAX: usize = 10_000;
/// Number of results from which a finding is reported; fewer are not representative.
const RESULTS_MIN: usize = 5;
/// Number of failures from which a finding is reported; fewer may be the mistake of one client.
const FAILURES_MIN: usize = 3;
/// Share of failed calls from which a finding is reported, in percent.
const FAILURES_PERCENT_MIN: usize = 5;
/// Number of arguments from which unused ones are reported.
const ARGUMENTS_MIN: usize = 16;
/// Number of calls from which unused arguments are reported; fewer are not representative.
const SENDING_CALLS_MIN: usize = 20;
/// Maximum number of names that a message lists.
const NAMES_SHOWN_MAX: usize = 8;

pub(super) fn check(tool: &LintedTool<'_>, findings: &mut Vec<Finding>) {
    let Some(evidence) = tool.evidence else { return };
    check_results(tool, evidence, findings);
    for failures in &evidence.argument_failures {
        check_failures(tool, evidence, failures, findings);
    }
    if let Some(sent) = &evidence.sent_arguments {
        check_unused_arguments(tool, sent, findings);
    }
}

/// Reports long results. A budget below the limit prevents further ones, so a tool with such a budget is not reported.
fn check_results(tool: &LintedTool<'_>, evidence: &CallEvidence, findings: &mut Vec<Finding>) {
    let mut sizes = evidence.result_tokens.clone();
    sizes.sort_unstable();
    let has_budget = tool.budget.is_some_and(|budget| budget <= RESULT_TOKENS_MAX);
    if sizes.len() < RESULTS_MIN || has_budget {
        return;
    }
    let (median, high) = (percentile(&sizes, 50), percentile(&sizes, 95));
    if high > RESULT_TOKENS_MAX {
        let message = format!(
            "Answers cost {} tokens (p95 {}): Claude Code warns at {}. Give the tool a budget.",
            with_separators(median),
            with_separators(high),
            with_separators(RESULT_TOKENS_MAX)
        );
        findings.push(Finding::tool(tool.id, FindingCode::LargeAnswers, message));
    }
}

/// The percentile of sorted values, by the nearest-rank method.
fn percentile(sorted: &[usize], percent: usize) -> usize {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

fn check_failures(
    tool: &LintedTool<'_>,
    evidence: &CallEvidence,
    failures: &ArgumentFailures,
    findings: &mut Vec<Finding>,
) {
    let ArgumentFailures { argument, calls, message } = failures;
    let percent = (calls * 100 + evidence.calls / 2) / evidence.calls.max(1);
    if *calls >= FAILURES_MIN && percent >= FAILURES_PERCENT_MIN {
        let message = format!("{percent} % of the calls of the last 30 days failed on \"{argument}\". {message}");
        findings.push(Finding::argument(tool.id, argument, FindingCode::FailedArgument, message));
    }
}

fn check_unused_arguments(tool: &LintedTool<'_>, sent: &SentArguments, findings: &mut Vec<Finding>) {
    let Some(properties) = tool.input_schema.get("properties").and_then(Value::as_object) else { return };
    let required = tool.input_schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|required| required.iter().any(|other| other == name));
    let optional: Vec<&str> = properties.keys().map(String::as_str).filter(|name| !is_required(name)).collect();
    let unused: Vec<&str> = optional.iter().copied().filter(|name| !sent.names.contains(*name)).collect();
    if properties.len() < ARGUMENTS_MIN || sent.calls < SENDING_CALLS_MIN || unused.is_empty() {
        return;
    }
    let shown = unused.get(..NAMES_SHOWN_MAX).unwrap_or(&unused).join(", ");
    let more = unused.len().saturating_sub(NAMES_SHOWN_MAX);
    let shown = if more > 0 { format!("{shown}, … {more} more") } else { shown };
    let (count, optional) = (properties.len(), optional.len());
    let message = format!("{count} arguments, {optional} optional: hide those that are never sent ({shown}).");
    findings.push(Finding::tool(tool.id, FindingCode::UnusedArguments, message));
}
