//! Parses pasted curl commands into draft tools.
//!
//! Each step is one module. `parse` runs them: `pasted_text` removes prompts, comment markers and Markdown
//! fences, `dialect` detects the shell, `words` splits the text into commands and words, `command` finds the curl
//! commands, `options` parses their options, `request` derives the HTTP request that curl would send.

mod command;
mod cursor;
mod dialect;
mod error;
mod options;
mod parse;
mod pasted_text;
mod request;
mod stdin;
mod words;

pub use error::{CurlError, Position};

use crate::draft::Draft;
use crate::infer::{self, InferredTools};
use parse::parse_requests;
use request::CurlRequest;

/// Maximum length of the pasted text, in bytes.
pub const TEXT_MAX: usize = 256 * 1024;

/// Maximum number of commands in one text; equals the maximum number of tools of a server.
pub const COMMANDS_MAX: usize = 1000;

/// Parses the first curl command of a text; every value stays as written.
pub fn import(text: &str) -> Result<Draft, CurlError> {
    let mut requests = parse_requests(text, 1)?.into_iter();
    requests.next().map(|curl| Draft::from_request(curl.request)).ok_or_else(|| CurlError::no_command(text))
}

/// Parses all curl commands of a text and infers arguments, their types, tool names and descriptions.
pub fn infer(text: &str) -> Result<InferredTools, CurlError> {
    let requests = parse_requests(text, COMMANDS_MAX)?;
    Ok(infer::infer(requests.into_iter().map(CurlRequest::into_example).collect()))
}

#[cfg(test)]
mod tests;
