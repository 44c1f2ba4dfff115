//! A pasted curl command, read into the draft of a tool.
//!
//! The way of a command, on which `reading` leads it, has a module for each step: `source` takes off what only surrounds
//! it, `dialect` tells whose quotes it has, `words` splits it into commands and words, `command` finds curl among them,
//! `options` reads the words of a curl command, `request` works out what curl would send, `draft` writes that down as
//! a tool. `infer` guesses more than the draft says.

mod auth;
mod body;
mod command;
mod cursor;
mod dialect;
mod draft;
mod error;
mod form_data;
mod infer;
mod options;
mod reading;
mod request;
mod source;
mod stdin;
mod warnings;
mod words;

pub use draft::Draft;
pub use error::{CurlError, Position};
pub use infer::{Inferred, InferredTool};

use reading::requests;

/// Longest text that is read, in bytes.
pub const TEXT_MAX: usize = 256 * 1024;

/// Most commands of one text: a server has no more tools.
pub const COMMANDS_MAX: usize = 1000;

/// Reads the first curl command of a text, literally: every value stays as it stands there.
pub fn import(text: &str) -> Result<Draft, CurlError> {
    let mut requests = requests(text, 1)?.into_iter();
    requests.next().map(Draft::of).ok_or_else(|| CurlError::no_command(text))
}

/// Reads all curl commands of a text, and guesses what is an argument, of which type, and what to call the tool.
pub fn infer(text: &str) -> Result<Inferred, CurlError> {
    Ok(infer::infer(requests(text, COMMANDS_MAX)?))
}

#[cfg(test)]
mod tests;
