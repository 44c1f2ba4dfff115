//! The calls of a batch as blocks, what the index tells of each, and what was captured.

use std::collections::HashMap;

use toolgate_domain::call::{CallId, Captured};
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::usage::Scope;

use super::batch::Incoming;
use super::block::{self, Place};
use super::marks::Marks;
use super::{span, without_nul};
use crate::Result;
use crate::sql::bulk::{Bulk, Values, runs};
use crate::sql::tx::Tx;
use crate::sql::usage::scope_numbers;

static INSERT_BLOCKS: Bulk = Bulk::new("INSERT INTO call_blocks (newest, oldest, calls, packed) VALUES ", 4, "");
static INSERT_INDEX: Bulk =
    Bulk::new("INSERT INTO call_index (scope, scope_id, block, oldest, outcomes, client_types) VALUES ", 6, "");
static INSERT_CAPTURED: Bulk = Bulk::new("INSERT INTO captured_calls (id, arguments, response) VALUES ", 3, "");

/// Rows for the log.
#[derive(Default)]
pub(super) struct Blocks {
    rows: Vec<Row>,
    index: Vec<IndexRow>,
    captured: Vec<(CallId, Captured)>,
}

struct Row {
    newest: CallId,
    oldest: CallId,
    calls: usize,
    packed: Vec<u8>,
}

struct IndexRow {
    scope: (i64, i64),
    block: CallId,
    oldest: CallId,
    marks: Marks,
}

impl Blocks {
    /// Adds calls that are in the order of their ids: as one block, unless they are of several spans.
    pub(super) fn add(&mut self, calls: &mut [Incoming]) -> Result<()> {
        for block in calls.chunk_by_mut(|one, next| span::start(one.id) == span::start(next.id)) {
            self.add_block(block)?;
        }
        Ok(())
    }

    fn add_block(&mut self, calls: &mut [Incoming]) -> Result<()> {
        let (Some(first), Some(last)) = (calls.first(), calls.last()) else { return Ok(()) };
        let (oldest, newest) = (first.id, last.id);
        let packed = block::pack(calls).map_err(|error| sqlx::Error::Encode(Box::new(error)))?;
        self.rows.push(Row { newest, oldest, calls: calls.len(), packed });
        self.index.extend(marks_by_scope(calls).into_iter().map(|(scope, marks)| IndexRow {
            scope: scope_numbers(scope),
            block: newest,
            oldest,
            marks,
        }));
        for call in calls {
            self.captured.extend(call.record.captured.take().map(|captured| (call.id, captured)));
        }
        Ok(())
    }
}

fn marks_by_scope(calls: &[Incoming]) -> HashMap<Scope, Marks> {
    let mut places: HashMap<Place, Marks> = HashMap::new();
    for Incoming { client_type, record, .. } in calls {
        places.entry(Place::of(record)).or_default().add(Marks::of(record.failure, client_type));
    }
    let mut scopes: HashMap<Scope, Marks> = HashMap::new();
    for (place, marks) in places {
        for scope in scopes_of(place) {
            scopes.entry(scope).or_default().add(marks);
        }
    }
    scopes
}

/// What the calls of a place belong to.
pub(super) fn scopes_of(place: Place) -> [Scope; 4] {
    let Place { user, server, tool } = place;
    [Scope::All, Scope::Owner(UserId(user)), Scope::Server(ServerId(server)), Scope::Tool(ToolId(tool))]
}

impl Tx {
    pub(super) async fn insert_blocks(&mut self, mut blocks: Blocks) -> Result<()> {
        blocks.index.sort_unstable_by_key(|row| (row.scope, row.block)); // neighbours are written together
        for run in runs(&blocks.rows) {
            let mut values = Values::of(self, run.len() * 4);
            for row in run {
                values.add(row.newest.0);
                values.add(row.oldest.0);
                values.add(i64::try_from(row.calls).unwrap_or(i64::MAX));
                values.add(row.packed.as_slice());
            }
            self.execute_bound(INSERT_BLOCKS.sql(run.len(), &values), values).await?;
        }
        for run in runs(&blocks.index) {
            let mut values = Values::of(self, run.len() * 6);
            for IndexRow { scope: (scope, scope_id), block, oldest, marks } in run {
                for value in [*scope, *scope_id, block.0, oldest.0, marks.outcomes, marks.client_types] {
                    values.add(value);
                }
            }
            self.execute_bound(INSERT_INDEX.sql(run.len(), &values), values).await?;
        }
        for run in runs(&blocks.captured) {
            let mut values = Values::of(self, run.len() * 3);
            for (id, captured) in run {
                values.add(id.0);
                values.add(without_nul(&captured.arguments));
                values.add(without_nul(&captured.response));
            }
            self.execute_bound(INSERT_CAPTURED.sql(run.len(), &values), values).await?;
        }
        Ok(())
    }
}
