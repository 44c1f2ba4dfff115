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
