//! A timeout that creates no timer if the future completes early.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::task::yield_now;

/// The output of a future.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LazyOutput<T> {
    /// The future was ready without a wait.
    Early(T),
    /// The future was ready within the limit.
    Late(T),
    TimedOut,
}

/// The output of `future`, unless it takes longer than `limit`. The timer starts after the second poll: a future that
/// is ready by then, as nearly every request body is, needs no timer.
pub(super) async fn lazy_timeout<T>(limit: Duration, future: impl Future<Output = T>) -> LazyOutput<T> {
    let mut future = pin!(future);
    let mut is_second_poll = false;
    let early = poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending if is_second_poll => Poll::Ready(None),
        Poll::Pending => {
            is_second_poll = true;
            // Wakes this task after the runtime has polled its sockets.
            let _ = pin!(yield_now()).poll(context);
            Poll::Pending
        }
    });
    match early.await {
        Some(output) => LazyOutput::Early(output),
        None => tokio::time::timeout(limit, future).await.map_or(LazyOutput::TimedOut, LazyOutput::Late),
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::time::Instant;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn a_future_that_never_completes_times_out_at_the_limit() {
        let started = Instant::now();
        assert_eq!(lazy_timeout(LIMIT, pending::<()>()).await, LazyOutput::TimedOut);
        assert_eq!(started.elapsed(), LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_future_that_completes_within_the_limit_returns_its_output() {
        assert_eq!(lazy_timeout(LIMIT, ready(1)).await, LazyOutput::Early(1));
        let later = async {
            yield_now().await;
            yield_now().await;
            tokio::time::sleep(LIMIT / 2).await;
            2
        };
        assert_eq!(lazy_timeout(LIMIT, later).await, LazyOutput::Late(2));
    }
}
