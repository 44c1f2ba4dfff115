//! Real `PostgreSQL` for tests: a fresh database on the shared cluster, or a whole cluster to break.
//!
//! `scripts/with-postgres` starts the shared cluster once per test run and names it in
//! `TOOLGATE_TEST_POSTGRES_URL`. Without `PostgreSQL`, tests are left out with a word on stderr, except
//! under `CI=true`, where nothing may be left out. SQL goes through `psql`, for only `storage` may
//! name a driver.

mod binaries;
mod cluster;
mod database;
mod url;

pub(crate) use cluster::free_port;
pub use cluster::{Cluster, ClusterOptions};
pub use database::Database;

use std::io::Write;
use std::sync::Once;

use binaries::Binaries;

/// Names the shared cluster: a superuser's address of its database `postgres`.
pub const URL_VARIABLE: &str = "TOOLGATE_TEST_POSTGRES_URL";

/// Where databases and clusters for tests come from.
#[derive(Debug)]
pub struct Postgres;

impl Postgres {
    /// A database of its own on the shared cluster, dropped with the returned value.
    /// `None` when there is no `PostgreSQL`: the test is to return at once.
    pub fn fresh_database() -> Option<Database> {
        let Ok(admin_url) = std::env::var(URL_VARIABLE) else {
            return leave_out(&format!("{URL_VARIABLE} is not set"));
        };
        let Some(binaries) = Binaries::find() else {
            return leave_out("psql was not found");
        };
        Some(Database::create(&binaries, &admin_url))
    }

    /// A running cluster of its own that a test may stop and kill.
    /// `None` when there is no `PostgreSQL`: the test is to return at once.
    pub fn private_cluster(options: ClusterOptions) -> Option<Cluster> {
        let Some(binaries) = Binaries::find() else {
            return leave_out("PostgreSQL's server binaries were not found");
        };
        Some(Cluster::start_new(binaries, options))
    }
}

fn leave_out<T>(reason: &str) -> Option<T> {
    static SAID: Once = Once::new();
    let advice = "run the tests with `make test` or `scripts/with-postgres cargo test`, \
        and install Debian's package postgresql or its like";
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{reason}, and under CI=true no test may be left out: {advice}"
    );
    // Not eprintln!: the test harness would hide it in a test that passes.
    SAID.call_once(|| {
        let _ = writeln!(std::io::stderr(), "PostgreSQL tests are left out: {reason}; {advice}");
    });
    None
}

#[cfg(test)]
mod tests;
