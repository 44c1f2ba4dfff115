//! The rows of calls, many at a time.

use std::borrow::Cow;
use std::sync::Arc;

use domain::call::{CallRecord, FailureReason};

use super::batch::Incoming;
use crate::Result;
use crate::sql::bulk::{Bulk, Values, runs};
use crate::sql::tx::Tx;

const COLUMNS: usize = 17;

static INSERT: Bulk = Bulk::new(
    "INSERT INTO calls (id, user_id, server_id, tool_id, client_type, client_name, protocol_version, reason, \
     upstream_status, duration_us, upstream_us, request_bytes, response_bytes, cache_hit, request_id, arguments, \
     response) VALUES ",
    COLUMNS,
    "",
);

impl Tx {
    pub(super) async fn insert_calls(&mut self, calls: &[Incoming<'_>]) -> Result<()> {
        for run in runs(calls) {
            let mut values = Values::of(self, run.len() * COLUMNS);
            for call in run {
                bind(call, &mut values);
            }
            self.execute_bound(INSERT.sql(run.len(), &values), values).await?;
        }
        Ok(())
    }
}

fn bind(call: &Incoming<'_>, values: &mut Values) {
    let record: &CallRecord = &call.record;
    let captured = record.captured.as_ref();
    values.add(call.id.0);
    values.add(record.user_id.0);
    values.add(record.server_id.0);
    values.add(record.tool_id.0);
    values.add(Arc::clone(&call.client_type));
    values.add(record.client_name.as_deref().map(without_nul));
    values.add(record.protocol_version.as_deref().map(without_nul));
    values.add(record.failure.map(FailureReason::as_str));
    values.add(record.upstream_status.map(i64::from));
    for number in [record.duration_us, record.upstream_us, record.request_bytes, record.response_bytes] {
        values.add(stored(number));
    }
    values.add(i64::from(record.cache_hit));
    values.add(without_nul(&record.request_id));
    values.add(captured.map(|captured| without_nul(&captured.arguments)));
    values.add(captured.map(|captured| without_nul(&captured.response)));
}

/// A number that is never negative, as it is stored.
pub(super) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// PostgreSQL has no text with a NUL in it.
pub(super) fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}
