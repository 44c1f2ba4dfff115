//! How a model finds and understands tools: full-text search over tools, one-line signatures, descriptions on demand,
//! tool lists adapted to the limits of each client, and a linter for tool lists.
//!
//! All functions are pure: no I/O, no clock. Schemas are untrusted, so no function panics, and each limits its work.

pub mod built_in;
pub mod describe;
pub mod group;
pub mod lint;
pub mod profile;
mod schema;
pub mod search;
pub mod signature;
