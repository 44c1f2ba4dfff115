//! The rows of a batch for the call log: blocks, index entries and captured payloads.

use ahash::HashMap;
use toolgate_domain::call::{CallId, CapturedPayload};
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::usage::UsageScope;

use super::bitmask::CallBitmask;
use super::block::{self, CallTarget};
use super::incoming_call::IncomingCall;
use super::{span, without_nul};
use crate::error::Result;
use crate::sql::bulk::{BulkStatement, BulkValues};
use crate::sql::tx::Tx;
use crate::sql::usage_columns::scope_numbers;

static INSERT_BLOCKS: BulkStatement =
    BulkStatement::new("INSERT INTO call_blocks (newest, oldest, calls, packed) VALUES ", 4, "");
static INSERT_INDEX: BulkStatement = BulkStatement::new(
    "INSERT INTO call_index (scope, scope_id, block, oldest, outcomes, client_types, credentials, addresses) VALUES ",
    8,
    "",
);
static INSERT_CAPTURED: BulkStatement =
    BulkStatement::new("INSERT INTO captured_calls (id, arguments, response) VALUES ", 3, "");

/// Rows to insert into the tables of the call log.
#[derive(Default)]
pub(super) struct LogRows {
    blocks: Vec<BlockRow>,
    index: Vec<IndexRow>,
    captured: Vec<(CallId, CapturedPayload)>,
}

/// A row of `call_blocks`.
struct BlockRow {
    /// The key of the row.
    newest: CallId,
    oldest: CallId,
    calls: usize,
    packed: Vec<u8>,
}

/// A row of `call_index`.
struct IndexRow {
    /// The columns `scope` and `scope_id`.
    scope: (i64, i64),
    /// The key of the block.
    block: CallId,
    oldest: CallId,
    bitmask: CallBitmask,
}

impl LogRows {
    /// Adds calls, which must be sorted by id, as one block for each span.
    pub(super) fn add(&mut self, calls: &mut [IncomingCall]) -> Result<()> {
        for block in calls.chunk_by_mut(|one, next| span::start(one.id) == span::start(next.id)) {
            self.add_block(block)?;
        }
        Ok(())
    }

    fn add_block(&mut self, calls: &mut [IncomingCall]) -> Result<()> {
        let (Some(first), Some(last)) = (calls.first(), calls.last()) else { return Ok(()) };
        let (oldest, newest) = (first.id, last.id);
        let packed = block::pack(calls).map_err(|error| sqlx::Error::Encode(Box::new(error)))?;
        self.blocks.push(BlockRow { newest, oldest, calls: calls.len(), packed });
        self.index.extend(bitmasks_by_scope(calls).into_iter().map(|(scope, bitmask)| IndexRow {
            scope: scope_numbers(scope),
            block: newest,
            oldest,
            bitmask,
        }));
        for call in calls {
            self.captured.extend(call.record.captured.take().map(|captured| (call.id, captured)));
        }
        Ok(())
    }
}

fn bitmasks_by_scope(calls: &[IncomingCall]) -> HashMap<UsageScope, CallBitmask> {
    let mut targets: HashMap<CallTarget, CallBitmask> = HashMap::default();
    for IncomingCall { client_type, record, .. } in calls {
        targets.entry(CallTarget::from_record(record)).or_default().add(CallBitmask::from_call(record, client_type));
    }
    let mut scopes: HashMap<UsageScope, CallBitmask> = HashMap::default();
    for (target, bitmask) in targets {
        for scope in target_scopes(target) {
            scopes.entry(scope).or_default().add(bitmask);
        }
    }
    scopes
}

/// The scopes that contain the calls of a target.
pub(super) fn target_scopes(target: CallTarget) -> [UsageScope; 4] {
    let CallTarget { user, server, tool } = target;
    [
        UsageScope::All,
        UsageScope::Owner(UserId(user)),
        UsageScope::Server(ServerId(server)),
        UsageScope::Tool(ToolId(tool)),
    ]
}

impl Tx {
    pub(super) async fn insert_log_rows(&mut self, mut rows: LogRows) -> Result<()> {
        rows.index.sort_unstable_by_key(|row| (row.scope, row.block)); // adjacent rows are written together
        let bind_block = |row: &BlockRow, values: &mut BulkValues| {
            values.add(row.newest.0);
            values.add(row.oldest.0);
            values.add(i64::try_from(row.calls).unwrap_or(i64::MAX));
            values.add(row.packed.as_slice());
        };
        self.fetch_bulk(&INSERT_BLOCKS, &rows.blocks, bind_block).await?;
        let bind_index = |row: &IndexRow, values: &mut BulkValues| {
            let IndexRow { scope: (scope, scope_id), block, oldest, bitmask } = row;
            let CallBitmask { outcomes, client_types, credentials, addresses } = *bitmask;
            for value in [*scope, *scope_id, block.0, oldest.0, outcomes, client_types, credentials, addresses] {
                values.add(value);
            }
        };
        self.fetch_bulk(&INSERT_INDEX, &rows.index, bind_index).await?;
        let bind_captured = |(id, captured): &(CallId, CapturedPayload), values: &mut BulkValues| {
            values.add(id.0);
            values.add(without_nul(&captured.arguments));
            values.add(without_nul(&captured.response));
        };
        self.fetch_bulk(&INSERT_CAPTURED, &rows.captured, bind_captured).await.map(drop)
    }
}
