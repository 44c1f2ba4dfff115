//! Pages of the log, newest first: the index names the blocks of the narrowest scope, and those that can have what was
//! asked for are looked into until a page is full. What is rare is looked for hour by hour, for the sums tell which hours
//! have it. Looking takes a bounded time; a page that ended early says where the next one goes on.

mod filter;
mod found;
mod ground;
mod names;
#[cfg(test)]
mod tests;
mod walk;

use std::iter;

use sqlx::AssertSqlSafe;
use toolgate_domain::call::{CallId, Captured};
use toolgate_domain::user::Visibility;

use super::{NOT_FOUND, span};
use crate::sql::SqlStorage;
use crate::sql::row::{Param, Row, params};
use crate::sql::server_lock::owner;
use crate::sql::tx::Tx;
use crate::{CallPage, CallQuery, LoggedCall, Result};
use filter::Filter;
use found::Found;
use walk::{Stretch, Walk};

/// How many blocks are read at once, at first and at most.
const TOGETHER: (usize, usize) = (2, 32);

/// How far one page looks.
#[derive(Clone, Copy)]
struct Bounds {
    /// How many blocks are looked into.
    blocks: usize,
    /// How many hours are looked at, where not every call on the way is wanted.
    hours: usize,
}

const BOUNDS: Bounds = Bounds { blocks: 400, hours: 100 };

impl SqlStorage {
    pub(super) async fn page_of_calls(&self, query: &CallQuery) -> Result<CallPage> {
        self.page_within(query, BOUNDS).await
    }

    async fn page_within(&self, query: &CallQuery, bounds: Bounds) -> Result<CallPage> {
        let mut tx = self.db.snapshot().await?;
        let walk = Walk::of(query);
        let limit = usize::try_from(query.limit.max(1)).unwrap_or(usize::MAX);
        let mut found = Found::new(Filter::of(query), limit);
        let unseen =
            if tx.is_ground_of(&walk, query).await? { tx.look(&walk, &mut found, bounds).await? } else { None };
        let mut page = found.into_page(unseen);
        tx.name(&mut page.calls).await?;
        Ok(page)
    }

    pub(super) async fn one_call(&self, visibility: Visibility, id: CallId) -> Result<LoggedCall> {
        let mut tx = self.db.snapshot().await?;
        let mut found = Found::new(Filter::of_one(owner(visibility), id), 1);
        let sql = "SELECT packed FROM call_blocks WHERE newest >= $1 AND newest < $2 AND oldest <= $1";
        let rows = tx.fetch_all(sql, params![id.0, span::end(id).0]).await?;
        found.look_into(&packed_of(&rows)?);
        let mut calls = found.into_page(None).calls;
        tx.name(&mut calls).await?;
        let mut call = calls.pop().ok_or(NOT_FOUND)?;
        if call.is_captured {
            call.record.captured = tx.captured(id).await?;
            // It goes with the oldest block that overlaps this one.
            call.is_captured = call.record.captured.is_some();
        }
        Ok(call)
    }
}

fn packed_of(rows: &[Row]) -> Result<Vec<Vec<u8>>> {
    rows.iter().map(|row| row.bytes("packed")).collect()
}

impl Tx {
    /// Looks for calls until there are enough. Returns the newest id that has not been looked at, if there is one.
    async fn look(&mut self, walk: &Walk, found: &mut Found, bounds: Bounds) -> Result<Option<i64>> {
        let mut blocks = bounds.blocks;
        if !walk.passes_over_calls() {
            return self.look_along(walk, walk.whole(), found, &mut blocks).await;
        }
        let Some(oldest) = self.oldest_block_of(walk).await? else { return Ok(None) };
        let walk = &walk.not_before(oldest);
        let mut unseen = walk.newest();
        for _ in 0..bounds.hours {
            let Some(hour) = self.newest_hour_with(walk, unseen).await? else { return Ok(None) };
            let stretch = walk.hour(hour);
            let inside = self.look_along(walk, stretch, found, &mut blocks).await?;
            if inside.is_some() {
                return Ok(inside);
            }
            unseen = stretch.from - 1;
            if found.is_complete_above(unseen) {
                break;
            }
            if walk.ends_with(stretch) {
                return Ok(None);
            }
        }
        Ok(Some(unseen))
    }

    async fn look_along(
        &mut self,
        walk: &Walk,
        mut stretch: Stretch,
        found: &mut Found,
        blocks: &mut usize,
    ) -> Result<Option<i64>> {
        let (mut together, most) = TOGETHER;
        loop {
            let keys = self.keys_of_blocks(walk, stretch, together).await?;
            let Some((first, last)) = keys.first().copied().zip(keys.last().copied()) else { return Ok(None) };
            // Blocks that reach beyond the newest call on the way are all looked into, so that each page goes on.
            if found.is_complete_above(first) || (*blocks == 0 && first < walk.newest()) {
                return Ok(Some(first));
            }
            found.look_into(&self.blocks(&keys).await?);
            *blocks = blocks.saturating_sub(keys.len());
            if keys.len() < together {
                return Ok(None);
            }
            stretch.end = last;
            together = (together * 2).min(most);
        }
    }

    /// The last key fills the list up, so that few statements do for lists of any length.
    async fn blocks(&mut self, keys: &[i64]) -> Result<Vec<Vec<u8>>> {
        let length = keys.len().next_power_of_two();
        let places: Vec<String> = (1..=length).map(|number| format!("${number}")).collect();
        let sql = format!("SELECT packed FROM call_blocks WHERE newest IN ({})", places.join(","));
        let filler = keys.last().copied().unwrap_or_default();
        let values = keys.iter().copied().chain(iter::repeat(filler)).take(length).map(Param::from).collect();
        packed_of(&self.fetch_all(AssertSqlSafe(sql), values).await?)
    }

    async fn captured(&mut self, id: CallId) -> Result<Option<Captured>> {
        let row =
            self.fetch_optional("SELECT arguments, response FROM captured_calls WHERE id = $1", params![id.0]).await?;
        row.map(|row| Ok(Captured { arguments: row.text("arguments")?, response: row.text("response")? })).transpose()
    }
}
