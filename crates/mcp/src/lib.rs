//! The endpoint of each server: JSON-RPC over Streamable HTTP, for callers of every generation.
//!
//! A request passes, in this order: `endpoint` (who may ask, under which name, with what),
//! `jsonrpc` (what is asked), `era` (by which rules), the limiter, then its method. What a server publishes comes
//! from the `catalog`, never from the database.

mod access;
mod call_scope;
mod capture;
mod catalog;
mod endpoint;
#[cfg(any(test, feature = "fuzzing"))]
pub mod envelope;
mod era;
mod exchange;
mod gate;
mod jsonrpc;
mod methods;
mod origin;
mod outcome;
mod request_state;
mod session;
mod signing;
mod stream;
mod streams;

pub use catalog::Catalog;
pub use gate::{Config, Gate};
pub use origin::Names;
