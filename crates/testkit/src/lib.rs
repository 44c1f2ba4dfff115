//! Black-box support for integration tests: a running `toolgate`, clients for its API and its MCP
//! endpoints, a fake upstream behind it, a real `PostgreSQL`, a real Redis.
//!
//! It uses the product only from outside (environment, banner, HTTP), so a test works with any build of
//! the binary. Its functions panic with the received data when a test cannot continue; other crates may not panic.
#![expect(clippy::panic, clippy::expect_used, reason = "test support: a test fails by a panic with what was received")]
#![expect(clippy::missing_panics_doc, reason = "every helper panics when the test cannot continue")]

pub mod api_fixture;
pub mod cluster_fixture;
pub mod database_fixture;
pub mod failure_cases;
pub mod generated_tools;
pub mod hostile;
pub mod http;
pub mod mcp;
pub mod name_server;
pub mod objects;
mod output;
pub mod page_form;
pub mod ports;
pub mod postgres;
pub mod process;
pub mod raw;
pub mod recorded_calls;
pub mod redis;
pub mod running_service;
pub mod secrets;
pub mod service_fixture;
pub mod test_certificate;
pub mod upstream;
pub mod volume;

pub use api_fixture::ApiFixture;
pub use cluster_fixture::ClusterFixture;
pub use http::{Client, TestResponse};
pub use mcp::McpClient;
pub use name_server::NameServer;
pub use ports::{free_address, free_port};
pub use postgres::Postgres;
pub use redis::{Redis, RedisCluster};
pub use running_service::RunningService;
pub use service_fixture::ServiceFixture;
pub use upstream::{MockResponse, ResponseGate, Upstream};
