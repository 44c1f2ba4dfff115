//! What a model gets from Toolgate, measured without a model: the tokens of lists and of responses, the texts of
//! failing calls, and the CPU time and memory used. Prints tables and writes `target/model.json`.
//!
//! It fails if a text has a secret, a fact that must stay in a shortened response is lost, a note states a wrong number
//! of omitted items, a part exceeds its token budget by more than 15 %, or a score is below the one in docs/model.md.
//!
//! `make model`; it needs no network.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a command-line program run by hand")]

mod cost;
mod documents;
mod failures;
mod lists;
mod masking;
mod memory;
mod recorded;
mod recount;
mod report;
mod response_check;
mod responses;

use std::process::ExitCode;
use std::{fs, path::Path};

use toolgate_testkit::RunningService;
use toolgate_testkit::process::{built_program, service_binary};
use toolgate_testkit::running_service::ServiceBuilder;

use recorded::recorded_score;
use report::ModelReport;

/// The page with the recorded scores, which no run may fall below.
const RECORDED_SCORES_PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/model.md");

fn main() -> ExitCode {
    if memory::print_if_measured_process() {
        return ExitCode::SUCCESS;
    }
    // Time is measured first, while nothing else runs.
    let costs = cost::measure();
    let memory = memory::measure();
    let report = run(costs, memory);
    report.print();
    // The parent of the folder with the built programs.
    let target_folder = built_program("..");
    fs::write(target_folder.join("model.json"), format!("{:#}\n", report.json()))
        .expect("the target folder can be written");
    let record = fs::read_to_string(Path::new(RECORDED_SCORES_PAGE)).unwrap_or_default();
    let mut problems = report.problems();
    for (name, score) in report.scores() {
        match recorded_score(&record, &name) {
            Some(recorded) if score.is_below(recorded) => {
                problems.push(format!("{name}: {} of {} is below the recorded score", score.points, score.possible));
            }
            Some(_) => {}
            None => println!("docs/model.md records no score for: {name}"),
        }
    }
    for problem in &problems {
        println!("FAILED {problem}");
    }
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[tokio::main]
async fn run(costs: Vec<cost::CostFigure>, memory: Option<f64>) -> ModelReport {
    ModelReport {
        lists: lists::measure(service()).await,
        recall: lists::recall(),
        responses: response_check::check_responses(service()).await,
        failures: failures::measure(service()).await,
        costs,
        memory,
    }
}

fn service() -> ServiceBuilder {
    RunningService::builder(service_binary()).env("TOOLGATE_LOG", "error")
}
