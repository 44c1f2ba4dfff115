//! The column values of usage rollups.

use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Grain, Latencies, Totals, UsageScope};

use super::bulk::BulkValues;
use super::row::SqlRow;
use crate::error::Result;

/// Values of the columns `scope` and `scope_id`.
pub(super) fn scope_numbers(scope: UsageScope) -> (i64, i64) {
    match scope {
        UsageScope::All => (0, 0),
        UsageScope::Owner(id) => (1, id.0),
        UsageScope::Server(id) => (2, id.0),
        UsageScope::Tool(id) => (3, id.0),
    }
}

/// Value of the column `grain`.
pub(super) fn grain_number(grain: Grain) -> i64 {
    match grain {
        Grain::Hour => 0,
        Grain::Day => 1,
        Grain::AllTime => 2,
    }
}

/// Reads the totals of a row, with latencies.
pub(super) fn totals_from_row(row: &SqlRow) -> Result<Totals> {
    Ok(Totals { latencies: Latencies::from_bytes(&row.bytes("latencies")?), ..totals_without_latencies(row)? })
}

/// Binds the columns `calls`, `failures`, `total_us`, `request_bytes`, `response_bytes`, `tokens_out`, `tokens_saved`,
/// `last_at` and `latencies`.
pub(super) fn bind_totals(totals: &Totals, values: &mut BulkValues) {
    for count in [
        totals.calls,
        totals.failures,
        totals.total_us,
        totals.request_bytes,
        totals.response_bytes,
        totals.tokens_out,
        totals.tokens_saved,
    ] {
        values.add(i64::try_from(count).unwrap_or(i64::MAX));
    }
    values.add(totals.last_at.map_or(0, Timestamp::as_millis));
    values.add(totals.latencies.to_bytes());
}

/// Reads the totals of a row without the column `latencies`.
pub(super) fn totals_without_latencies(row: &SqlRow) -> Result<Totals> {
    Ok(Totals {
        calls: row.count("calls")?,
        failures: row.count("failures")?,
        total_us: row.count("total_us")?,
        request_bytes: row.count("request_bytes")?,
        response_bytes: row.count("response_bytes")?,
        tokens_out: row.count("tokens_out")?,
        tokens_saved: row.count("tokens_saved")?,
        last_at: Some(row.time("last_at")?),
        latencies: Latencies::default(),
    })
}
