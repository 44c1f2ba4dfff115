//! The figures of one run, as a table and as JSON.

use serde_json::{Value, json};

use crate::cost::CostFigure;
use crate::failures::FailureReport;
use crate::lists::{ListReport, RecallReport};
use crate::recorded::Score;
use crate::response_check::ResponseReport;

/// All figures.
pub(crate) struct ModelReport {
    pub(crate) lists: Vec<ListReport>,
    pub(crate) recall: Vec<RecallReport>,
    pub(crate) responses: Vec<ResponseReport>,
    pub(crate) failures: FailureReport,
    pub(crate) costs: Vec<CostFigure>,
    /// The peak memory of shaping, as a multiple of the body.
    pub(crate) memory: Option<f64>,
}

impl ModelReport {
    /// The scores that must not fall, by their names in docs/model.md.
    pub(crate) fn scores(&self) -> Vec<(String, Score)> {
        let recall = self.recall.iter().map(|report| {
            (format!("search, {}", report.name), Score { points: report.found, possible: report.searches })
        });
        let lists = Score {
            points: self.lists.iter().map(|list| list.found).sum(),
            possible: self.lists.iter().map(|list| list.searches).sum(),
        };
        let failures = Score { points: self.failures.points, possible: self.failures.possible };
        let others = [("search, imported documents", lists), ("failure texts", failures)];
        recall.chain(others.map(|(name, score)| (name.to_owned(), score))).collect()
    }

    /// The problems that make the run fail.
    pub(crate) fn problems(&self) -> Vec<String> {
        let responses = self.responses.iter();
        let responses = responses
            .flat_map(|response| response.problems.iter().map(|problem| format!("{}: {problem}", response.name)));
        let secrets = self.failures.secrets.iter().map(|name| format!("{name}: the text of the failure has a secret"));
        responses.chain(secrets).collect()
    }

    pub(crate) fn print(&self) {
        self.print_lists();
        self.print_responses();
        self.print_failures();
        println!("\n{:48} {:>12}", "cost (one thread, fastest round)", "");
        for CostFigure { name, value, unit } in &self.costs {
            println!("{name:48} {value:>12.1} {unit}");
        }
        if let Some(memory) = self.memory {
            println!("{:48} {memory:>12.2} times the body", "peak memory of shaping 2 MB");
        }
    }

    fn print_lists(&self) {
        println!(
            "{:>10} {:>12} {:>8} {:>8} {:>12} {:>10} {:>15}",
            "operations", "list, tokens", "median", "p90", "search mode", "recall@5", "longest result"
        );
        for list in &self.lists {
            let recall = format!("{} of {}", list.found, list.searches);
            print!("{:>10} {:>12} {:>8} {:>8} ", list.operations, list.total, list.median, list.p90);
            println!("{:>12} {recall:>10} {:>15}", list.search_list, list.longest_result);
        }
        for RecallReport { name, found, searches } in &self.recall {
            println!("search of 800 tools, {name}: {found} of {searches}");
        }
    }

    fn print_responses(&self) {
        let row = |name: &str, before: usize, after: usize| {
            let ratio = f64::from(u32::try_from(before).unwrap_or(u32::MAX))
                / f64::from(u32::try_from(after.max(1)).unwrap_or(u32::MAX));
            print!("{name:14} {before:>10} {after:>8} {ratio:>7.1}");
        };
        println!(
            "\n{:14} {:>10} {:>8} {:>7} {:>6} {:>20}",
            "response", "before", "after", "ratio", "parts", "facts, in 1st part"
        );
        for response in &self.responses {
            row(response.name, response.before, response.after);
            let facts = format!("{} of {}", response.facts_in_first_part, response.facts);
            println!(
                " {:>6} {facts:>20}{}",
                response.parts,
                if response.problems.is_empty() { "" } else { "  FAILED" }
            );
        }
        let sum = |value: fn(&ResponseReport) -> usize| self.responses.iter().map(value).sum();
        row("all", sum(|response| response.before), sum(|response| response.after));
        println!();
    }

    fn print_failures(&self) {
        let FailureReport { cases, perfect, points, possible, broken_rules, .. } = &self.failures;
        println!("\nfailure texts: {points} of {possible} points, {perfect} of {cases} cases perfect");
        for broken in broken_rules {
            println!("  broken rule: {broken}");
        }
    }

    pub(crate) fn json(&self) -> Value {
        let response = |response: &ResponseReport| {
            json!({"name": response.name, "before": response.before, "after": response.after, "parts": response.parts,
                "facts": response.facts, "facts_in_first_part": response.facts_in_first_part,
                "problems": response.problems})
        };
        let failures = &self.failures;
        json!({
            "lists": self.lists.iter().map(ListReport::json).collect::<Vec<_>>(),
            "recall": self.recall.iter()
                .map(|report| json!({"set": report.name, "found": report.found, "searches": report.searches}))
                .collect::<Vec<_>>(),
            "answers": self.responses.iter().map(response).collect::<Vec<_>>(),
            "failures": {"cases": failures.cases, "perfect": failures.perfect, "points": failures.points,
                "possible": failures.possible, "lost": failures.broken_rules},
            "costs": self.costs.iter()
                .map(|cost| json!({"name": cost.name, "value": cost.value, "unit": cost.unit}))
                .collect::<Vec<_>>(),
            "shaping_peak_memory": self.memory,
        })
    }
}
