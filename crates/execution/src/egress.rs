//! Egress: the only module that connects to upstreams. Every dialled address passes the [`guard`] immediately before
//! the connection is made.
//!
//! [`EgressClient`] builds on hyper's connections instead of a client such as reqwest. Calls are short and frequent, so
//! the per-request work of a general client (cookies, proxies, redirects, decompression, a task per connection)
//! would be wasted. The security-relevant parts must be implemented here in any case: which address is dialled, the
//! size limit during decoding, and which headers are sent to another origin.
//!
//! A request passes through `client` (deadline, redirects, one retry on a stale connection), `hop` (the message as
//! sent), `pool` and `upstream_connection` (connections), `connector` and `dialer` (TLS over a checked address). The
//! response comes back through `body` and `decoder`.

mod bad_redirect;
mod body;
pub(crate) mod client;
mod connector;
mod decoder;
mod dialer;
pub(crate) mod error;
pub mod guard;
mod hop;
pub(crate) mod message;
mod origin;
mod pool;
mod redirect;
mod resolver;
mod socket;
#[cfg(test)]
mod tests;
mod thread_shard;
mod tls;
mod upstream_connection;

pub use bad_redirect::BadRedirect;
pub use client::EgressClient;
pub use error::{BrokenResponse, EgressError};
pub use guard::{Blocked, EgressRule};
pub use message::{OutboundRequest, RESPONSE_BYTES_MAX, UpstreamResponse};
pub use tls::TlsFault;
