//! Direct access to the database, to read state that the traits do not show and to create state that they do not allow.

use sqlx::{AssertSqlSafe, PgPool, SqlitePool};

/// A connection pool that is independent of the storage.
pub(crate) enum RawDatabase {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Runs one statement on either kind of database.
macro_rules! run {
    ($raw:expr, $query:expr, $method:ident) => {
        match $raw {
            RawDatabase::Sqlite(pool) => $query.$method(pool).await,
            RawDatabase::Postgres(pool) => $query.$method(pool).await,
        }
    };
}

impl RawDatabase {
    pub(crate) async fn connect(url: &str) -> Self {
        let Some(path) = url.strip_prefix("sqlite://") else {
            let pool = sqlx::postgres::PgPoolOptions::new().max_connections(2);
            return Self::Postgres(pool.connect(url).await.unwrap());
        };
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).foreign_keys(true);
        Self::Sqlite(sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect_lazy_with(options))
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        matches!(self, Self::Sqlite(_))
    }

    /// Runs a statement and returns how many rows it changed.
    pub(crate) async fn try_execute(&self, sql: &str) -> sqlx::Result<u64> {
        Ok(match self {
            Self::Sqlite(pool) => sqlx::query(AssertSqlSafe(sql)).execute(pool).await?.rows_affected(),
            Self::Postgres(pool) => sqlx::query(AssertSqlSafe(sql)).execute(pool).await?.rows_affected(),
        })
    }

    /// Like [`Self::try_execute`], but panics on an error and names the location of the caller.
    #[track_caller]
    pub(crate) fn execute(&self, sql: &str) -> impl Future<Output = u64> {
        let caller = std::panic::Location::caller();
        async move { self.try_execute(sql).await.unwrap_or_else(|error| panic!("{caller}: {sql}: {error}")) }
    }

    /// The single number that a statement selects.
    pub(crate) async fn int(&self, sql: &str) -> i64 {
        run!(self, sqlx::query_scalar::<_, i64>(AssertSqlSafe(sql)), fetch_one).unwrap()
    }

    /// The rows of the single text column that a statement selects.
    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        run!(self, sqlx::query_scalar::<_, String>(AssertSqlSafe(sql)), fetch_all).unwrap()
    }

    /// The rows of the single bytes column that a statement selects.
    pub(crate) async fn blobs(&self, sql: &str) -> Vec<Vec<u8>> {
        run!(self, sqlx::query_scalar::<_, Vec<u8>>(AssertSqlSafe(sql)), fetch_all).unwrap()
    }

    /// Inserts `count` rows. `values` is a list of SQL expressions in which `n` is the row number, starting at 1.
    pub(crate) async fn fill(&self, table: &str, columns: &str, values: &str, count: i64) {
        let sql = format!(
            "WITH RECURSIVE numbers (n) AS \
             (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < {count}) \
             INSERT INTO {table} ({columns}) SELECT {values} FROM numbers"
        );
        self.execute(&sql).await;
    }
}
