//! What has been found for a page. Blocks of several journals overlap, so a call is in its place only when every block
//! that may have a newer one has been looked into.

use std::cmp::Reverse;

use toolgate_domain::call::CallId;

use super::filter::Filter;
use crate::sql::calls::block::CallBlock;
use crate::{CallPage, LoggedCall};

/// The newest calls that were found.
pub(super) struct PageBuilder {
    filter: Filter,
    limit: usize,
    /// Newest first; one more than a page has, to know whether there is another.
    calls: Vec<LoggedCall>,
}

impl PageBuilder {
    pub(super) fn new(filter: Filter, limit: usize) -> Self {
        Self { filter, limit, calls: Vec::new() }
    }

    /// Looks into some blocks. What cannot be read hides itself only.
    pub(super) fn add_blocks(&mut self, blocks: &[Vec<u8>]) {
        for packed in blocks {
            if let Err(error) = self.add_block(packed) {
                tracing::warn!(?error, "some calls of the log cannot be read");
            }
        }
        self.calls.sort_unstable_by_key(|call| Reverse(call.id));
        self.calls.truncate(self.limit.saturating_add(1));
    }

    fn add_block(&mut self, packed: &[u8]) -> postcard::Result<()> {
        let block = CallBlock::open(packed)?;
        for call in self.filter.matching(&block).iter().rev().take(self.limit.saturating_add(1)) {
            let (record, is_captured) = block.unpack(call)?;
            self.calls.push(LoggedCall { id: call.id, record, server_name: None, tool_name: None, is_captured });
        }
        Ok(())
    }

    /// Whether nothing can be missing, if whatever was not looked into has no newer id than this.
    pub(super) fn is_complete_above(&self, next_unread: i64) -> bool {
        self.calls.get(self.limit).is_some_and(|last| last.id.0 > next_unread)
    }

    /// The page, if ids up to this one have not been looked at.
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
