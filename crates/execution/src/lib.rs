//! One tool call from its arguments to its output. This crate knows no storage: what it needs is handed to it
//! compiled, and what it learns is handed back.

pub mod arguments;
pub mod cache;
pub mod commons;
pub mod content;
pub mod egress;
mod errand;
mod executor;
mod failure;
pub mod fetch;
mod flight;
pub mod limiter;
mod output;
mod permits;
mod retry_after;
mod stages;
pub mod tokens;
pub mod tool;

pub use errand::Trace;
pub use executor::{CallInput, Execution, Executor, Round};
pub use failure::Failure;
pub use output::{McpResult, ToolOutput};
pub use permits::{CONCURRENT_CALLS_MAX, CONCURRENT_CALLS_OF_ALL_MAX};
pub use stages::{Stage, Stages};
