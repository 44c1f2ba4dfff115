//! A database that lives as long as the test that asked for it.

use std::hash::{BuildHasher, RandomState};
use std::process::Output;

use super::binaries::Binaries;
use super::url::with_database;

/// An empty database; dropping the value drops it, whoever is still connected.
#[derive(Debug)]
pub struct Database {
    binaries: Binaries,
    admin_url: String,
    name: String,
    url: String,
}

impl Database {
    pub(super) fn create(binaries: &Binaries, admin_url: &str) -> Self {
        let name = unique_name();
        binaries.psql(admin_url, &format!("create database {name}"));
        Self { binaries: binaries.clone(), admin_url: admin_url.to_owned(), url: with_database(admin_url, &name), name }
    }

    /// The address, as `TOOLGATE_DATABASE_URL` takes it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The name within the cluster.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs SQL in this database and returns what it selects: one line per row, `|` between columns.
    #[track_caller]
    pub fn psql(&self, sql: &str) -> String {
        self.binaries.psql(&self.url, sql)
    }

    /// Runs a line of a shell, in which `PostgreSQL`'s own programs are found by their names.
    pub fn shell(&self, line: &str) -> Output {
        self.binaries.shell(line).output().expect("sh can be run")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // Its cluster may be stopped already, and then goes as a whole: no reason to panic in a drop.
        let sql = format!("drop database if exists {} with (force)", self.name);
        let _ =
            self.binaries.command("psql").args(["--no-psqlrc", "--quiet", "--command", &sql, &self.admin_url]).output();
    }
}

/// Unique among tests that run at the same time, in this process and others.
fn unique_name() -> String {
    let random = RandomState::new().hash_one(std::process::id());
    format!("toolgate_test_{}_{random:016x}", std::process::id())
}
