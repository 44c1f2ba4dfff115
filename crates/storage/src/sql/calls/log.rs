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

use domain::call::{CallId, Captured};
use domain::user::Visibility;
use sqlx::AssertSqlSafe;

use super::{NOT_FOUND, span};
use crate::sql::SqlStorage;
use crate::sql::row::params;
use crate::sql::server_lock::owner;
use crate::sql::tx::Tx;
use crate::{CallPage, CallQuery, LoggedCall, Result};
use filter::Filter;
use found::Found;
use walk::{Stretch, Walk};

/// How many blocks are looked into for one page.
const BLOCKS: usize = 400;
/// How many are read at once, at most.
const TOGETHER: usize = 32;
/// How many hours are looked at for one page, where not every call on the way is wanted.
const HOURS: usize = 100;

impl SqlStorage {
    pub(super) async fn page_of_calls(&self, query: &CallQuery) -> Result<CallPage> {
        let mut tx = self.db.snapshot().await?;
        let walk = Walk::of(query);
        let limit = usize::try_from(query.limit.max(1)).unwrap_or(usize::MAX);
        let mut found = Found::new(Filter::of(query), limit);
        let unseen = if tx.is_ground_of(&walk, query).await? { tx.look(&walk, &mut found).await? } else { None };
        let mut page = found.into_page(unseen);
        tx.name(&mut page.calls).await?;
        Ok(page)
    }

    pub(super) async fn one_call(&self, visibility: Visibility, id: CallId) -> Result<LoggedCall> {
        let mut tx = self.db.snapshot().await?;
        let mut found = Found::new(Filter::of_one(owner(visibility), id), 1);
        let sql = "SELECT packed FROM call_blocks WHERE newest >= $1 AND newest < $2 AND oldest <= $1";
        for row in tx.fetch_all(sql, params![id.0, span::end(id).0]).await? {
            found.look_into(&row.bytes("packed")?)?;
        }
        let mut calls = found.into_page(None).calls;
        tx.name(&mut calls).await?;
        let mut call = calls.pop().ok_or(NOT_FOUND)?;
        if call.is_captured {
            call.record.captured = tx.captured(id).await?;
        }
        Ok(call)
    }
}

impl Tx {
    /// Looks for calls until there are enough. Returns the newest id that has not been looked at, if there is one.
    async fn look(&mut self, walk: &Walk, found: &mut Found) -> Result<Option<i64>> {
        let mut blocks = BLOCKS;
        if !walk.passes_over_calls() {
            return self.look_along(walk, walk.whole(), found, &mut blocks).await;
        }
        let Some(oldest) = self.oldest_block_of(walk).await? else { return Ok(None) };
        let walk = &walk.not_before(oldest);
        let mut unseen = walk.newest();
        for _ in 0..HOURS {
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
        let mut together = 1;
        loop {
            let keys = self.keys_of_blocks(walk, stretch, together).await?;
            let Some((newest, oldest)) = keys.first().copied().zip(keys.last().copied()) else { return Ok(None) };
            // Where newer blocks overlap the first call on the way, all of them are looked into: each page goes on.
            if found.is_complete_above(newest) || (*blocks == 0 && newest <= walk.newest()) {
                return Ok(Some(newest));
            }
            for packed in self.blocks(&keys).await? {
                found.look_into(&packed)?;
            }
            *blocks = blocks.saturating_sub(keys.len());
            if keys.len() < together {
                return Ok(None);
            }
            stretch.end = oldest;
            together = (together * 2).min(TOGETHER);
        }
    }

    async fn blocks(&mut self, keys: &[i64]) -> Result<Vec<Vec<u8>>> {
        let places: Vec<String> = (1..=keys.len()).map(|number| format!("${number}")).collect();
        let sql = format!("SELECT packed FROM call_blocks WHERE newest IN ({})", places.join(","));
        let rows = self.fetch_all(AssertSqlSafe(sql), keys.iter().map(|key| (*key).into()).collect()).await?;
        rows.iter().map(|row| row.bytes("packed")).collect()
    }

    async fn captured(&mut self, id: CallId) -> Result<Option<Captured>> {
        let row =
            self.fetch_optional("SELECT arguments, response FROM captured_calls WHERE id = $1", params![id.0]).await?;
        row.map(|row| Ok(Captured { arguments: row.text("arguments")?, response: row.text("response")? })).transpose()
    }
}
