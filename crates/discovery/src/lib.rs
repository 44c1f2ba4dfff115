//! How a model finds and understands tools: full-text search over tools, one-line signatures, descriptions on demand,
//! tool lists adapted to what each client accepts, and a linter of lists.
//!
//! Pure: no I/O, no clock. Schemas are untrusted, so every function is total and limits its work.

pub mod built_in;
pub mod describe;
pub mod group;
pub mod lint;
pub mod profile;
mod schema;
pub mod search;
pub mod signature;
