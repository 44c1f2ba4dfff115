//! Generated choices of the spelling in which a command is printed. They are part of the test case, so that a failing
//! case shrinks to the simplest spelling.

use proptest::prelude::*;

/// A sequence of choices that repeats after its end.
#[derive(Clone, Debug)]
pub(crate) struct Choices {
    bytes: Vec<u8>,
    next_index: usize,
}

impl Choices {
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        prop::collection::vec(any::<u8>(), 0..120).prop_map(|bytes| Self { bytes, next_index: 0 })
    }

    /// A number below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.next_index).copied().unwrap_or(0);
        self.next_index = (self.next_index + 1) % self.bytes.len().max(1);
        usize::from(byte) % count
    }

    /// True with a probability of 1 in `count`.
    pub(crate) fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    pub(crate) fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
