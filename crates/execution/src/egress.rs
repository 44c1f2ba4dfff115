//! The way out: the only place that reaches upstreams. Whatever dials a socket asks the [`guard`] first, with
//! the very address it is about to dial.
//!
//! [`EgressClient`] stands on hyper's connections and not on a client like reqwest. A call is short and frequent, so what
//! a general client does for every request (cookies, proxies, its own redirects and decompression, a task for each
//! connection) would be paid for and then switched off; and what matters here, the address that is dialled, the bytes
//! that are counted while they are decoded, the headers that cross to another origin, has to be ours in any case.
//!
//! A call goes through `client` (deadline, hops, one repetition), `hop` (what is sent), `pool` and `line` (connections),
//! `connector` and `dialer` (TLS around a checked address), and comes back through `body` and `decoder`.

mod body;
mod client;
mod connection;
mod connector;
mod decoder;
mod destination;
mod dialer;
mod duet;
mod error;
pub mod guard;
mod hop;
mod lane;
mod line;
mod message;
mod pool;
mod redirect;
mod resolver;
#[cfg(test)]
mod tests;
mod tls;

pub use body::RESPONSE_MAX;
pub use client::EgressClient;
pub use error::{BrokenAnswer, EgressError};
pub use guard::{Blocked, EgressRule};
pub use message::{OutboundRequest, UpstreamResponse};
pub(crate) use message::{belongs_to_transport, is_repeatable};
pub use redirect::BadRedirect;
pub use tls::TlsFault;
