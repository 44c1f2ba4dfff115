//! Who answers requests. What a call holds while it is under way is nine kilobytes: a future for each request, as hyper
//! would have it, makes, moves and drops them every time, and one for each connection would hold them where nothing goes
//! on. So a clerk answers one request after the other, of any connection of its thread.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::service::Service;

use super::activity::Telling;
use super::connection::Answers;

/// So many wait on each thread for something to do; more than that are made when they are needed.
const WAITING_MAX: usize = 64;

thread_local! {
    static WAITING: RefCell<Vec<Clerk>> = const { RefCell::new(Vec::new()) };
}

/// Answers the requests of a connection, with clerks.
pub(super) struct Clerks(pub(super) Arc<Answers>);

impl Service<Request<Incoming>> for Clerks {
    type Response = Response<Telling>;
    type Error = Infallible;
    type Future = Answer;

    fn call(&self, request: Request<Incoming>) -> Answer {
        Answer(Some(Clerk::with(Arc::clone(&self.0), request)))
    }
}

/// An answer on its way. Whoever drops it sends its clerk away, with all that is under way.
pub(super) struct Answer(Option<Clerk>);

impl Future for Answer {
    type Output = Result<Response<Telling>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // One that panics is not asked again, by anybody.
        let Some(mut clerk) = self.0.take() else { return Poll::Pending };
        let Poll::Pending = clerk.work.as_mut().poll(context);
        if let Some(answer) = clerk.take_answer() {
            clerk.wait();
            return Poll::Ready(Ok(answer));
        }
        self.0 = Some(clerk);
        Poll::Pending
    }
}

struct Clerk {
    desk: Desk,
    work: Pin<Box<dyn Future<Output = Infallible> + Send>>,
}

impl Clerk {
    fn with(answers: Arc<Answers>, request: Request<Incoming>) -> Self {
        let waiting = WAITING.try_with(|waiting| waiting.borrow_mut().pop()).ok().flatten();
        let clerk = waiting.unwrap_or_else(Self::new);
        clerk.desk.top().request = Some((answers, request));
        clerk
    }

    fn new() -> Self {
        let desk = Desk::default();
        Self { work: Box::pin(work(desk.clone())), desk }
    }

    fn take_answer(&self) -> Option<Response<Telling>> {
        self.desk.top().answer.take()
    }

    fn wait(self) {
        let _ = WAITING.try_with(|waiting| {
            let mut waiting = waiting.borrow_mut();
            if waiting.len() < WAITING_MAX {
                waiting.push(self);
            }
        });
    }
}

async fn work(desk: Desk) -> Infallible {
    loop {
        // Nobody is woken for a request: there is one whenever a clerk is looked at that waits for it.
        let (answers, request) = poll_fn(|_| desk.top().request.take().map_or(Poll::Pending, Poll::Ready)).await;
        let answer = answers.answer(request).await;
        desk.top().answer = Some(answer);
    }
}

/// Where a clerk finds a request and leaves its answer.
#[derive(Clone, Default)]
struct Desk(Arc<Mutex<Top>>);

#[derive(Default)]
struct Top {
    request: Option<(Arc<Answers>, Request<Incoming>)>,
    answer: Option<Response<Telling>>,
}

impl Desk {
    fn top(&self) -> MutexGuard<'_, Top> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
