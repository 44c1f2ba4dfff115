//! Real `PostgreSQL` for tests: a fresh database on the shared cluster, or a private cluster that a test may stop and
//! kill.
//!
//! `scripts/with-postgres` starts the shared cluster once per test run and sets
//! `TOOLGATE_TEST_POSTGRES_URL`. Without `PostgreSQL`, tests are skipped with a message on stderr, except
//! under `CI=true`, where that is an error. SQL goes through `psql`, because only `storage` may depend on
//! a driver.

mod binaries;
mod cluster;
mod database;
mod url;

pub use cluster::{PostgresCluster, PostgresOptions};
pub use database::TestDatabase;

use std::io::Write;
use std::sync::Once;

use binaries::Binaries;

/// The URL of the shared cluster: its database `postgres`, as superuser.
pub const URL_VARIABLE: &str = "TOOLGATE_TEST_POSTGRES_URL";

/// Creates databases and clusters for tests.
#[derive(Debug)]
pub struct Postgres;

impl Postgres {
    /// Creates a database on the shared cluster; it is dropped with the returned value.
    /// `None` if there is no `PostgreSQL`: the test must return.
    pub fn fresh_database() -> Option<TestDatabase> {
        let Ok(admin_url) = std::env::var(URL_VARIABLE) else {
            return skip(&format!("{URL_VARIABLE} is not set"));
        };
        let Some(binaries) = Binaries::find() else {
            return skip("psql was not found");
        };
        Some(TestDatabase::create(&binaries, &admin_url))
    }

    /// Starts a private cluster that the test may stop and kill.
    /// `None` if there is no `PostgreSQL`: the test must return.
    pub fn private_cluster(options: PostgresOptions) -> Option<PostgresCluster> {
        let Some(binaries) = Binaries::find() else {
            return skip("PostgreSQL's server binaries were not found");
        };
        Some(PostgresCluster::start_new(binaries, options))
    }
}

fn skip<T>(reason: &str) -> Option<T> {
    static WARNED: Once = Once::new();
    let advice = "run the tests with `make test` or `scripts/with-postgres cargo test`, \
        and install PostgreSQL (Debian: package postgresql)";
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{reason}, and no test may be skipped under CI=true: {advice}"
    );
    // Not eprintln!: the test harness would hide it in a test that passes.
    WARNED.call_once(|| {
        let _ = writeln!(std::io::stderr(), "PostgreSQL tests are skipped: {reason}; {advice}");
    });
    None
}

#[cfg(test)]
mod tests;
