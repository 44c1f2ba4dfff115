//! Days: in PostgreSQL the blocks of each are a partition, and so is what belongs to them, so that forgetting a day is
//! dropping tables. SQLite has no partitions: `old_blocks` deletes a few rows at a time.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Mutex, PoisonError};

use sqlx::AssertSqlSafe;
use toolgate_domain::call::CallId;
use toolgate_domain::time::{DAY_MS, Timestamp};
use toolgate_domain::usage::Grain;

use crate::Result;
use crate::sql::SqlStorage;
use crate::sql::row::params;
use crate::sql::tx::Tx;

/// The tables that have a partition for each day, in the order in which a page of the log reads them: who drops a day
/// locks them in the same order, or each would wait for the other.
const TABLES: [&str; 3] = ["call_index", "call_blocks", "captured_calls"];

/// Starts of days that have a partition, as far as that is known.
#[derive(Debug, Default)]
pub(super) struct KnownDays(Mutex<HashSet<Timestamp>>);

impl KnownDays {
    fn lacks(&self, day: Timestamp) -> bool {
        !self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&day)
    }

    /// Remembers days that a transaction that is committed has found or made.
    pub(super) fn remember(&self, days: Vec<Timestamp>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(days);
    }

    pub(super) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl SqlStorage {
    pub(super) async fn create_partitions_ahead(&self, now: Timestamp) -> Result<()> {
        if self.db.is_sqlite() {
            return Ok(());
        }
        let mut tx = self.db.begin().await?;
        tx.lock_ingest().await?;
        let tomorrow = now.plus_millis(DAY_MS);
        let ids = [CallId::first_at(now), CallId::first_at(tomorrow)];
        let days = tx.create_missing_partitions(&self.ingest_cache.days, &[], &ids).await?;
        tx.commit().await?;
        self.ingest_cache.days.remember(days);
        Ok(())
    }

    pub(super) async fn delete_some_calls_before(&self, moment: Timestamp) -> Result<bool> {
        let mut tx = self.db.begin().await?;
        let more = if tx.is_postgres() {
            self.ingest_cache.days.clear();
            tx.drop_oldest_day_before(moment).await?
        } else {
            tx.delete_some_blocks_before(CallId::first_at(moment)).await?
        };
        tx.commit().await?;
        Ok(more)
    }
}

impl Tx {
    /// Makes the partitions of these calls where they are missing. Returns the days that were not known to have one,
    /// neither to this process nor to this transaction.
    pub(super) async fn create_missing_partitions(
        &mut self,
        known: &KnownDays,
        made: &[Timestamp],
        ids: &[CallId],
    ) -> Result<Vec<Timestamp>> {
        if !self.is_postgres() {
            return Ok(Vec::new());
        }
        let days: BTreeSet<Timestamp> = ids.iter().map(|id| Grain::Day.start_of(id.time())).collect();
        let days: Vec<Timestamp> = days.into_iter().filter(|day| known.lacks(*day) && !made.contains(day)).collect();
        for day in &days {
            let name = partition(TABLES[0], *day);
            let row = self.fetch_one("SELECT CAST(to_regclass($1) AS TEXT) AS found", params![name]).await?;
            if row.opt_text("found")?.is_none() {
                for table in TABLES {
                    self.create_partition(table, *day).await?;
                }
            }
        }
        Ok(days)
    }

    /// Made apart and then attached, which waits for no reader and lets none wait.
    async fn create_partition(&mut self, table: &str, day: Timestamp) -> Result<()> {
        let name = partition(table, day);
        let [first, end] = [day, day.plus_millis(DAY_MS)].map(|moment| CallId::first_at(moment).0);
        let make =
            format!("CREATE TABLE {name} (LIKE {table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)");
        self.execute(AssertSqlSafe(make), vec![]).await?;
        let attach = format!("ALTER TABLE {table} ATTACH PARTITION {name} FOR VALUES FROM ({first}) TO ({end})");
        self.execute(AssertSqlSafe(attach), vec![]).await.map(drop)
    }

    /// Drops the oldest day, if it ended before the day of this moment began. Whoever reads calls for long makes this
    /// fail rather than let those wait who come behind it.
    async fn drop_oldest_day_before(&mut self, moment: Timestamp) -> Result<bool> {
        self.lock_ingest().await?;
        let sql = "SELECT CAST(c.relname AS TEXT) AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid \
                   WHERE i.inhparent = to_regclass($1) AND CAST(c.relname AS TEXT) COLLATE \"C\" < $2 \
                   ORDER BY c.relname LIMIT 2";
        let old = self.fetch_all(sql, params![TABLES[0], partition(TABLES[0], moment)]).await?;
        let Some(oldest) = old.first() else { return Ok(false) };
        let name = oldest.text("name")?;
        let names = TABLES.map(|table| name.replacen(TABLES[0], table, 1)).join(", ");
        self.execute("SELECT set_config('lock_timeout', '1s', TRUE)", vec![]).await?;
        // Another node may just have done so.
        self.execute(AssertSqlSafe(format!("DROP TABLE IF EXISTS {names}")), vec![]).await?;
        Ok(old.len() > 1)
    }
}

/// What a day's partition of a table is called; names sort as days do.
fn partition(table: &str, moment: Timestamp) -> String {
    let digits = moment.to_string().chars().take(10).filter(char::is_ascii_digit).collect::<String>();
    format!("{table}_{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_named_after_their_days() {
        let name = |millis| partition("calls", Timestamp::from_millis(millis));
        assert_eq!(name(1_792_000_000_999), "calls_20261014");
        assert_eq!(name(0), "calls_19700101");
        assert_eq!(name(253_370_764_799_999), "calls_99981231");
    }
}
