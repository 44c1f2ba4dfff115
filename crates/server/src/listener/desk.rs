//! Where one leaves a request and finds its answer: hyper, which takes whoever answers for a service of its own.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use execution::duet::Duet;
use hyper::service::Service;

/// Room for one request, for a connection has one at a time. Clones share it.
#[derive(Debug)]
pub(super) struct Desk<Q, A>(Arc<Mutex<Top<Q, A>>>);

/// What lies on it, and who waits for that to change.
#[derive(Debug)]
struct Top<Q, A> {
    lying: Lying<Q, A>,
    waiting: Option<Waker>,
}

#[derive(Debug)]
enum Lying<Q, A> {
    Nothing,
    Request(Q),
    Answer(A),
}

impl<Q, A> Default for Desk<Q, A> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Top { lying: Lying::Nothing, waiting: None })))
    }
}

impl<Q, A> Clone for Desk<Q, A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Q, A> Desk<Q, A> {
    /// The next request.
    pub(super) async fn request(&self) -> Q {
        let take = |lying| if let Lying::Request(request) = lying { Ok(request) } else { Err(lying) };
        poll_fn(|context| self.poll_take(context, take)).await
    }

    /// Leaves the answer to it.
    pub(super) fn answer(&self, answer: A) {
        self.put(Lying::Answer(answer));
    }

    /// Leaves a request.
    pub(super) fn leave(&self, request: Q) {
        self.put(Lying::Request(request));
    }

    /// The answer, if it is there.
    pub(super) fn take_answer(&self) -> Option<A> {
        let mut top = self.top();
        match std::mem::replace(&mut top.lying, Lying::Nothing) {
            Lying::Answer(answer) => Some(answer),
            other => {
                top.lying = other;
                None
            }
        }
    }

    /// Nobody is woken any more by what is left there.
    pub(super) fn forget_who_waits(&self) {
        self.top().waiting = None;
    }

    fn put(&self, lying: Lying<Q, A>) {
        let mut top = self.top();
        top.lying = lying;
        if let Some(waiting) = top.waiting.take() {
            waiting.wake();
        }
    }

    /// Takes what lies there, if it is what `take` wants.
    fn poll_take<T>(&self, context: &Context<'_>, take: impl FnOnce(Lying<Q, A>) -> Result<T, Lying<Q, A>>) -> Poll<T> {
        let mut top = self.top();
        match take(std::mem::replace(&mut top.lying, Lying::Nothing)) {
            Ok(taken) => Poll::Ready(taken),
            Err(other) => {
                top.lying = other;
                top.waiting = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }

    fn top(&self) -> MutexGuard<'_, Top<Q, A>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q, A> Service<Q> for Desk<Q, A> {
    type Response = A;
    type Error = Infallible;
    type Future = Awaited<Q, A>;

    fn call(&self, request: Q) -> Awaited<Q, A> {
        self.leave(request);
        Awaited(self.clone())
    }
}

/// An answer that hyper waits for.
#[derive(Debug)]
pub(super) struct Awaited<Q, A>(Desk<Q, A>);

impl<Q, A> Future for Awaited<Q, A> {
    type Output = Result<A, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let take = |lying| if let Lying::Answer(answer) = lying { Ok(answer) } else { Err(lying) };
        self.0.poll_take(context, take).map(Ok)
    }
}

/// A connection and whoever answers what comes over it; it ends with the connection.
pub(super) struct Attended<C, W> {
    connection: C,
    answering: Pin<Box<W>>,
    duet: Duet,
}

impl<C, W: Future<Output = Infallible>> Attended<C, W> {
    pub(super) fn new(connection: C, answering: W) -> Self {
        Self { connection, answering: Box::pin(answering), duet: Duet::default() }
    }

    /// Does something to the connection, which is looked at next.
    pub(super) fn tell(&mut self, word: impl FnOnce(&mut C)) {
        word(&mut self.connection);
        self.duet.begin();
    }

    pub(super) fn into_connection(self) -> C {
        self.connection
    }
}

impl<C: Future + Unpin, W: Future<Output = Infallible>> Future for Attended<C, W> {
    type Output = C::Output;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<C::Output> {
        let Self { connection, answering, duet } = &mut *self;
        // First the connection: it may bring what the other waits for.
        let serve = |context: &mut Context<'_>| Pin::new(&mut *connection).poll(context);
        duet.poll(task, serve, |context| answering.as_mut().poll(context).map(|never| match never {}))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use tokio::task::yield_now;

    use super::*;

    #[test]
    fn a_connection_that_was_told_something_is_looked_at() {
        struct Told(bool);
        impl Future for Told {
            type Output = ();

            fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
                if self.0 { Poll::Ready(()) } else { Poll::Pending }
            }
        }
        let mut attended = Attended::new(Told(false), std::future::pending());
        assert_eq!((&mut attended).now_or_never(), None);
        attended.tell(|connection| connection.0 = true);
        assert_eq!((&mut attended).now_or_never(), Some(()));
    }

    /// A connection over which so many requests come, one after the other: the sum of their answers.
    async fn sum(desk: Desk<usize, usize>, requests: usize) -> usize {
        let mut sum = 0;
        for request in 1..=requests {
            sum += desk.call(request).await.unwrap();
        }
        sum
    }

    async fn attended(requests: usize, takes_long: bool) -> usize {
        let desk = Desk::default();
        let answering = async {
            loop {
                let request = desk.request().await;
                if takes_long {
                    yield_now().await;
                }
                desk.answer(request * 10);
            }
        };
        Attended::new(Box::pin(sum(desk.clone(), requests)), answering).await
    }

    #[tokio::test]
    async fn each_request_gets_its_answer() {
        for takes_long in [false, true] {
            assert_eq!(attended(3, takes_long).await, 60);
        }
    }

    #[tokio::test]
    async fn many_that_come_together_leave_others_their_turn() {
        let mut turns = 0;
        let others = async {
            loop {
                turns += 1;
                yield_now().await;
            }
        };
        tokio::select! {
            total = attended(100, false) => assert_eq!(total, 50_500),
            () = others => {}
        }
        assert!(turns > 5, "{turns}");
    }
}
