//! Ports for programs that cannot choose one themselves, and ports that must refuse connections.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// The range is below that from which the kernel takes the ports of `bind("…:0")` and of outgoing connections, so that
/// no other test takes a port after it was chosen and before it is bound.
const FIRST_PORT: u32 = 10_000;
const PORT_COUNT: u32 = 22_000;

/// How many ports a process takes before it reaches those of the process with the next id.
const PORTS_PER_PROCESS: u32 = 8;

static CHOSEN_COUNT: AtomicU32 = AtomicU32::new(0);

/// A loopback port that nothing listens on. Processes that run at the same time get different ports, because the choice
/// depends on the process id; consecutive calls in one process return different ports.
pub fn free_port() -> u16 {
    let start = process::id().wrapping_mul(PORTS_PER_PROCESS);
    for _ in 0..PORT_COUNT {
        let offset = start.wrapping_add(CHOSEN_COUNT.fetch_add(1, Ordering::Relaxed)) % PORT_COUNT;
        let port = u16::try_from(FIRST_PORT + offset).expect("the range ends below 65536");
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
    panic!("every port from {FIRST_PORT} to {} is in use", FIRST_PORT + PORT_COUNT - 1)
}

/// The loopback address with a [`free_port`]: connections to it are refused.
pub fn free_address() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, free_port()).into()
}
