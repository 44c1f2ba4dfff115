//! One tool call from its arguments to its output. This crate knows no storage: what it needs is handed to it
//! compiled, and what it learns is handed back.

pub mod arguments;
pub mod cache;
pub mod content;
pub mod egress;
mod failure;
mod flight;
pub mod limiter;
pub mod tokens;
pub mod tool;

pub use failure::Failure;
