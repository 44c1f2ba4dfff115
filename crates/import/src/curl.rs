//! A pasted curl command, read into the draft of a tool.
//!
//! The way of a command, one module a step: `source` cleans what was pasted, `dialect` tells whose quotes it
//! has, `words` splits it into commands and words, `options` reads the words of a curl command, [`request`] works out
//! what curl would send, [`draft`] writes that down as a tool. [`infer`] guesses more than the draft says.

mod body;
mod draft;
mod error;
mod infer;
mod request;
mod warnings;

pub use draft::Draft;
pub use error::{CurlError, Position};
pub use infer::{Inferred, InferredTool};

use request::Request;

/// Longest text that is read, in bytes.
pub const TEXT_MAX: usize = 256 * 1024;

/// Reads the first curl command of a text, literally: every value stays as it stands there.
pub fn import(text: &str) -> Result<Draft, CurlError> {
    let requests = requests(text, 1)?;
    requests.first().map(Draft::of).ok_or_else(CurlError::no_command)
}

/// Reads all curl commands of a text, and guesses what is an argument, of which type, and what to call the tool.
pub fn infer(text: &str) -> Result<Inferred, CurlError> {
    Ok(infer::infer(&requests(text, usize::MAX)?))
}

/// What the curl commands of a text would send, at most so many of them.
fn requests(_text: &str, _most: usize) -> Result<Vec<Request>, CurlError> {
    Err(CurlError::no_command())
}
