//! The database of a test.

use std::fmt::Write as _;

use toolgate_testkit::RunningService;
use toolgate_testkit::database_fixture::DatabaseFixture;
use toolgate_testkit::postgres::TestDatabase;
use toolgate_testkit::running_service::ServiceBuilder;

/// `SQLite` in the data folder of the service, or a new database on the shared `PostgreSQL` cluster.
pub(super) struct Backend {
    database: Option<TestDatabase>,
}

impl DatabaseFixture for Backend {
    async fn open(database: Option<TestDatabase>) -> Self {
        Self { database }
    }
}

impl Backend {
    /// A service on this database, not started yet.
    pub(super) fn builder(&self) -> ServiceBuilder {
        let builder = RunningService::builder(env!("CARGO_BIN_EXE_toolgate"));
        match &self.database {
            Some(database) => builder.postgres(database.url()),
            None => builder,
        }
    }

    /// Like [`Self::builder`], with a password in the database URL. The test cluster does not check passwords.
    pub(super) fn builder_with_password(&self, password: &str) -> ServiceBuilder {
        let encoded = password.bytes().fold(String::new(), |text, byte| text + &format!("%{byte:02X}"));
        match self.database.as_ref().and_then(|database| database.url().split_once('@')) {
            Some((user, rest)) => self.builder().postgres(&format!("{user}:{encoded}@{rest}")),
            None => self.builder(),
        }
    }

    /// A running service on this database.
    pub(super) fn start(&self) -> RunningService {
        self.builder().start()
    }

    /// Every row of every table as text; empty for `SQLite`, whose file is in the data folder.
    pub(super) fn dump(&self) -> String {
        let Some(database) = &self.database else { return String::new() };
        let tables = database.psql("select table_name from information_schema.tables where table_schema = 'public'");
        let mut dump = String::new();
        for table in tables.lines().filter(|line| !line.is_empty()) {
            // The default is hexadecimal, in which the search would miss a secret in a binary column.
            let rows = database.psql(&format!("set bytea_output = 'escape'; select * from \"{table}\""));
            writeln!(dump, "{table}:\n{rows}").unwrap();
        }
        assert!(dump.contains("tools:\n"), "the dump does not contain the table `tools`: {dump}");
        dump
    }
}
