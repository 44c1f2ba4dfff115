//! What a call through Toolgate costs, beside what it costs without, through nginx, and through the least program that
//! could be called a gateway; what it costs when there is more of everything; how long a start takes, and how much memory.
//! All are started here, on one machine, and asked in turn, in rounds.
//!
//! `make bench`; `ROUNDS=9`, `SECONDS=2` (for each measurement), `ONLY=call` (names that contain it; `ONLY=growth`,
//! `ONLY='cold start'` and `ONLY=memory` are whole tables), `SERVERS=1000` for a smaller database, `FULL=1` for what takes
//! long. The figures are also written to `target/bench.json`.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a program for people, run by hand")]

mod cold_start;
mod comparison;
mod gateways;
mod growth;
mod load;
mod memory;
mod nginx;
mod plan;
mod process;
#[path = "../recorded_calls.rs"]
mod recorded_calls;
mod requests;
mod table;
mod target;

use serde_json::json;
use toolgate_testkit::process::built_program;

use nginx::Nginx;
use plan::Plan;

#[tokio::main]
async fn main() {
    let plan = Plan::from_env();
    let upstream = Nginx::upstream();
    let memory = memory::run(&plan, &upstream).await;
    let comparison = comparison::run(&plan).await.unwrap_or_default();
    // The largest database takes longest to fill, so both have the same.
    let mut large = growth::servers::largest(&plan, &upstream).await;
    let cold_start = cold_start::run(&plan, &upstream, large.as_mut()).await;
    let growth = growth::run(&plan, &upstream, large).await;
    let all = json!({
        "tables": comparison["tables"],
        "rss_kib": comparison["rss_kib"],
        "memory": memory,
        "cold_start": cold_start,
        "growth": growth,
    });
    std::fs::write(built_program("../bench.json"), format!("{all:#}\n")).expect("the folder of what was built");
}
