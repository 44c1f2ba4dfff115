//! An upstream that accepts no connection: packets to it are dropped, as by a firewall.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

/// More connections than any queue of a listener holds.
const ATTEMPTS_MAX: usize = 10_000;

/// A listener that never accepts and whose queue of connections is full.
#[derive(Debug)]
pub struct FullBacklog {
    listener: TcpListener,
    /// The connections that fill the queue.
    queued: Vec<TcpStream>,
}

impl FullBacklog {
    /// Listens on a free port of 127.0.0.1. Blocks until a connection attempt times out.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of the loopback address is free");
        let address = listener.local_addr().expect("a listener has an address");
        let connect = || TcpStream::connect_timeout(&address, Duration::from_millis(200)).ok();
        // The queue holds 128 connections, or as many as the system allows.
        let queued: Vec<TcpStream> = std::iter::from_fn(connect).take(ATTEMPTS_MAX).collect();
        assert!(queued.len() < ATTEMPTS_MAX, "the queue of the listener never fills up");
        Self { listener, queued }
    }

    /// The address of the listener.
    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("a listener has an address")
    }

    /// The number of connections in the queue.
    pub fn queued_count(&self) -> usize {
        self.queued.len()
    }
}
