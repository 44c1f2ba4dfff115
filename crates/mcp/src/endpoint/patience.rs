//! A limit on waiting that costs nothing where there is no wait.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::task::yield_now;

/// What comes of `awaited`, unless that takes longer than `limit`. The clock starts with the second look: what has
/// come by then (nearly every body of a request has) needs no timer.
pub(super) async fn within<T>(limit: Duration, awaited: impl Future<Output = T>) -> Option<T> {
    let mut awaited = pin!(awaited);
    let mut is_second_look = false;
    let early = poll_fn(|context| match awaited.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending if is_second_look => Poll::Ready(None),
        Poll::Pending => {
            is_second_look = true;
            // Woken once the runtime has looked at its sockets.
            let _ = pin!(yield_now()).poll(context);
            Poll::Pending
        }
    });
    match early.await {
        Some(done) => Some(done),
        None => tokio::time::timeout(limit, awaited).await.ok(),
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::time::Instant;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn what_never_comes_is_waited_for_as_long_as_the_limit_says() {
        let begun = Instant::now();
        assert_eq!(within(LIMIT, pending::<()>()).await, None);
        assert_eq!(begun.elapsed(), LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn what_comes_at_once_or_after_a_while_is_taken() {
        assert_eq!(within(LIMIT, ready(1)).await, Some(1));
        let later = async {
            yield_now().await;
            yield_now().await;
            tokio::time::sleep(LIMIT / 2).await;
            2
        };
        assert_eq!(within(LIMIT, later).await, Some(2));
    }
}
