//! An upstream that is there and does not even take a connection: packets to it are swallowed, as a firewall does it.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

/// Listens, never accepts, and has no room left for another connection.
#[derive(Debug)]
pub struct Deaf {
    listener: TcpListener,
    /// They fill its queue.
    waiting: Vec<TcpStream>,
}

impl Deaf {
    /// On a free port of 127.0.0.1. Blocks until a connection to it does not come about.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of the loopback address is free");
        let address = listener.local_addr().expect("a listener has an address");
        let connect = || TcpStream::connect_timeout(&address, Duration::from_millis(200)).ok();
        // The queue has 128 places, or as many as the system allows.
        let waiting: Vec<TcpStream> = std::iter::from_fn(connect).take(10_000).collect();
        assert!(waiting.len() < 10_000, "the queue of a listener has no end");
        Self { listener, waiting }
    }

    /// Where it does not answer.
    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("a listener has an address")
    }

    /// How many connections fill its queue.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}
