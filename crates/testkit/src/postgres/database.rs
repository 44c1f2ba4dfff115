//! A temporary database for one test.

use std::hash::{BuildHasher, RandomState};
use std::process::Output;

use super::binaries::Binaries;
use super::url::with_database;

/// An empty database; dropping the value drops the database, even with open connections.
#[derive(Debug)]
pub struct TestDatabase {
    binaries: Binaries,
    admin_url: String,
    name: String,
    url: String,
}

impl TestDatabase {
    pub(super) fn create(binaries: &Binaries, admin_url: &str) -> Self {
        let name = unique_name();
        binaries.psql(admin_url, &format!("create database {name}"));
        Self { binaries: binaries.clone(), admin_url: admin_url.to_owned(), url: with_database(admin_url, &name), name }
    }

    /// The URL, in the format of `TOOLGATE_DATABASE_URL`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The name within the cluster.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs SQL in this database and returns the selected rows: one per line, `|` between columns.
    #[track_caller]
    pub fn psql(&self, sql: &str) -> String {
        self.binaries.psql(&self.url, sql)
    }

    /// Every row of every table as text, to search it for secrets.
    pub fn dump(&self) -> String {
        let tables = self.psql("select table_name from information_schema.tables where table_schema = 'public'");
        let mut dump = String::new();
        for table in tables.lines().filter(|line| !line.is_empty()) {
            // The default is hexadecimal, in which the search would miss a secret in a binary column.
            let rows = self.psql(&format!("set bytea_output = 'escape'; select * from \"{table}\""));
            dump.extend([table, ":\n", &rows, "\n"]);
        }
        assert!(dump.contains("tools:\n"), "the dump does not contain the table `tools`: {dump}");
        dump
    }

    /// Runs a shell command line with the programs of `PostgreSQL` in the search path.
    pub fn shell(&self, line: &str) -> Output {
        self.binaries.shell(line).output().expect("sh can be run")
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        // The cluster may be stopped already, and is then removed as a whole: errors are ignored.
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
