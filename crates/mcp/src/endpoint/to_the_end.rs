//! A call that goes on when its client goes away.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tracing::{Instrument as _, Span};

use crate::gate::Gate;

/// Runs something to its end: for whoever awaits it, and as a task of its own once nobody does. A task from the start
/// would have every call pass from one task to another and back, for the sake of the few whose client leaves.
pub(super) struct ToTheEnd<F: Future<Output: Send> + Send + 'static> {
    gate: Arc<Gate>,
    /// Where it began: whoever gives it up may be elsewhere.
    span: Span,
    /// None once it has ended, and while it is polled: what panics is not polled again.
    work: Option<Pin<Box<F>>>,
}

impl<F: Future<Output: Send> + Send + 'static> ToTheEnd<F> {
    pub(super) fn new(gate: Arc<Gate>, work: F) -> Self {
        Self { gate, span: Span::current(), work: Some(Box::pin(work)) }
    }
}

impl<F: Future<Output: Send> + Send + 'static> Future for ToTheEnd<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Some(mut work) = self.work.take() else { return Poll::Pending };
        let polled = work.as_mut().poll(context);
        if polled.is_pending() {
            self.work = Some(work);
        }
        polled
    }
}

impl<F: Future<Output: Send> + Send + 'static> Drop for ToTheEnd<F> {
    fn drop(&mut self) {
        // Without a runtime the process ends, and nothing could go on.
        if let Some(work) = self.work.take()
            && Handle::try_current().is_ok()
        {
            let span = std::mem::replace(&mut self.span, Span::none());
            self.gate.spawn(work.instrument(span));
        }
    }
}
