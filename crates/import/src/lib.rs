//! Imports descriptions of HTTP requests as draft tools.
//!
//! Every function maps text to data. No input makes this crate run a command, expand a variable, read a file or open a
//! connection.

pub mod curl;
mod naming;
mod request;
mod sensitivity;
mod shape;
mod spelling;
mod warnings;
