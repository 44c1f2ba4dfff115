//! Who answers requests. What a call holds while it is under way is nine kilobytes: hyper's way, a future for each
//! request, would make, move and drop them every time, and one for each connection would hold them where nothing goes
//! on. So a clerk answers one request after the other, of any connection of its thread.

use std::cell::RefCell;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use hyper::body::Incoming;

use super::activity::Telling;
use super::connection::Answers;
use super::desk::Desk;

/// So many wait on each thread for something to do; more than that are made when they are needed.
const WAITING_MAX: usize = 64;

thread_local! {
    static WAITING: RefCell<Vec<Clerk>> = const { RefCell::new(Vec::new()) };
}

/// What is to be answered, and with what.
type Job = (Arc<Answers>, Request<Incoming>);

struct Clerk {
    desk: Desk<Job, Response<Telling>>,
    work: Pin<Box<dyn Future<Output = Infallible> + Send>>,
}

impl Clerk {
    fn new() -> Self {
        let desk = Desk::default();
        Self { work: Box::pin(work(desk.clone())), desk }
    }

    fn with(job: Job) -> Self {
        let waiting = WAITING.try_with(|waiting| waiting.borrow_mut().pop()).ok().flatten();
        let clerk = waiting.unwrap_or_else(Self::new);
        clerk.desk.leave(job);
        clerk
    }

    fn wait(self) {
        self.desk.forget_who_waits();
        let _ = WAITING.try_with(|waiting| {
            let mut waiting = waiting.borrow_mut();
            if waiting.len() < WAITING_MAX {
                waiting.push(self);
            }
        });
    }
}

async fn work(desk: Desk<Job, Response<Telling>>) -> Infallible {
    loop {
        let (answers, request) = desk.request().await;
        desk.answer(answers.answer(request).await);
    }
}

/// The answer to a request. Whoever drops it sends its clerk away, with all that is under way.
pub(super) fn answer(answers: Arc<Answers>, request: Request<Incoming>) -> impl Future<Output = Response<Telling>> {
    Answer(Some(Clerk::with((answers, request))))
}

struct Answer(Option<Clerk>);

impl Future for Answer {
    type Output = Response<Telling>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Response<Telling>> {
        // One that panics is not asked again, by anybody.
        let Some(mut clerk) = self.0.take() else { return Poll::Pending };
        let Poll::Pending = clerk.work.as_mut().poll(context);
        if let Some(answer) = clerk.desk.take_answer() {
            clerk.wait();
            return Poll::Ready(answer);
        }
        self.0 = Some(clerk);
        Poll::Pending
    }
}
