//! Pages of the call log, newest first. A page scans the index of the narrowest scope and reads the blocks that can
//! match until it is full. Selective queries scan hour by hour, because rollups say which hours have matches. The scan
//! is bounded; a page that ends early has a cursor for the next one.

mod call_access;
mod captured;
mod filter;
mod key_list;
mod names;
mod page;
mod scan;
mod scope_check;
#[cfg(test)]
mod tests;

use sqlx::AssertSqlSafe;
use toolgate_domain::call::CallId;
use toolgate_domain::user::Visibility;

use super::{NOT_FOUND, span};
use crate::calls::{CallPage, CallQuery, LoggedCall};
use crate::error::Result;
use crate::sql::SqlStorage;
use crate::sql::row::{SqlRow, params};
use crate::sql::tx::Tx;
use filter::LogFilter;
use key_list::KeyList;
use page::PageBuilder;
use scan::{IdRange, LogScan};

/// Number of blocks in the first read; it doubles with each read.
const FIRST_READ_BLOCKS: usize = 2;
/// Maximum number of blocks in one read.
const READ_BLOCKS_MAX: usize = 32;

/// Limits of the scan for one page.
#[derive(Clone, Copy)]
pub(super) struct ScanLimits {
    /// Maximum number of blocks to read.
    blocks: usize,
    /// Maximum number of hours to scan if the query is selective.
    hours: usize,
}

pub(super) const SCAN_LIMITS: ScanLimits = ScanLimits { blocks: 400, hours: 100 };

impl SqlStorage {
    pub(super) async fn read_page_within(&self, query: &CallQuery, limits: ScanLimits) -> Result<CallPage> {
        let mut tx = self.db.begin_snapshot().await?;
        let access = tx.call_access(query.visibility).await?;
        let scan = LogScan::new(query, &access);
        let limit = usize::try_from(query.limit.max(1)).unwrap_or(usize::MAX);
        let can_match = tx.can_match(&scan, query, &access).await?;
        let mut page = PageBuilder::new(LogFilter::new(query, access), limit);
        let next_unread = if can_match { tx.scan_log(&scan, &mut page, limits).await? } else { None };
        let mut page = page.into_page(next_unread);
        tx.fill_names(&mut page.calls).await?;
        Ok(page)
    }

    pub(super) async fn find_call(&self, visibility: Visibility, id: CallId) -> Result<LoggedCall> {
        let mut tx = self.db.begin_snapshot().await?;
        let mut page = PageBuilder::new(LogFilter::for_call(tx.call_access(visibility).await?, id), 1);
        let sql = "SELECT packed FROM call_blocks WHERE newest >= $1 AND newest < $2 AND oldest <= $1";
        let rows = tx.fetch_all(sql, params![id.0, span::end(id).0]).await?;
        page.add_blocks(&packed_blocks(&rows)?);
        let mut calls = page.into_page(None).calls;
        tx.fill_names(&mut calls).await?;
        let mut call = calls.pop().ok_or(NOT_FOUND)?;
        if call.is_captured {
            call.record.captured = tx.captured_payload(id).await?;
            // Retention deletes the payloads up to an id, so a payload can be deleted before its block if that block
            // overlaps an older one.
            call.is_captured = call.record.captured.is_some();
        }
        Ok(call)
    }
}

fn packed_blocks(rows: &[SqlRow]) -> Result<Vec<Vec<u8>>> {
    rows.iter().map(|row| row.bytes("packed")).collect()
}

impl Tx {
    /// Scans until the page is full or a limit is reached. Returns the newest id that was not scanned, if there is one.
    async fn scan_log(&mut self, scan: &LogScan, page: &mut PageBuilder, limits: ScanLimits) -> Result<Option<i64>> {
        let mut blocks_left = limits.blocks;
        if !scan.is_selective() {
            return self.scan_range(scan, scan.whole_range(), page, &mut blocks_left).await;
        }
        let Some(oldest) = self.oldest_block(scan).await? else { return Ok(None) };
        let scan = &scan.not_before(oldest);
        let mut next_unread = scan.newest();
        for _ in 0..limits.hours {
            let Some(hour) = self.newest_matching_hour(scan, next_unread).await? else { return Ok(None) };
            let range = scan.hour_range(hour);
            let unread_in_hour = self.scan_range(scan, range, page, &mut blocks_left).await?;
            if unread_in_hour.is_some() {
                return Ok(unread_in_hour);
            }
            next_unread = range.from - 1;
            if page.is_complete_above(next_unread) {
                break;
            }
            if scan.is_last_range(range) {
                return Ok(None);
            }
        }
        Ok(Some(next_unread))
    }

    /// Like [`Self::scan_log`] for a part of the scan. Subtracts the read blocks from `blocks_left`.
    async fn scan_range(
        &mut self,
        scan: &LogScan,
        mut range: IdRange,
        page: &mut PageBuilder,
        blocks_left: &mut usize,
    ) -> Result<Option<i64>> {
        let mut count = FIRST_READ_BLOCKS;
        loop {
            let keys = self.block_keys(scan, range, count).await?;
            let Some((first, last)) = keys.first().copied().zip(keys.last().copied()) else { return Ok(None) };
            // Blocks that extend past the cursor are read even if the limit is used up: otherwise the next page would
            // start at the same cursor.
            if page.is_complete_above(first) || (*blocks_left == 0 && first < scan.newest()) {
                return Ok(Some(first));
            }
            page.add_blocks(&self.read_blocks(&keys).await?);
            *blocks_left = blocks_left.saturating_sub(keys.len());
            if keys.len() < count {
                return Ok(None);
            }
            range.end = last;
            count = (count * 2).min(READ_BLOCKS_MAX);
        }
    }

    async fn read_blocks(&mut self, keys: &[i64]) -> Result<Vec<Vec<u8>>> {
        let KeyList { placeholders, values } = KeyList::new(keys);
        let sql = format!("SELECT packed FROM call_blocks WHERE newest IN ({placeholders})");
        packed_blocks(&self.fetch_all(AssertSqlSafe(sql), values).await?)
    }
}
