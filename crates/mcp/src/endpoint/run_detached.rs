//! A call that continues when its client disconnects.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tracing::{Instrument as _, Span};

use crate::service::McpService;

/// Runs a future to completion: in the task that awaits it, or as a spawned task after it is dropped. Spawning it from
/// the start would add a task switch to every call, although few clients disconnect.
pub(super) struct RunDetached<F: Future<Output: Send> + Send + 'static> {
    service: Arc<McpService>,
    /// The span in which it was created, because it may be dropped in another one.
    span: Span,
    /// `None` after completion and while it is polled, so that a future that panicked is not polled again.
    work: Option<Pin<Box<F>>>,
}

impl<F: Future<Output: Send> + Send + 'static> RunDetached<F> {
    pub(super) fn new(service: Arc<McpService>, work: F) -> Self {
        Self { service, span: Span::current(), work: Some(Box::pin(work)) }
    }
}

impl<F: Future<Output: Send> + Send + 'static> Future for RunDetached<F> {
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

impl<F: Future<Output: Send> + Send + 'static> Drop for RunDetached<F> {
    fn drop(&mut self) {
        // Without a runtime the process is exiting, and nothing can be spawned.
        if let Some(work) = self.work.take()
            && Handle::try_current().is_ok()
        {
            let span = std::mem::replace(&mut self.span, Span::none());
            self.service.spawn(work.instrument(span));
        }
    }
}
