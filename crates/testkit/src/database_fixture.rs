//! Runs a test on both databases.

use crate::postgres::{Postgres, TestDatabase};
use crate::running_service::{RunningService, ServiceBuilder};

/// The argument of a test on both databases: a [`ServiceBuilder`], a running service or an open storage.
pub trait DatabaseFixture: Sized {
    /// A fixture on this database.
    fn open(target: DatabaseTarget) -> impl Future<Output = Self>;
}

/// The database of one test, and the program under test.
#[derive(Debug)]
pub struct DatabaseTarget {
    /// The path of `toolgate`; only tests of the package that builds it have one.
    pub binary: Option<&'static str>,
    /// A new `PostgreSQL` database; `None` for `SQLite`.
    pub postgres: Option<TestDatabase>,
}

impl DatabaseTarget {
    /// A service on this database, not started yet.
    pub fn service(self) -> ServiceBuilder {
        let binary = self.binary.expect("the test belongs to the package that builds `toolgate`");
        let builder = RunningService::builder(binary);
        match self.postgres {
            Some(database) => builder.database(database),
            None => builder,
        }
    }
}

impl DatabaseFixture for ServiceBuilder {
    async fn open(target: DatabaseTarget) -> Self {
        target.service()
    }
}

/// Runs a test on `SQLite`.
pub async fn on_sqlite<F: DatabaseFixture>(binary: Option<&'static str>, test: impl AsyncFnOnce(&F)) {
    test(&F::open(DatabaseTarget { binary, postgres: None }).await).await;
}

/// Runs a test on a new `PostgreSQL` database; does nothing if there is no `PostgreSQL`.
pub async fn on_postgres<F: DatabaseFixture>(binary: Option<&'static str>, test: impl AsyncFnOnce(&F)) {
    if let Some(database) = Postgres::fresh_database() {
        test(&F::open(DatabaseTarget { binary, postgres: Some(database) }).await).await;
    }
}

/// Turns each `async fn name(fixture: &F)` into two tests, `sqlite::name` and `postgres::name`, where `F` is a
/// [`DatabaseFixture`].
#[macro_export]
macro_rules! on_both_databases {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                $crate::database_fixture::on_sqlite(option_env!("CARGO_BIN_EXE_toolgate"), super::$name).await;
            })+
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                $crate::database_fixture::on_postgres(option_env!("CARGO_BIN_EXE_toolgate"), super::$name).await;
            })+
        }
    };
    (for $fixture_type:ty; $(async fn $name:ident($fixture:ident) $body:block)+) => {
        $(async fn $name($fixture: &$fixture_type) $body)+

        $crate::on_both_databases!($($name),+);
    };
}
