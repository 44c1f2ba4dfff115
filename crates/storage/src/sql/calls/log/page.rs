//! Collects the calls of a page. Blocks of different journals overlap, so the position of a call is final only when
//! every block that may have newer calls has been read.

use std::cmp::Reverse;

use toolgate_domain::call::CallId;

use super::filter::LogFilter;
use crate::calls::{CallPage, LoggedCall};
use crate::sql::calls::block::CallBlock;

/// The newest matching calls of the blocks read so far.
pub(super) struct PageBuilder {
    filter: LogFilter,
    limit: usize,
    /// Newest first, at most `limit + 1`: the extra call shows that there is a next page.
    calls: Vec<LoggedCall>,
}

impl PageBuilder {
    pub(super) fn new(filter: LogFilter, limit: usize) -> Self {
        Self { filter, limit, calls: Vec::new() }
    }

    /// Adds the matching calls of some blocks. An unreadable block is skipped and does not affect other blocks.
    pub(super) fn add_blocks(&mut self, blocks: &[Vec<u8>]) {
        for packed in blocks {
            if let Err(error) = self.add_block(packed) {
                tracing::warn!(?error, "a block of the call log cannot be read; its calls are missing from the page");
            }
        }
        self.calls.sort_unstable_by_key(|call| Reverse(call.id));
        self.calls.truncate(self.limit.saturating_add(1));
    }

    fn add_block(&mut self, packed: &[u8]) -> postcard::Result<()> {
        let block = CallBlock::open(packed)?;
        for call in self.filter.matching_calls(&block).iter().rev().take(self.limit.saturating_add(1)) {
            let (record, is_captured) = block.unpack(call)?;
            self.calls.push(LoggedCall {
                id: call.id,
                record,
                server_name: None,
                tool_name: None,
                credential_name: None,
                is_captured,
            });
        }
        Ok(())
    }

    /// Whether the page is complete if all unread blocks have only ids up to `next_unread`.
    pub(super) fn is_complete_above(&self, next_unread: i64) -> bool {
        self.calls.get(self.limit).is_some_and(|last| last.id.0 > next_unread)
    }

    /// Finishes the page, given the newest id that was not scanned.
    pub(super) fn into_page(mut self, next_unread: Option<i64>) -> CallPage {
        let end = next_unread.unwrap_or(-1);
        let is_full = self.is_complete_above(end);
        self.calls.truncate(self.limit);
        if is_full {
            let next = self.calls.last().map(|call| call.id);
            return CallPage { calls: self.calls, next };
        }
        self.calls.retain(|call| call.id.0 > end);
        CallPage { calls: self.calls, next: next_unread.map(|id| CallId(id.saturating_add(1))) }
    }
}
