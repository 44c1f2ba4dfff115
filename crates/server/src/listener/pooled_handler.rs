//! Pools the futures that handle requests. The future of a tool call takes nine kilobytes: one future per request, as
//! hyper expects, would allocate, move and drop this memory each time; one per connection would hold it while the
//! connection is idle. So each thread pools futures that handle one request after the other, for any of its
//! connections.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::service::Service;

use super::activity::TrackedBody;
use super::request_handler::RequestHandler;

/// Idle handlers per thread; further ones are created on demand and dropped after use.
const POOL_SIZE_MAX: usize = 64;

thread_local! {
    static FUTURE_POOL: RefCell<Vec<PooledHandler>> = const { RefCell::new(Vec::new()) };
}

/// Serves the requests of a connection with pooled handlers.
pub(super) struct Handlers(pub(super) Arc<RequestHandler>);

impl Service<Request<Incoming>> for Handlers {
    type Response = Response<TrackedBody>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn call(&self, request: Request<Incoming>) -> ResponseFuture {
        ResponseFuture(Some(PooledHandler::for_request(Arc::clone(&self.0), request)))
    }
}

/// A pending response. Dropping it cancels the request and drops its handler.
pub(super) struct ResponseFuture(Option<PooledHandler>);

impl Future for ResponseFuture {
    type Output = Result<Response<TrackedBody>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // The handler is taken out during the poll: one that panics is dropped and never polled again.
        let Some(mut handler) = self.0.take() else { return Poll::Pending };
        let Poll::Pending = handler.future.as_mut().poll(context);
        if let Some(response) = handler.take_response() {
            handler.return_to_pool();
            return Poll::Ready(Ok(response));
        }
        self.0 = Some(handler);
        Poll::Pending
    }
}

/// A boxed future that handles requests forever, and the slot it takes them from.
struct PooledHandler {
    slot: HandlerSlot,
    future: Pin<Box<dyn Future<Output = Infallible> + Send>>,
}

impl PooledHandler {
    fn for_request(connection: Arc<RequestHandler>, request: Request<Incoming>) -> Self {
        let pooled = FUTURE_POOL.try_with(|pool| pool.borrow_mut().pop()).ok().flatten();
        let handler = pooled.unwrap_or_else(Self::new);
        handler.slot.lock().request = Some((connection, request));
        handler
    }

    fn new() -> Self {
        let slot = HandlerSlot::default();
        Self { future: Box::pin(handle_requests(slot.clone())), slot }
    }

    fn take_response(&self) -> Option<Response<TrackedBody>> {
        self.slot.lock().response.take()
    }

    fn return_to_pool(self) {
        let _ = FUTURE_POOL.try_with(|pool| {
            let mut pool = pool.borrow_mut();
            if pool.len() < POOL_SIZE_MAX {
                pool.push(self);
            }
        });
    }
}

async fn handle_requests(slot: HandlerSlot) -> Infallible {
    loop {
        // No waker is registered: a handler that waits for a request is only polled after its slot was filled.
        let (connection, request) = poll_fn(|_| slot.lock().request.take().map_or(Poll::Pending, Poll::Ready)).await;
        let response = connection.handle(request).await;
        slot.lock().response = Some(response);
    }
}

/// Passes a request to a handler and its response back.
#[derive(Clone, Default)]
struct HandlerSlot(Arc<Mutex<SlotState>>);

#[derive(Default)]
struct SlotState {
    request: Option<(Arc<RequestHandler>, Request<Incoming>)>,
    response: Option<Response<TrackedBody>>,
}

impl HandlerSlot {
    fn lock(&self) -> MutexGuard<'_, SlotState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
