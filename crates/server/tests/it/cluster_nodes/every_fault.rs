//! The short form of `make cluster`: three nodes behind nginx, and every fault for two seconds.

use std::process::Command;

use toolgate_testkit::process::built_program;
use toolgate_testkit::{Postgres, Redis, volume};

use crate::external_tools;

/// The time that a node waits for Redis: long enough for a busy machine, so that only a stopped Redis is unavailable.
const REDIS_TIMEOUT_MS: &str = "500";

/// If a hypervisor gave more than this part of the CPU time to other machines, a failure says nothing about the nodes.
const STOLEN_MAX: f64 = 0.1;

#[test]
fn a_cluster_under_load_loses_no_call_and_exceeds_no_limit_during_any_fault() {
    let has_all_programs =
        external_tools::are_installed(&["nginx"]) && Postgres::fresh_database().is_some() && Redis::start().is_some();
    if !has_all_programs {
        return;
    }
    let program = built_program("examples/cluster");
    assert!(program.exists(), "build it first: cargo build --locked -p toolgate --example cluster");
    let [stolen_before, all_before] = cpu_ticks();
    let output = Command::new(program)
        .env("SECONDS", volume::full_or_sample("5", "2"))
        .env("RATE", "100")
        .env("ROUNDS", "0")
        .env("STORE", "redis")
        .env("REDIS_TIMEOUT_MS", REDIS_TIMEOUT_MS)
        .output()
        .unwrap();
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let [stolen, all] = cpu_ticks();
    if !output.status.success() && stolen - stolen_before > STOLEN_MAX * (all - all_before) {
        eprintln!("skipped: other machines had the CPU\n{printed}\n{errors}");
        return;
    }
    assert!(output.status.success(), "{printed}\n{errors}");
    eprintln!("{printed}");
}

/// The CPU time that a hypervisor gave to other machines, and all CPU time, since the start of the machine.
fn cpu_ticks() -> [f64; 2] {
    let statistics = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let ticks = statistics.lines().next().unwrap_or_default().split_ascii_whitespace().skip(1).take(8);
    let ticks: Vec<f64> = ticks.map(|number| number.parse().unwrap_or_default()).collect();
    [ticks.get(7).copied().unwrap_or_default(), ticks.iter().sum()]
}
