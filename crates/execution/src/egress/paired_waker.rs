//! Polls two futures in one task, each only after it was woken. If one wakes the other, that one is polled again
//! immediately. Only a wake from outside reaches the task, which would be rescheduled and polled from its root.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;
use tokio::task::yield_now;

/// Rounds of polling before the task yields.
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
    /// Marks both futures as woken: a new future has not registered a waker yet.
    pub(super) fn mark_both_woken(&self) {
        self.first.flag.is_woken.store(true, SeqCst);
        self.second.flag.is_woken.store(true, SeqCst);
    }

    /// Polls the futures that were woken, repeatedly while they wake each other, until one of them is ready.
    pub(super) fn poll<T>(
        &self,
        task: &mut Context<'_>,
        mut first: impl FnMut(&mut Context<'_>) -> Poll<T>,
        mut second: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        self.parent.task.register(task.waker());
        for _ in 0..ROUNDS_MAX {
            self.parent.is_polling.store(true, SeqCst);
            let mut polled = self.first.poll(&mut first);
            if polled.is_pending() {
                polled = self.second.poll(&mut second);
            }
            self.parent.is_polling.store(false, SeqCst);
            if polled.is_ready() || !(self.first.is_woken() || self.second.is_woken()) {
                return polled;
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

    /// How often each future is polled during one poll of the pair, and whether the task is woken again.
    fn polls(
        pair: &PairedWaker,
        mut first: impl FnMut(&Waker),
        mut second: impl FnMut(&Waker) -> Poll<()>,
    ) -> [usize; 3] {
        let task = ChildWaker::new(&Arc::default());
        task.flag.is_woken.store(false, SeqCst);
        let (mut firsts, mut seconds) = (0, 0);
        let _ = pair.poll(
            &mut Context::from_waker(&task.waker),
            |context| {
                firsts += 1;
                first(context.waker());
                Poll::Pending
            },
            |context| {
                seconds += 1;
                second(context.waker())
            },
        );
        [firsts, seconds, usize::from(task.is_woken())]
    }

    #[test]
    fn a_future_that_was_not_woken_is_not_polled() {
        let pair = PairedWaker::default();
        assert_eq!(polls(&pair, |_| {}, |_| Poll::Pending), [1, 1, 0], "both are polled at first");
        assert_eq!(polls(&pair, |_| {}, |_| Poll::Pending), [0, 0, 0]);
        pair.first.waker.wake_by_ref();
        assert_eq!(polls(&pair, |_| {}, |_| Poll::Pending), [1, 0, 0]);
        pair.mark_both_woken();
        assert_eq!(polls(&pair, |_| {}, |_| Poll::Ready(())), [1, 1, 0]);
    }

    #[test]
    fn futures_that_wake_each_other_are_polled_immediately_but_not_forever() {
        let pair = PairedWaker::default();
        let mut wakes = 0;
        let once = |_: &Waker| {
            wakes += 1;
            if wakes == 1 {
                pair.first.waker.wake_by_ref();
            }
            Poll::Pending
        };
        assert_eq!(polls(&pair, |_| {}, once), [2, 1, 0]);
        pair.first.waker.wake_by_ref();
        assert_eq!(polls(&pair, |_| pair.second.waker.wake_by_ref(), |_| Poll::Ready(())), [1, 1, 0]);
        pair.first.waker.wake_by_ref();
        assert_eq!(polls(&pair, Waker::wake_by_ref, |_| Poll::Pending), [ROUNDS_MAX, 0, 1], "wakes itself");
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
