//! Polls two futures in one task, each only after it was woken. If one future wakes the other, the other is polled
//! again in the same poll of the task. This avoids rescheduling the task and polling it from its root. Wakes between
//! two polls of the task are passed to the task.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;
use tokio::task::yield_now;

/// The maximum number of rounds in one poll of the task; then the task yields.
const ROUNDS_MAX: usize = 8;

/// Tracks which of two futures was woken.
#[derive(Debug)]
pub(super) struct PairedWaker {
    parent: Arc<ParentWaker>,
    first: ChildWaker,
    second: ChildWaker,
}

/// The waker of the task that polls both futures.
#[derive(Debug, Default)]
struct ParentWaker {
    is_polling: AtomicBool,
    task: AtomicWaker,
}

#[derive(Debug)]
struct ChildWaker {
    flag: Arc<WakeFlag>,
    waker: Waker,
}

/// The state behind the waker of one future.
#[derive(Debug)]
struct WakeFlag {
    is_woken: AtomicBool,
    parent: Arc<ParentWaker>,
}

impl Wake for WakeFlag {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // `poll` clears `is_polling` first and reads `is_woken` afterwards. With the opposite order here, and
        // sequential consistency, at least one side sees the other's store, so that no wake is lost.
        self.is_woken.store(true, SeqCst);
        if !self.parent.is_polling.load(SeqCst) {
            self.parent.task.wake();
        }
    }
}

impl ChildWaker {
    fn new(parent: &Arc<ParentWaker>) -> Self {
        let flag = Arc::new(WakeFlag { is_woken: AtomicBool::new(true), parent: Arc::clone(parent) });
        Self { waker: Waker::from(Arc::clone(&flag)), flag }
    }

    /// Calls `poll` if the future was woken.
    fn poll<T>(&self, poll: &mut impl FnMut(&mut Context<'_>) -> Poll<T>) -> Poll<T> {
        if !self.is_woken() {
            return Poll::Pending;
        }
        // Cleared before the poll: a wake during the poll must not be lost.
        self.flag.is_woken.store(false, SeqCst);
        poll(&mut Context::from_waker(&self.waker))
    }

    fn is_woken(&self) -> bool {
        self.flag.is_woken.load(SeqCst)
    }
}

impl Default for PairedWaker {
    fn default() -> Self {
        let parent = Arc::default();
        Self { first: ChildWaker::new(&parent), second: ChildWaker::new(&parent), parent }
    }
}

impl PairedWaker {
    /// Marks both futures as woken. Call this after replacing a future: the new one has not registered a waker and must
    /// be polled once.
    pub(super) fn mark_both_woken(&self) {
        self.first.flag.is_woken.store(true, SeqCst);
        self.second.flag.is_woken.store(true, SeqCst);
    }

    /// Polls the futures that were woken, until one is ready, none was woken, or [`ROUNDS_MAX`] rounds have passed.
    pub(super) fn poll<T>(
        &self,
        task: &mut Context<'_>,
        mut first: impl FnMut(&mut Context<'_>) -> Poll<T>,
        mut second: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        self.parent.task.register(task.waker());
        for _ in 0..ROUNDS_MAX {
            self.parent.is_polling.store(true, SeqCst);
            let mut result = self.first.poll(&mut first);
            if result.is_pending() {
                result = self.second.poll(&mut second);
            }
            self.parent.is_polling.store(false, SeqCst);
            if result.is_ready() || !(self.first.is_woken() || self.second.is_woken()) {
                return result;
            }
        }
        // Unlike waking the task directly, `yield_now` lets the runtime process timers and sockets first.
        let _ = pin!(yield_now()).poll(task);
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many times each future is polled during one poll of the pair, and whether the task is woken again.
    fn count_polls(
        pair: &PairedWaker,
        mut first: impl FnMut(&Waker),
        mut second: impl FnMut(&Waker) -> Poll<()>,
    ) -> [usize; 3] {
        let task = ChildWaker::new(&Arc::default());
        task.flag.is_woken.store(false, SeqCst);
        let (mut first_polls, mut second_polls) = (0, 0);
        let _ = pair.poll(
            &mut Context::from_waker(&task.waker),
            |context| {
                first_polls += 1;
                first(context.waker());
                Poll::Pending
            },
            |context| {
                second_polls += 1;
                second(context.waker())
            },
        );
        [first_polls, second_polls, usize::from(task.is_woken())]
    }

    #[test]
    fn a_future_that_was_not_woken_is_not_polled() {
        let pair = PairedWaker::default();
        assert_eq!(count_polls(&pair, |_| {}, |_| Poll::Pending), [1, 1, 0], "both are polled at first");
        assert_eq!(count_polls(&pair, |_| {}, |_| Poll::Pending), [0, 0, 0]);
        pair.first.waker.wake_by_ref();
        assert_eq!(count_polls(&pair, |_| {}, |_| Poll::Pending), [1, 0, 0]);
        pair.mark_both_woken();
        assert_eq!(count_polls(&pair, |_| {}, |_| Poll::Ready(())), [1, 1, 0]);
    }

    #[test]
    fn futures_that_wake_each_other_are_polled_immediately_but_not_forever() {
        let pair = PairedWaker::default();
        let mut poll_count = 0;
        let wake_first_once = |_: &Waker| {
            poll_count += 1;
            if poll_count == 1 {
                pair.first.waker.wake_by_ref();
            }
            Poll::Pending
        };
        assert_eq!(count_polls(&pair, |_| {}, wake_first_once), [2, 1, 0]);
        pair.first.waker.wake_by_ref();
        assert_eq!(count_polls(&pair, |_| pair.second.waker.wake_by_ref(), |_| Poll::Ready(())), [1, 1, 0]);
        pair.first.waker.wake_by_ref();
        assert_eq!(
            count_polls(&pair, Waker::wake_by_ref, |_| Poll::Pending),
            [ROUNDS_MAX, 0, 1],
            "the first future wakes itself"
        );
    }

    #[test]
    fn a_wake_from_outside_reaches_the_task() {
        let (pair, task) = (PairedWaker::default(), ChildWaker::new(&Arc::default()));
        task.flag.is_woken.store(false, SeqCst);
        let mut context = Context::from_waker(&task.waker);
        assert!(pair.poll(&mut context, |_| Poll::<()>::Pending, |_| Poll::Pending).is_pending() && !task.is_woken());
        pair.second.waker.wake_by_ref();
        assert!(task.is_woken());
    }
}
