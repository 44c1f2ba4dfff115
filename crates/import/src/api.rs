//! Reads a description of a whole API as candidates for tools.
//!
//! `document` parses the bytes, `reference` resolves `$ref`, `schema` converts schemas to JSON Schema 2020-12,
//! `openapi` maps each operation to a [`candidate::Candidate`]. An operation that cannot become a tool is a
//! [`problem::Problem`] with a JSON pointer; the other operations are read all the same.

pub mod candidate;
pub mod document;
pub mod inspection;
mod pointer;
pub mod problem;
mod reference;
pub mod schema;
