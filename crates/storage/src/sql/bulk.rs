//! Statements that write or read many rows. They exist in a few sizes only, so that prepared statements are reused.
//! Values are bound without a conversion to [`Param`](super::row::Param), because every recorded call takes this path.

use std::sync::{Arc, OnceLock};

use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, AssertSqlSafe, Encode, Postgres, Sqlite, Type};

/// The number of sizes, which are powers of two.
const SIZE_COUNT: usize = 10;
/// The largest size: `ROWS_MAX` times the columns stays far below the databases' limit on bound values.
const ROWS_MAX: usize = 1 << (SIZE_COUNT - 1);

/// A statement with one group of values per row: `head (…), (…) tail`. Its text is built once for each size and
/// database.
pub(super) struct BulkStatement {
    head: &'static str,
    /// The number of values of a row.
    pub(super) columns: usize,
    tail: &'static str,
    sqlite: [OnceLock<Arc<str>>; SIZE_COUNT],
    postgres: [OnceLock<Arc<str>>; SIZE_COUNT],
}

impl BulkStatement {
    pub(super) const fn new(head: &'static str, columns: usize, tail: &'static str) -> Self {
        Self {
            head,
            columns,
            tail,
            sqlite: [const { OnceLock::new() }; SIZE_COUNT],
            postgres: [const { OnceLock::new() }; SIZE_COUNT],
        }
    }

    /// The statement for these items, whose number must be a power of two, and its values: those that `bind` adds for
    /// each item.
    pub(super) fn bind<I>(
        &self,
        items: &[I],
        mut values: BulkValues,
        bind: impl Fn(&I, &mut BulkValues),
    ) -> (AssertSqlSafe<Arc<str>>, BulkValues) {
        for item in items {
            bind(item, &mut values);
        }
        (self.sql(items.len(), values.is_postgres()), values)
    }

    /// The statement for `rows` rows, which must be a power of two.
    pub(super) fn sql(&self, rows: usize, is_postgres: bool) -> AssertSqlSafe<Arc<str>> {
        let texts = if is_postgres { &self.postgres } else { &self.sqlite };
        let size = usize::try_from(rows.max(1).ilog2()).unwrap_or_default().min(SIZE_COUNT - 1);
        let text = texts.get(size).map(|text| text.get_or_init(|| self.build_text(rows, is_postgres).into()));
        AssertSqlSafe(text.cloned().unwrap_or_default())
    }

    /// Builds the text. SQLite resolves a `$1` by searching all earlier parameters, so it gets unnumbered placeholders.
    fn build_text(&self, rows: usize, is_postgres: bool) -> String {
        let value = |number: usize| if is_postgres { format!("${number}") } else { "?".to_owned() };
        let group = |row: usize| {
            let values: Vec<String> = (1..=self.columns).map(|column| value(row * self.columns + column)).collect();
            format!("({})", values.join(","))
        };
        let groups: Vec<String> = (0..rows).map(group).collect();
        format!("{}{}{}", self.head, groups.join(","), self.tail)
    }
}

/// Splits items into chunks whose lengths are powers of two, largest first.
pub(super) fn power_of_two_chunks<T>(mut items: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let length = 1 << items.len().checked_ilog2()?;
        let (chunk, rest) = items.split_at(length.min(ROWS_MAX));
        items = rest;
        Some(chunk)
    })
}

/// The bound values of a statement, or the error of the first value that could not be bound.
pub(super) struct BulkValues(pub(super) sqlx::Result<BoundArguments>);

/// Bound values in the form of their database.
pub(super) enum BoundArguments {
    Sqlite(SqliteArguments),
    Postgres(PgArguments),
}

impl BulkValues {
    /// Reserves capacity for `count` values of a SQLite statement.
    pub(super) fn for_sqlite(count: usize) -> Self {
        let mut values = SqliteArguments::default();
        values.reserve(count, 0);
        Self(Ok(BoundArguments::Sqlite(values)))
    }

    /// Reserves capacity for `count` values of a PostgreSQL statement.
    pub(super) fn for_postgres(count: usize) -> Self {
        let mut values = PgArguments::default();
        values.reserve(count, count * 16); // estimated bytes of a value
        Self(Ok(BoundArguments::Postgres(values)))
    }

    /// Binds the next value. The statement fails with the first error.
    pub(super) fn add<'v, V>(&mut self, value: V)
    where
        V: Encode<'v, Sqlite> + Encode<'v, Postgres> + Type<Sqlite> + Type<Postgres>,
    {
        let added = match &mut self.0 {
            Ok(BoundArguments::Sqlite(values)) => values.add(value),
            Ok(BoundArguments::Postgres(values)) => values.add(value),
            Err(_) => return,
        };
        if let Err(error) = added {
            self.0 = Err(sqlx::Error::Encode(error));
        }
    }

    fn is_postgres(&self) -> bool {
        matches!(self.0, Ok(BoundArguments::Postgres(_)))
    }
}

/// The last step of SQLite's plan for a statement with four rows.
#[cfg(test)]
pub(super) async fn last_step_of_plan(statement: &BulkStatement) -> String {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
    let db = super::database::SqlDatabase::open(&url, super::pools::IfMissing::Create).await.unwrap();
    db.migrate().await.unwrap();
    let AssertSqlSafe(sql) = statement.sql(4, false);
    let plan = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
    let steps = db.begin().await.unwrap().fetch_all(plan, vec![]).await.unwrap();
    steps.last().unwrap().text("detail").unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_contain_every_item_once_and_have_prepared_sizes() {
        let items: Vec<usize> = (0..2803).collect();
        for count in [0, 1, 2, 3, 511, 512, 513, 1023, 2803] {
            let chunks: Vec<&[usize]> = power_of_two_chunks(&items[..count]).collect();
            assert!(chunks.iter().all(|chunk| chunk.len().is_power_of_two() && chunk.len() <= ROWS_MAX));
            assert_eq!(chunks.concat(), items[..count]);
        }
    }

    #[test]
    fn sqlite_gets_unnumbered_and_postgresql_numbered_placeholders() {
        let bulk = BulkStatement::new("INSERT INTO t (a, b) VALUES ", 2, " ON CONFLICT DO NOTHING");
        assert_eq!(bulk.build_text(2, false), "INSERT INTO t (a, b) VALUES (?,?),(?,?) ON CONFLICT DO NOTHING");
        assert_eq!(bulk.build_text(2, true), "INSERT INTO t (a, b) VALUES ($1,$2),($3,$4) ON CONFLICT DO NOTHING");
    }
}
