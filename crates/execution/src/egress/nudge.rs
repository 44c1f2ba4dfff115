//! Drives two futures of one task that wake each other: a connection, and what is awaited of it. A wake from one to the
//! other while both are at hand is answered here and now; only one from elsewhere goes to the task, which would be
//! polled from its very top.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

/// How often both are polled before others have their turn.
const TURN: usize = 4;

/// What both are polled with.
#[derive(Default)]
pub(super) struct Nudge {
    is_polling: AtomicBool,
    was_woken: AtomicBool,
    task: AtomicWaker,
}

impl Wake for Nudge {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // In this order, as `poll` has it the other way round: one of both sees what the other did.
        self.was_woken.store(true, Ordering::SeqCst);
        if !self.is_polling.load(Ordering::SeqCst) {
            self.task.wake();
        }
    }
}

impl Nudge {
    /// Polls one, then the other, and again where the other has woken the one. What wakes itself has had its turn: a
    /// socket does so that others have theirs.
    pub(super) fn poll<T>(
        self: &Arc<Self>,
        waker: &Waker,
        task: &mut Context<'_>,
        mut first: impl FnMut(&mut Context<'_>),
        mut second: Pin<&mut impl Future<Output = T>>,
    ) -> Poll<T> {
        self.task.register(task.waker());
        for _ in 0..TURN {
            self.is_polling.store(true, Ordering::SeqCst);
            let mut context = Context::from_waker(waker);
            self.was_woken.store(false, Ordering::SeqCst);
            first(&mut context);
            let has_had_its_turn = self.was_woken.swap(false, Ordering::SeqCst);
            let polled = second.as_mut().poll(&mut context);
            self.is_polling.store(false, Ordering::SeqCst);
            let is_woken = self.was_woken.load(Ordering::SeqCst);
            if polled.is_ready() || !(is_woken || has_had_its_turn) {
                return polled;
            }
            if has_had_its_turn {
                break;
            }
        }
        task.waker().wake_by_ref();
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::pin;

    use super::*;

    /// How often the first is polled for one poll of both, and whether their task is woken for another.
    fn polls(mut first: impl FnMut(&mut Context<'_>), second: impl Future<Output = ()>) -> (usize, bool) {
        let (nudge, task) = (Arc::new(Nudge::default()), Arc::new(Nudge::default()));
        let (waker, task_waker) = (Waker::from(Arc::clone(&nudge)), Waker::from(Arc::clone(&task)));
        let mut count = 0;
        let mut counted = |context: &mut Context<'_>| {
            count += 1;
            first(context);
        };
        let _ = nudge.poll(&waker, &mut Context::from_waker(&task_waker), &mut counted, pin!(second));
        (count, task.was_woken.load(Ordering::SeqCst))
    }

    fn wake(context: &mut Context<'_>) -> Poll<()> {
        context.waker().wake_by_ref();
        Poll::Pending
    }

    #[test]
    fn who_wakes_the_other_is_answered_at_once_but_not_for_ever() {
        assert_eq!(polls(|_| {}, std::future::pending()), (1, false));
        assert_eq!(polls(|_| {}, std::future::ready(())), (1, false));
        let mut wakes = 0;
        let once = poll_fn(|context| {
            wakes += 1;
            if wakes == 1 { wake(context) } else { Poll::Ready(()) }
        });
        assert_eq!(polls(|_| {}, once), (2, false));
        assert_eq!(polls(|_| {}, poll_fn(wake)), (TURN, true));
    }

    #[test]
    fn who_wakes_itself_waits_for_its_next_turn() {
        assert_eq!(polls(|context| context.waker().wake_by_ref(), std::future::pending()), (1, true));
    }

    #[test]
    fn a_wake_from_elsewhere_goes_to_the_task() {
        let (nudge, task) = (Arc::new(Nudge::default()), Arc::new(Nudge::default()));
        let (waker, task_waker) = (Waker::from(Arc::clone(&nudge)), Waker::from(Arc::clone(&task)));
        let pending =
            nudge.poll(&waker, &mut Context::from_waker(&task_waker), |_| {}, pin!(std::future::pending::<()>()));
        assert!(pending.is_pending() && !task.was_woken.load(Ordering::SeqCst));
        waker.wake_by_ref();
        assert!(task.was_woken.load(Ordering::SeqCst));
    }
}
