//! The short form of `make cluster`: three nodes behind nginx, and every fault for two seconds.

use std::process::Command;

use toolgate_testkit::process::built_program;
use toolgate_testkit::{Postgres, Redis, volume};

use crate::external_tools;

/// The time that a node waits for Redis: long enough for a busy machine, so that only a stopped Redis is unavailable.
const REDIS_TIMEOUT_MS: &str = "500";

#[test]
fn a_cluster_under_load_loses_no_call_and_exceeds_no_limit_during_any_fault() {
    let has_all_programs =
        external_tools::are_installed(&["nginx"]) && Postgres::fresh_database().is_some() && Redis::start().is_some();
    if !has_all_programs {
        return;
    }
    let program = built_program("examples/cluster");
    assert!(program.exists(), "build it first: cargo build --locked -p toolgate --example cluster");
    let output = Command::new(program)
        .env("SECONDS", volume::full_or_sample("5", "2"))
        .env("RATE", "100")
        .env("ROUNDS", "0")
        .env("STORE", "redis")
        .env("REDIS_TIMEOUT_MS", REDIS_TIMEOUT_MS)
        .output()
        .unwrap();
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}\n{errors}");
    eprintln!("{printed}");
}
