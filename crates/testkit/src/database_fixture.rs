//! Runs a test on both databases.

use crate::postgres::{Postgres, TestDatabase};

/// What a test on both databases works with.
pub trait DatabaseFixture: Sized {
    /// A fixture on this `PostgreSQL` database, or on `SQLite`.
    fn open(postgres: Option<TestDatabase>) -> impl Future<Output = Self>;
}

/// Runs a test on `SQLite`.
pub async fn on_sqlite<F: DatabaseFixture>(test: impl AsyncFnOnce(&F)) {
    test(&F::open(None).await).await;
}

/// Runs a test on a new `PostgreSQL` database; does nothing if there is no `PostgreSQL`.
pub async fn on_postgres<F: DatabaseFixture>(test: impl AsyncFnOnce(&F)) {
    if let Some(database) = Postgres::fresh_database() {
        test(&F::open(Some(database)).await).await;
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
                $crate::database_fixture::on_sqlite(super::$name).await;
            })+
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                $crate::database_fixture::on_postgres(super::$name).await;
            })+
        }
    };
    (for $fixture_type:ty; $(async fn $name:ident($fixture:ident) $body:block)+) => {
        $(async fn $name($fixture: &$fixture_type) $body)+

        $crate::on_both_databases!($($name),+);
    };
}
