//! A connection to either database, and the statements that run on it.

use sqlx::{PgConnection, SqlSafeStr, SqliteConnection};

use super::bulk::{BoundArguments, BulkValues};
use super::liveness::LivenessProbe;
use super::row::{Param, SqlRow};

/// A connection that is used for one statement.
pub(super) enum DatabaseConnection<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection, &'c LivenessProbe),
}

impl DatabaseConnection<'_> {
    /// Values for a statement, with capacity for `count`.
    pub(super) fn new_values(&self, count: usize) -> BulkValues {
        match self {
            Self::Sqlite(_) => BulkValues::for_sqlite(count),
            Self::Postgres(..) => BulkValues::for_postgres(count),
        }
    }

    /// Binds the parameters, runs a statement and returns its rows.
    pub(super) async fn fetch_all(self, sql: impl SqlSafeStr, params: Vec<Param>) -> sqlx::Result<Vec<SqlRow>> {
        let mut values = self.new_values(params.len());
        for param in params {
            match param {
                Param::Int(value) => values.add(value),
                Param::Text(value) => values.add(value),
                Param::Bytes(value) => values.add(value),
            }
        }
        self.fetch_bound(sql, values).await
    }

    /// Runs a statement with values that are already bound, and returns its rows.
    pub(super) async fn fetch_bound(self, sql: impl SqlSafeStr, values: BulkValues) -> sqlx::Result<Vec<SqlRow>> {
        Ok(match (self, values.0?) {
            (Self::Sqlite(connection), BoundArguments::Sqlite(values)) => {
                let rows = sqlx::query_with(sql, values).fetch_all(connection).await?;
                rows.into_iter().map(SqlRow::Sqlite).collect()
            }
            (Self::Postgres(connection, liveness), BoundArguments::Postgres(values)) => {
                let work = sqlx::query_with(sql, values).fetch_all(connection);
                liveness.run_while_responsive(work).await?.into_iter().map(SqlRow::Postgres).collect()
            }
            _ => return Err(wrong_database()),
        })
    }
}

fn wrong_database() -> sqlx::Error {
    sqlx::Error::Encode("the values were bound for another database".into())
}
