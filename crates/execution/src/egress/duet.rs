//! Two futures of one task, each polled only when it was woken. A wake from one to the other is answered here and now:
//! only one from elsewhere goes to the task, which would be scheduled and polled from its very top.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;
use tokio::task::yield_now;

/// How often both are polled before others have their turn.
const TURN: usize = 8;

/// Knows who of two was woken.
#[derive(Debug)]
pub(super) struct Duet {
    stage: Arc<Stage>,
    first: Voice,
    second: Voice,
}

#[derive(Debug, Default)]
struct Stage {
    is_polling: AtomicBool,
    task: AtomicWaker,
}

#[derive(Debug)]
struct Voice {
    call: Arc<Call>,
    waker: Waker,
}

/// What one of them is woken by.
#[derive(Debug)]
struct Call {
    is_due: AtomicBool,
    stage: Arc<Stage>,
}

impl Wake for Call {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // In this order, as `poll` has it the other way round: one of both sees what the other did.
        self.is_due.store(true, SeqCst);
        if !self.stage.is_polling.load(SeqCst) {
            self.stage.task.wake();
        }
    }
}

impl Voice {
    fn new(stage: &Arc<Stage>) -> Self {
        let call = Arc::new(Call { is_due: AtomicBool::new(true), stage: Arc::clone(stage) });
        Self { waker: Waker::from(Arc::clone(&call)), call }
    }

    /// Polls it if it was woken.
    fn poll<T>(&self, poll: &mut impl FnMut(&mut Context<'_>) -> Poll<T>) -> Poll<T> {
        if !self.is_due() {
            return Poll::Pending;
        }
        self.call.is_due.store(false, SeqCst);
        poll(&mut Context::from_waker(&self.waker))
    }

    fn is_due(&self) -> bool {
        self.call.is_due.load(SeqCst)
    }
}

impl Default for Duet {
    fn default() -> Self {
        let stage = Arc::default();
        Self { first: Voice::new(&stage), second: Voice::new(&stage), stage }
    }
}

impl Duet {
    /// Both are polled next, for they are others than those before, or nobody knows whom they would wake.
    pub(super) fn begin(&self) {
        self.first.call.is_due.store(true, SeqCst);
        self.second.call.is_due.store(true, SeqCst);
    }

    /// Polls who was woken, and again where that woke somebody, until one of them ends.
    pub(super) fn poll<T>(
        &self,
        task: &mut Context<'_>,
        mut first: impl FnMut(&mut Context<'_>) -> Poll<T>,
        mut second: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        self.stage.task.register(task.waker());
        for _ in 0..TURN {
            self.stage.is_polling.store(true, SeqCst);
            let mut polled = self.first.poll(&mut first);
            if polled.is_pending() {
                polled = self.second.poll(&mut second);
            }
            self.stage.is_polling.store(false, SeqCst);
            if polled.is_ready() || !(self.first.is_due() || self.second.is_due()) {
                return polled;
            }
        }
        // Woken only once the runtime has looked at its clocks and sockets.
        let _ = pin!(yield_now()).poll(task);
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of two is polled for one poll of both, and whether their task is woken for another.
    fn polls(duet: &Duet, mut first: impl FnMut(&Waker), mut second: impl FnMut(&Waker) -> Poll<()>) -> [usize; 3] {
        let task = Voice::new(&Arc::default());
        task.call.is_due.store(false, SeqCst);
        let (mut firsts, mut seconds) = (0, 0);
        let _ = duet.poll(
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
        [firsts, seconds, usize::from(task.is_due())]
    }

    #[test]
    fn who_was_not_woken_is_not_polled() {
        let duet = Duet::default();
        assert_eq!(polls(&duet, |_| {}, |_| Poll::Pending), [1, 1, 0], "at first both are");
        assert_eq!(polls(&duet, |_| {}, |_| Poll::Pending), [0, 0, 0]);
        duet.first.waker.wake_by_ref();
        assert_eq!(polls(&duet, |_| {}, |_| Poll::Pending), [1, 0, 0]);
        duet.begin();
        assert_eq!(polls(&duet, |_| {}, |_| Poll::Ready(())), [1, 1, 0]);
    }

    #[test]
    fn who_wakes_the_other_is_answered_at_once_but_not_for_ever() {
        let duet = Duet::default();
        let mut wakes = 0;
        let once = |_: &Waker| {
            wakes += 1;
            if wakes == 1 {
                duet.first.waker.wake_by_ref();
            }
            Poll::Pending
        };
        assert_eq!(polls(&duet, |_| {}, once), [2, 1, 0]);
        duet.first.waker.wake_by_ref();
        assert_eq!(polls(&duet, |_| duet.second.waker.wake_by_ref(), |_| Poll::Ready(())), [1, 1, 0]);
        duet.first.waker.wake_by_ref();
        assert_eq!(polls(&duet, Waker::wake_by_ref, |_| Poll::Pending), [TURN, 0, 1], "itself");
    }

    #[test]
    fn a_wake_from_elsewhere_goes_to_the_task() {
        let (duet, task) = (Duet::default(), Voice::new(&Arc::default()));
        task.call.is_due.store(false, SeqCst);
        let mut context = Context::from_waker(&task.waker);
        assert!(duet.poll(&mut context, |_| Poll::<()>::Pending, |_| Poll::Pending).is_pending() && !task.is_due());
        duet.second.waker.wake_by_ref();
        assert!(task.is_due());
    }
}
