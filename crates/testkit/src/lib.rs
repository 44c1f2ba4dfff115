//! Black-box support for integration tests: a running `toolgate`, clients for its API and its MCP
//! endpoints, a fake upstream behind it, a real `PostgreSQL`, a real Redis.
//!
//! It knows the product only from outside (its environment, its banner, its HTTP), so a test written
//! with it holds for any build of the binary. A test that cannot go on panics with what it saw, which
//! is why this crate may panic where the others may not.
#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "test support: panicking with what was seen is how a test fails"
)]
#![expect(clippy::missing_panics_doc, reason = "everything here panics when the test cannot go on")]

pub mod app;
pub mod hostile;
pub mod http;
mod lines;
pub mod mcp;
pub mod name_server;
pub mod postgres;
pub mod process;
pub mod raw;
pub mod redis;
pub mod secrets;
pub mod upstream;

pub use app::App;
pub use http::{Client, Reply};
pub use mcp::Mcp;
pub use name_server::NameServer;
pub use postgres::Postgres;
pub use redis::Redis;
pub use upstream::{Answer, Gate, Upstream};
