//! Input and output of shaping: a response, the requested part of it, and the resulting text.

use crate::blob::Blob;
use crate::gap::{Continuation, LeftOutSummary};
use crate::paging::NextPage;

/// A response of an upstream to be shaped.
#[derive(Clone, Copy, Debug)]
pub struct ShapingInput<'a> {
    /// Its body.
    pub body: &'a str,
    /// Its media type; empty if it has none.
    pub media_type: &'a str,
    /// The reference under which the body is stored. The references of blobs contain it.
    pub reference: Option<&'a str>,
}

/// The requested part of a response.
#[derive(Clone, Copy, Debug)]
pub enum Part<'p> {
    /// The first part, which is everything if it fits into the budget.
    Start,
    /// The content after another part.
    Rest(&'p Continuation),
    /// The content at a path, such as `hits.hits`, starting at an element, a line or a character.
    At {
        /// The path; empty for the root.
        path: &'p str,
        /// The first element of an array, the first member of an object, the first line of a text, or the first
        /// character of a string.
        from: usize,
    },
}

/// A shaped text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShapedText {
    /// The text.
    pub text: String,
    /// Estimated tokens of the body.
    pub tokens_before: usize,
    /// Estimated tokens of the text.
    pub tokens_after: usize,
    /// A summary of the content that was left out; `None` if the text is complete.
    pub left_out: Option<LeftOutSummary>,
    /// Where the next part starts, if content was left out.
    pub next: Option<Continuation>,
    /// Binary contents that the text replaces by descriptions.
    pub blobs: Vec<Blob>,
    /// The next page of the upstream, if the body says that there is one. Only the first part has it.
    pub next_page: Option<NextPage>,
}

/// Why a response is not shaped. The caller passes on its body as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapingFailure {
    /// There is nothing at the path, or no such element.
    NotFound,
    /// The continuation does not belong to this body, or a limit was exceeded.
    Unreadable,
}
