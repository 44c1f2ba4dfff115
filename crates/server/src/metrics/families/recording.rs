//! The call journal and ingest.

use std::fmt;

use super::super::family_writer::{FamilyWriter, seconds_from_us};
use super::super::scrape::Scrape;

/// Microseconds of a millisecond.
const MICROS_PER_MILLI: u64 = 1000;

pub(super) fn write(scrape: &Scrape, writer: &mut FamilyWriter<'_>) -> fmt::Result {
    let stats = &scrape.recording;
    writer.flag("toolgate_recording_enabled", "Whether calls are recorded.", scrape.is_recording)?;
    let help = "Recorded calls that are not in the database yet.";
    writer.gauge("toolgate_journal_pending_calls", help, stats.state.pending)?;
    let age_ms = stats.pending_since.map_or(0, |since| scrape.now.as_millis().saturating_sub(since.as_millis()));
    let help = "Age of the oldest recorded call that is not in the database yet; 0 if all are.";
    writer.gauge("toolgate_journal_oldest_pending_seconds", help, seconds_from_ms(age_ms))?;
    writer.gauge("toolgate_journal_size_bytes", "Size of the call journal.", stats.state.journal_bytes)?;
    writer.gauge("toolgate_journal_max_bytes", "The largest size of the call journal.", stats.journal_max_bytes)?;
    let help = "Calls that could not be recorded, or were dropped from a full or damaged journal.";
    writer.counter("toolgate_journal_lost_calls", help, stats.lost)?;
    writer.counter("toolgate_ingest_calls", "Calls that were moved into the database.", stats.ingested)?;
    let help = "Attempts to move calls into the database that failed; they are repeated.";
    writer.counter("toolgate_ingest_failures", help, stats.ingest_failures)?;
    let help = "Time from the end of a call to its commit, for the oldest call of the last batch.";
    let lag_ms = i64::try_from(stats.ingest_lag_ms).unwrap_or(i64::MAX);
    writer.gauge("toolgate_ingest_lag_seconds", help, seconds_from_ms(lag_ms))
}

/// Milliseconds as seconds; 0 if the clock was set back.
fn seconds_from_ms(duration_ms: i64) -> f64 {
    seconds_from_us(u64::try_from(duration_ms).unwrap_or_default().saturating_mul(MICROS_PER_MILLI))
}
