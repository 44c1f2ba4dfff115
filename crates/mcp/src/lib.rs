//! The MCP endpoint of each server: JSON-RPC over Streamable HTTP, for clients of every protocol revision.
//!
//! A request passes `endpoint` (host, origin, key), `jsonrpc` (parsing), `mcp_request` (era and its rules), the rate
//! limiter and its method, in this order. Methods read servers from the `catalog`, never from the database.

mod accepted_keys;
mod access;
mod access_error;
mod access_tokens;
mod cached_results;
mod call_scope;
mod capture;
mod catalog;
mod challenge;
mod change_streams;
mod credential_cache;
mod endpoint;
#[cfg(any(test, feature = "fuzzing"))]
pub mod envelope;
mod era;
mod external_tokens;
mod jsonrpc;
mod mcp_request;
mod message_span;
mod method;
mod methods;
mod modern_client;
mod origin;
mod outcome;
mod overflow;
mod request_state;
mod service;
mod session;
mod signing;
mod sse;
mod stats;

#[cfg(feature = "fuzzing")]
pub use access_tokens::bench_support::CredentialChecks;
pub use catalog::Catalog;
pub use origin::HostNames;
pub use service::{McpConfig, McpService};
pub use stats::McpStats;
