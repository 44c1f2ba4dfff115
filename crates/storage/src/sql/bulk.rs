//! Statements about many rows at once. They come in few sizes, so that each is prepared once and found again; and values
//! are bound as they are, for this is the way that every recorded call goes.

use std::sync::{Arc, OnceLock};

use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, AssertSqlSafe, Encode, Postgres, Sqlite, Type};

use super::tx::Tx;

/// How many sizes: powers of two.
const SIZE_COUNT: usize = 10;
/// The largest: with its columns it stays far below the number of values that a statement may have.
const ROWS_MAX: usize = 1 << (SIZE_COUNT - 1);

/// A statement with a group of values for each row: `head (…), (…) tail`.
pub(super) struct BulkStatement {
    head: &'static str,
    columns: usize,
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

    /// The statement for so many rows, which is a power of two.
    pub(super) fn sql(&self, rows: usize, values: &BulkValues) -> AssertSqlSafe<Arc<str>> {
        let texts = if values.is_postgres() { &self.postgres } else { &self.sqlite };
        let size = usize::try_from(rows.max(1).ilog2()).unwrap_or_default().min(SIZE_COUNT - 1);
        let text = texts.get(size).map(|text| text.get_or_init(|| self.text(rows, values.is_postgres()).into()));
        AssertSqlSafe(text.cloned().unwrap_or_default())
    }

    /// SQLite looks for the number behind a `$1` along all others, so there the values have no numbers.
    fn text(&self, rows: usize, is_postgres: bool) -> String {
        let value = |number: usize| if is_postgres { format!("${number}") } else { "?".to_owned() };
        let group = |row: usize| {
            let values: Vec<String> = (1..=self.columns).map(|column| value(row * self.columns + column)).collect();
            format!("({})", values.join(","))
        };
        let groups: Vec<String> = (0..rows).map(group).collect();
        format!("{}{}{}", self.head, groups.join(","), self.tail)
    }
}

/// Splits what there is into runs whose lengths are powers of two, the largest first.
pub(super) fn power_of_two_chunks<T>(mut items: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let length = 1 << items.len().checked_ilog2()?;
        let (run, rest) = items.split_at(length.min(ROWS_MAX));
        items = rest;
        Some(run)
    })
}

/// The values of a statement, in the form of the database that they are for.
pub(super) struct BulkValues(pub(super) sqlx::Result<BoundArguments>);

/// What is bound.
pub(super) enum BoundArguments {
    Sqlite(SqliteArguments),
    Postgres(PgArguments),
}

impl BulkValues {
    /// For so many values on this transaction's database.
    pub(super) fn with_capacity(tx: &Tx, count: usize) -> Self {
        Self(Ok(if tx.is_postgres() {
            let mut values = PgArguments::default();
            values.reserve(count, count * 16);
            BoundArguments::Postgres(values)
        } else {
            let mut values = SqliteArguments::default();
            values.reserve(count, 0);
            BoundArguments::Sqlite(values)
        }))
    }

    /// Adds the next value. The first that cannot be bound is what the statement will fail with.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_in_one_run_of_a_known_size() {
        let items: Vec<usize> = (0..2803).collect();
        for count in [0, 1, 2, 3, 511, 512, 513, 1023, 2803] {
            let power_of_two_chunks: Vec<&[usize]> = power_of_two_chunks(&items[..count]).collect();
            assert!(power_of_two_chunks.iter().all(|run| run.len().is_power_of_two() && run.len() <= ROWS_MAX));
            assert_eq!(power_of_two_chunks.concat(), items[..count]);
        }
    }

    #[test]
    fn each_database_gets_the_placeholders_it_is_quick_with() {
        let bulk = BulkStatement::new("INSERT INTO t (a, b) VALUES ", 2, " ON CONFLICT DO NOTHING");
        assert_eq!(bulk.text(2, false), "INSERT INTO t (a, b) VALUES (?,?),(?,?) ON CONFLICT DO NOTHING");
        assert_eq!(bulk.text(2, true), "INSERT INTO t (a, b) VALUES ($1,$2),($3,$4) ON CONFLICT DO NOTHING");
    }
}
