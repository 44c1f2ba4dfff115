//! Pages of the log, newest first: the index names the blocks of the narrowest scope, and those that can have what was
//! asked for are looked into until a page is full. What is rare is looked for hour by hour, for the sums tell which hours
//! have it. Looking takes a bounded time; a page that ended early says where the next one goes on.

mod filter;
mod names;
mod page;
mod scan;
mod scope_check;
#[cfg(test)]
mod tests;

use std::iter;

use sqlx::AssertSqlSafe;
use toolgate_domain::call::{CallId, CapturedPayload};
use toolgate_domain::user::Visibility;

use super::{NOT_FOUND, span};
use crate::sql::SqlStorage;
use crate::sql::locks::owner_filter;
use crate::sql::row::{Param, SqlRow, params};
use crate::sql::tx::Tx;
use crate::{CallPage, CallQuery, LoggedCall, Result};
use filter::Filter;
use page::PageBuilder;
use scan::{IdRange, LogScan};

/// How many blocks are read at once, at first and at most.
const BLOCKS_PER_READ: (usize, usize) = (2, 32);

/// How far one page looks.
#[derive(Clone, Copy)]
struct ScanLimits {
    /// How many blocks are looked into.
    blocks: usize,
    /// How many hours are looked at, where not every call on the way is wanted.
    hours: usize,
}

const SCAN_LIMITS: ScanLimits = ScanLimits { blocks: 400, hours: 100 };

impl SqlStorage {
    pub(super) async fn page_of_calls(&self, query: &CallQuery) -> Result<CallPage> {
        self.page_within(query, SCAN_LIMITS).await
    }

    async fn page_within(&self, query: &CallQuery, limits: ScanLimits) -> Result<CallPage> {
        let mut tx = self.db.snapshot().await?;
        let scan = LogScan::new(query);
        let limit = usize::try_from(query.limit.max(1)).unwrap_or(usize::MAX);
        let mut page = PageBuilder::new(Filter::new(query), limit);
        let next_unread =
            if tx.can_match(&scan, query).await? { tx.scan_log(&scan, &mut page, limits).await? } else { None };
        let mut page = page.into_page(next_unread);
        tx.fill_names(&mut page.calls).await?;
        Ok(page)
    }

    pub(super) async fn one_call(&self, visibility: Visibility, id: CallId) -> Result<LoggedCall> {
        let mut tx = self.db.snapshot().await?;
        let mut page = PageBuilder::new(Filter::for_call(owner_filter(visibility), id), 1);
        let sql = "SELECT packed FROM call_blocks WHERE newest >= $1 AND newest < $2 AND oldest <= $1";
        let rows = tx.fetch_all(sql, params![id.0, span::end(id).0]).await?;
        page.add_blocks(&packed_of(&rows)?);
        let mut calls = page.into_page(None).calls;
        tx.fill_names(&mut calls).await?;
        let mut call = calls.pop().ok_or(NOT_FOUND)?;
        if call.is_captured {
            call.record.captured = tx.captured(id).await?;
            // It goes with the oldest block that overlaps this one.
            call.is_captured = call.record.captured.is_some();
        }
        Ok(call)
    }
}

fn packed_of(rows: &[SqlRow]) -> Result<Vec<Vec<u8>>> {
    rows.iter().map(|row| row.bytes("packed")).collect()
}

impl Tx {
    /// Looks for calls until there are enough. Returns the newest id that has not been looked at, if there is one.
    async fn scan_log(&mut self, scan: &LogScan, page: &mut PageBuilder, limits: ScanLimits) -> Result<Option<i64>> {
        let mut blocks = limits.blocks;
        if !scan.is_selective() {
            return self.scan_range(scan, scan.whole(), page, &mut blocks).await;
        }
        let Some(oldest) = self.oldest_block(scan).await? else { return Ok(None) };
        let scan = &scan.not_before(oldest);
        let mut next_unread = scan.newest();
        for _ in 0..limits.hours {
            let Some(hour) = self.newest_hour_with(scan, next_unread).await? else { return Ok(None) };
            let range = scan.hour(hour);
            let inside = self.scan_range(scan, range, page, &mut blocks).await?;
            if inside.is_some() {
                return Ok(inside);
            }
            next_unread = range.from - 1;
            if page.is_complete_above(next_unread) {
                break;
            }
            if scan.ends_with(range) {
                return Ok(None);
            }
        }
        Ok(Some(next_unread))
    }

    async fn scan_range(
        &mut self,
        scan: &LogScan,
        mut range: IdRange,
        page: &mut PageBuilder,
        blocks: &mut usize,
    ) -> Result<Option<i64>> {
        let (mut count, most) = BLOCKS_PER_READ;
        loop {
            let keys = self.block_keys(scan, range, count).await?;
            let Some((first, last)) = keys.first().copied().zip(keys.last().copied()) else { return Ok(None) };
            // Blocks that reach beyond the newest call on the way are all looked into, so that each page goes on.
            if page.is_complete_above(first) || (*blocks == 0 && first < scan.newest()) {
                return Ok(Some(first));
            }
            page.add_blocks(&self.blocks(&keys).await?);
            *blocks = blocks.saturating_sub(keys.len());
            if keys.len() < count {
                return Ok(None);
            }
            range.end = last;
            count = (count * 2).min(most);
        }
    }

    /// The last key fills the list up, so that few statements do for lists of any length.
    async fn blocks(&mut self, keys: &[i64]) -> Result<Vec<Vec<u8>>> {
        let length = keys.len().next_power_of_two();
        let placeholders: Vec<String> = (1..=length).map(|number| format!("${number}")).collect();
        let sql = format!("SELECT packed FROM call_blocks WHERE newest IN ({})", placeholders.join(","));
        let filler = keys.last().copied().unwrap_or_default();
        let values = keys.iter().copied().chain(iter::repeat(filler)).take(length).map(Param::from).collect();
        packed_of(&self.fetch_all(AssertSqlSafe(sql), values).await?)
    }

    async fn captured(&mut self, id: CallId) -> Result<Option<CapturedPayload>> {
        let row =
            self.fetch_optional("SELECT arguments, response FROM captured_calls WHERE id = $1", params![id.0]).await?;
        row.map(|row| Ok(CapturedPayload { arguments: row.text("arguments")?, response: row.text("response")? }))
            .transpose()
    }
}
