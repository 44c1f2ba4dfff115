//! The calls of several journals in the order in which they ended, so that the blocks of the call log cover separate
//! times.

use std::iter::{Peekable, Skip};

use toolgate_domain::call::CallRecord;

use crate::calls::CallIterator;

/// Takes the oldest of the next calls of all journals.
#[derive(Default)]
pub(super) struct MergedCalls<'a>(Vec<Peekable<Skip<CallIterator<'a>>>>);

impl<'a> MergedCalls<'a> {
    /// Adds the calls of a journal without the first `skipped` ones.
    pub(super) fn add(&mut self, calls: CallIterator<'a>, skipped: usize) {
        self.0.push(calls.skip(skipped).peekable());
    }
}

impl Iterator for MergedCalls<'_> {
    type Item = CallRecord;

    fn next(&mut self) -> Option<CallRecord> {
        let journals = self.0.iter_mut().filter_map(|calls| Some((calls.peek()?.at, calls)));
        let (_, calls) = journals.min_by_key(|(at, _)| *at)?;
        calls.next()
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::{ServerId, ToolId, UserId};
    use toolgate_domain::time::Timestamp;

    use super::*;

    /// The calls of a journal: the time of each, and the journal as its tool.
    fn calls(journal: i64, times: &[i64]) -> CallIterator<'static> {
        let call = |at: &i64| CallRecord {
            at: Timestamp::from_millis(*at),
            ..CallRecord::new(UserId(1), ServerId(1), ToolId(journal), String::new())
        };
        Box::new(times.iter().map(call).collect::<Vec<_>>().into_iter())
    }

    #[test]
    fn calls_of_several_journals_are_merged_by_time() {
        let mut merged = MergedCalls::default();
        merged.add(calls(1, &[0, 1, 4, 4]), 1);
        merged.add(calls(2, &[2, 3, 9]), 0);
        merged.add(calls(3, &[5]), 1);
        merged.add(calls(4, &[4, 3, 5]), 0);
        let merged: Vec<_> = merged.map(|call| (call.at.as_millis(), call.tool_id.0)).collect();
        // A journal whose clock went back stays in its own order.
        assert_eq!(merged, [(1, 1), (2, 2), (3, 2), (4, 1), (4, 1), (4, 4), (3, 4), (5, 4), (9, 2)]);
    }
}
