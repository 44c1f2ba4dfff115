//! What an [`Upstream`] is to answer, and its start.

use std::collections::HashMap;
use std::fmt;
use std::net::TcpListener;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;

use super::connection::{Connection, Counted};
use super::{Answer, Received, Seen, Upstream};

type Respond = dyn Fn(&Received) -> Answer + Send + Sync;

/// Answers of an [`Upstream`] that is not started yet.
#[must_use = "nothing is served until it is started"]
pub struct UpstreamBuilder {
    routes: HashMap<String, Answer>,
    otherwise: Box<Respond>,
}

impl UpstreamBuilder {
    pub(super) fn new() -> Self {
        let unknown = |request: &Received| Answer::status(404).body(format!("nothing is at {}", request.target));
        Self { routes: HashMap::new(), otherwise: Box::new(unknown) }
    }

    /// Answers every request for this path, whatever its method and query.
    pub fn route(mut self, path: &str, answer: Answer) -> Self {
        self.routes.insert(path.to_owned(), answer);
        self
    }

    /// Answers what no route is for.
    pub fn otherwise(mut self, answer: impl Fn(&Received) -> Answer + Send + Sync + 'static) -> Self {
        self.otherwise = Box::new(answer);
        self
    }

    /// Listens on a free port of 127.0.0.1 and serves.
    pub fn start(self) -> Upstream {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of the loopback address is free");
        let address = listener.local_addr().expect("a listener has an address");
        listener.set_nonblocking(true).expect("a socket can be made non-blocking");
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
        let (notes, seen) = watch::channel(Seen::default());
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || serve(&runtime, listener, Arc::new(self), Arc::new(notes), stopped));
        Upstream { address, seen, stop: Some(stop), thread: Some(thread) }
    }

    pub(super) fn answer(&self, request: &Received) -> Answer {
        match self.routes.get(request.path()) {
            Some(answer) => answer.clone(),
            None => (self.otherwise)(request),
        }
    }
}

/// Serves until the sender of `stopped` is gone; connections end with the runtime's last task.
fn serve(
    runtime: &Runtime,
    listener: TcpListener,
    answers: Arc<UpstreamBuilder>,
    notes: Arc<watch::Sender<Seen>>,
    stopped: oneshot::Receiver<()>,
) {
    let accept = async move {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener can join its runtime");
        let mut connections = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            let counted = Counted::new(Arc::clone(&notes));
            connections.spawn(Connection::new(stream, Arc::clone(&answers), counted).serve());
            // Those that are over need not be kept.
            while connections.try_join_next().is_some() {}
        }
    };
    runtime.block_on(async {
        tokio::select! {
            () = accept => {}
            _ = stopped => {}
        }
    });
}

impl fmt::Debug for UpstreamBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpstreamBuilder").field("routes", &self.routes).finish_non_exhaustive()
    }
}
