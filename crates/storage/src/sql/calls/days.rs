//! Partitions by day on PostgreSQL, so that retention drops tables instead of deleting rows. SQLite has no partitions:
//! there `old_blocks` deletes a few rows at a time.

use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;

use sqlx::AssertSqlSafe;
use toolgate_domain::call::CallId;
use toolgate_domain::sync::lock;
use toolgate_domain::time::{DAY_MS, Timestamp};
use toolgate_domain::usage::Grain;

use crate::error::Result;
use crate::sql::row::params;
use crate::sql::tx::Tx;

/// The tables that have a partition for each day. A page of the log reads them in this order; dropping a day must lock
/// them in the same order to avoid deadlocks.
const PARTITIONED_TABLES: [&str; 3] = ["call_index", "call_blocks", "captured_calls"];

/// Cache of days that have partitions, by their start.
#[derive(Debug, Default)]
pub(super) struct KnownDays(Mutex<HashSet<Timestamp>>);

impl KnownDays {
    fn contains(&self, day: Timestamp) -> bool {
        lock(&self.0).contains(&day)
    }

    /// Adds days whose partitions a committed transaction has found or created.
    pub(super) fn extend(&self, days: Vec<Timestamp>) {
        lock(&self.0).extend(days);
    }

    pub(super) fn clear(&self) {
        lock(&self.0).clear();
    }
}

impl Tx {
    /// Creates the missing partitions for the calls with these ids. Returns their days, except those in the cache and
    /// those that this transaction has handled already.
    pub(super) async fn create_missing_partitions(
        &mut self,
        cached_days: &KnownDays,
        handled_days: &[Timestamp],
        ids: &[CallId],
    ) -> Result<Vec<Timestamp>> {
        if !self.is_postgres() {
            return Ok(Vec::new());
        }
        let days: BTreeSet<Timestamp> = ids.iter().map(|id| Grain::Day.start_of(id.time())).collect();
        let days: Vec<Timestamp> =
            days.into_iter().filter(|day| !cached_days.contains(*day) && !handled_days.contains(day)).collect();
        for day in &days {
            let name = partition_name(PARTITIONED_TABLES[0], *day);
            let row = self.fetch_one("SELECT CAST(to_regclass($1) AS TEXT) AS found", params![name]).await?;
            if row.opt_text("found")?.is_none() {
                for table in PARTITIONED_TABLES {
                    self.create_partition(table, *day).await?;
                }
            }
        }
        Ok(days)
    }

    /// Creates the table first and then attaches it: unlike `PARTITION OF`, this neither waits for readers nor blocks
    /// them.
    async fn create_partition(&mut self, table: &str, day: Timestamp) -> Result<()> {
        let name = partition_name(table, day);
        let [first, end] = [day, day.plus_millis(DAY_MS)].map(|time| CallId::first_at(time).0);
        let create =
            format!("CREATE TABLE {name} (LIKE {table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)");
        self.execute(AssertSqlSafe(create), vec![]).await?;
        let attach = format!("ALTER TABLE {table} ATTACH PARTITION {name} FOR VALUES FROM ({first}) TO ({end})");
        self.execute(AssertSqlSafe(attach), vec![]).await
    }

    /// Drops the oldest day if it is before the day of `cutoff`. Returns whether there are more such days.
    pub(super) async fn drop_oldest_day_before(&mut self, cutoff: Timestamp) -> Result<bool> {
        self.lock_ingest().await?;
        let sql = "SELECT CAST(c.relname AS TEXT) AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid \
                   WHERE i.inhparent = to_regclass($1) AND CAST(c.relname AS TEXT) COLLATE \"C\" < $2 \
                   ORDER BY c.relname LIMIT 2";
        let old_days =
            self.fetch_all(sql, params![PARTITIONED_TABLES[0], partition_name(PARTITIONED_TABLES[0], cutoff)]).await?;
        let Some(oldest) = old_days.first() else { return Ok(false) };
        let name = oldest.text("name")?;
        let names = PARTITIONED_TABLES.map(|table| name.replacen(PARTITIONED_TABLES[0], table, 1)).join(", ");
        // The short timeout makes the drop fail during a long read: while the drop waits for its lock, all later
        // readers wait behind it.
        self.execute("SELECT set_config('lock_timeout', '1s', TRUE)", vec![]).await?;
        // Another node may have dropped these tables already.
        self.execute(AssertSqlSafe(format!("DROP TABLE IF EXISTS {names}")), vec![]).await?;
        Ok(old_days.len() > 1)
    }
}

/// Name of a table's partition for the day of `time`. Names sort in the order of days.
fn partition_name(table: &str, time: Timestamp) -> String {
    // The first ten characters of a time are its date, YYYY-MM-DD.
    let digits = time.to_string().chars().take(10).filter(char::is_ascii_digit).collect::<String>();
    format!("{table}_{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_named_after_their_days() {
        let name = |millis| partition_name("calls", Timestamp::from_millis(millis));
        assert_eq!(name(1_792_000_000_999), "calls_20261014");
        assert_eq!(name(0), "calls_19700101");
        assert_eq!(name(253_370_764_799_999), "calls_99981231");
    }
}
