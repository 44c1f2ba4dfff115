//! Cost of a call through Toolgate, compared with no gateway, nginx and a minimal gateway; its growth with tools,
//! servers, connections, recorded calls and response size; cold start and memory. All processes run on one machine and
//! receive requests in turn, in rounds.
//!
//! `make bench`; `ROUNDS=9`, `SECONDS=2` (for each measurement), `ONLY=call` (rows whose names contain it;
//! `ONLY='nginx|minimal|call'` those that contain one of the parts; `ONLY=growth`, `ONLY='cold start'` and `ONLY=memory`
//! select whole tables), `SERVERS=1000` for a smaller database, `FULL=1` for rows that take minutes, `BINARY=path` for
//! another binary of the service. The figures are also written to `target/bench.json`, or to the path in `OUTPUT`.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a command-line program run by hand")]

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

use std::path::PathBuf;

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
    // The largest database takes minutes to fill, so cold start and growth share it.
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
    // Programs are in `target/release`, so this path is `target/bench.json`.
    let output = std::env::var_os("OUTPUT").map_or_else(|| built_program("../bench.json"), PathBuf::from);
    std::fs::write(output, format!("{all:#}\n")).expect("the file is writable");
}
