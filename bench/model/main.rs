//! What a model gets from Toolgate, measured without a model: the tokens of lists and of responses, the texts of failures,
//! and what that costs. Prints one table and writes `target/model.json`.
//!
//! It fails if a text has a secret, a planted fact is lost, the count of a note is wrong, a part exceeds its budget by more
//! than 15 %, or a score is below the one in docs/model.md.
//!
//! `make model`; it needs no network.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a command-line program run by hand")]

mod answer_check;
mod answers;
mod cost;
mod documents;
mod failures;
mod lists;
mod masking;
mod memory;
mod recorded;
mod recount;
mod report;

use std::process::ExitCode;
use std::{fs, path::Path};

use toolgate_testkit::RunningService;
use toolgate_testkit::process::built_program;
use toolgate_testkit::running_service::ServiceBuilder;

use recorded::recorded_score;
use report::ModelReport;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/model.md");

fn main() -> ExitCode {
    if memory::is_measured_process() {
        return ExitCode::SUCCESS;
    }
    // The first measurements are those of time, while nothing else runs.
    let costs = cost::measure();
    let memory = memory::measure();
    let report = run(costs, memory);
    report.print();
    let folder = built_program("..");
    fs::write(folder.join("model.json"), format!("{:#}\n", report.json())).expect("the target folder can be written");
    let record = fs::read_to_string(Path::new(RECORD)).unwrap_or_default();
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
        answers: answer_check::check_answers(service()).await,
        failures: failures::measure(service()).await,
        costs,
        memory,
    }
}

/// The release binary. Its upstreams are on the loopback address.
fn service() -> ServiceBuilder {
    RunningService::builder(built_program("toolgate")).env("TOOLGATE_LOG", "error")
}
