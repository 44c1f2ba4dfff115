//! The way out: the only place that reaches upstreams. Whatever dials a socket asks the [`guard`] first, with
//! the very address it is about to dial.

pub mod guard;
mod message;

pub use guard::EgressRule;
pub use message::{OutboundRequest, UpstreamResponse};
