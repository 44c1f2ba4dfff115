//! Execution of tool calls, from the arguments to the output. This crate does not depend on storage: its callers pass
//! compiled tools and receive the results.

pub mod arguments;
pub mod cache;
mod call_audience;
mod call_settings;
mod call_trace;
mod client_credentials;
pub mod cluster;
pub mod content;
pub mod egress;
mod executor;
pub mod expiry;
mod failure;
mod failure_text;
pub mod fetch;
pub mod issuers;
pub mod limiter;
pub mod metadata;
pub mod openid;
mod output;
mod permits;
mod retry_after;
mod shaped_output;
mod single_flight;
mod small_document;
mod stage;
pub mod tokens;
pub mod tool;
mod tool_advice;
mod upstream_call;

pub use call_audience::CallAudience;
pub use call_trace::CallTrace;
pub use executor::{CallInput, Execution, Executor, InputRound};
pub use failure::Failure;
pub use failure_text::FailureText;
pub use output::{McpResult, ToolOutput};
pub use permits::{CONCURRENT_CALLS_MAX, CONCURRENT_CALLS_TOTAL_MAX};
pub use shaped_output::{ShapedOutput, ToolShaping, media_type};
pub use small_document::SmallDocumentError;
pub use stage::{CallStage, StageObserver};
pub use upstream_call::UpstreamMeasurements;
