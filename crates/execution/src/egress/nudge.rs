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
    /// Polls one, then the other, until the other is ready or neither is woken by the other.
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
            self.was_woken.store(false, Ordering::SeqCst);
            let mut context = Context::from_waker(waker);
            first(&mut context);
            let polled = second.as_mut().poll(&mut context);
            self.is_polling.store(false, Ordering::SeqCst);
            if polled.is_ready() || !self.was_woken.load(Ordering::SeqCst) {
                return polled;
            }
        }
        task.waker().wake_by_ref();
        Poll::Pending
    }
}
