//! Response shaping: shortens the response of an upstream for a model without breaking its format, and continues where
//! a part ends. Text in, text out; no I/O.
//!
//! [`shape`] is the entry point. The steps are: recognise the format, parse the body and apply `fields`, `omit`,
//! `drop_empty` and blobs (`parser`), sum up the costs (`tree`), write the content that fits (`writer`). The content
//! that is left out is recorded as gaps (`gap`), from which the next part starts.

mod blob;
mod cost;
mod csv;
mod format;
mod gap;
mod html;
mod lexer;
mod lines;
mod locate;
mod long_text;
mod narrowing;
mod note;
mod output_schema;
mod paging;
mod parser;
mod projection;
mod proposal;
mod response;
mod shape;
mod share;
mod structured;
mod table;
#[cfg(test)]
mod test_rules;
mod tree;
mod writer;

pub use blob::{Blob, blob_content};
pub use gap::{Continuation, LeftOutSummary};
pub use html::page_headline;
pub use narrowing::narrowing_arguments;
pub use note::{NOTE_TOKENS_MAX, NoteContext, note};
pub use output_schema::shape_output_schema;
pub use paging::NextPage;
pub use proposal::{OmitReason, PROPOSAL_RESPONSES_MAX, PathReport, Proposal, merge_omit, propose};
pub use response::{Part, ShapedText, ShapingFailure, ShapingInput};
pub use shape::shape;
pub use structured::shape_structured;
