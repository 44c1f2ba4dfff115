//! Starts an [`Upstream`] and accepts its connections.

use std::net::TcpListener;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;

use super::builder::UpstreamBuilder;
use super::connection::{ConnectionGuard, MockConnection};
use super::{Upstream, UpstreamActivity};

impl UpstreamBuilder {
    /// Listens on a free port of 127.0.0.1 and serves.
    pub fn start(self) -> Upstream {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of the loopback address is free");
        let address = listener.local_addr().expect("a listener has an address");
        listener.set_nonblocking(true).expect("a socket can be made non-blocking");
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be created");
        let (recorder, activity) = watch::channel(UpstreamActivity::default());
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || serve(&runtime, listener, Arc::new(self), Arc::new(recorder), stopped));
        Upstream { address, activity, stop: Some(stop), thread: Some(thread) }
    }
}

/// Serves until the sender of `stopped` is dropped; open connections end with the runtime.
fn serve(
    runtime: &Runtime,
    listener: TcpListener,
    handlers: Arc<UpstreamBuilder>,
    activity: Arc<watch::Sender<UpstreamActivity>>,
    stopped: oneshot::Receiver<()>,
) {
    let accept = async move {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener can join its runtime");
        let mut connections = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            let guard = ConnectionGuard::new(Arc::clone(&activity));
            connections.spawn(MockConnection::new(stream, Arc::clone(&handlers), guard).serve());
            // Drops finished tasks, so that the set does not grow.
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
