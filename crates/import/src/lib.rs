//! Foreign descriptions of HTTP calls, read into drafts of tools.
//!
//! Everything here is a function from text to data: nothing is executed, expanded, read from disk or fetched, whatever
//! the text says.

pub mod curl;
