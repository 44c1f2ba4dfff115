//! What the error body of an upstream says, in at most 500 bytes: the messages of a JSON body, the title of a page, the
//! first lines of a text. Stack traces, statements of databases, class names and addresses are left out.

mod clean;
mod html;
mod json_body;
#[cfg(test)]
mod tests;

use toolgate_domain::tokens::estimate;

use super::media::MediaType;
use super::to_text;
use crate::egress::message::UpstreamResponse;

/// The longest text.
const BYTES_MAX: usize = 500;
/// The longest text, in estimated tokens.
const TOKENS_MAX: usize = 120;
/// How much of a body is read.
const READ_BYTES_MAX: usize = 64 << 10;

/// The name of an argument by its name upstream; `None` if both are the same.
pub(crate) type ArgumentName<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The words of an upstream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ErrorWords {
    /// What it says; empty if nothing can be used.
    pub(crate) text: String,
    /// Whether the body is a page or has a stack trace, which no caller should get.
    pub(crate) has_trace: bool,
}

/// The words of a response. Names of the upstream are replaced by those of arguments.
pub(crate) fn read(response: &UpstreamResponse, argument_name: ArgumentName<'_>) -> ErrorWords {
    let Some(body) = to_text(response).filter(|_| !response.body.is_empty()) else { return ErrorWords::default() };
    let body = body.head(READ_BYTES_MAX);
    let media = MediaType::from_headers(&response.headers);
    let mut words = if media.essence.contains("html") || html::is_page(&body) {
        ErrorWords { text: html::headline(&body), has_trace: true }
    } else if let Ok(value) = serde_json::from_str(&body) {
        json_body::read(&value, argument_name)
    } else {
        clean::read(&body, argument_name)
    };
    let phrase = response.status.canonical_reason().unwrap_or_default();
    let status = format!("{} {phrase}", response.status.as_str());
    // The status line says the same.
    if [phrase, status.trim()].iter().any(|same| words.text.eq_ignore_ascii_case(same)) {
        words.text.clear();
    }
    words.text = shorten(words.text);
    words
}

/// The longest prefix within the limits, ended by `…` if it is shorter.
fn shorten(text: String) -> String {
    let mut end = text.len();
    while end > BYTES_MAX || text.get(..end).is_none_or(|head| estimate(head) > TOKENS_MAX) {
        // A step of a tenth, because the estimate reads the whole text.
        end = end.min(BYTES_MAX + BYTES_MAX / 10) * 9 / 10;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
    }
    match text.get(..end) {
        Some(head) if end < text.len() => format!("{}…", head.trim_end()),
        _ => text,
    }
}

/// The first bytes of a body, for an answer that cannot be read.
pub(crate) fn excerpt(body: &str) -> String {
    shorten(body.chars().take(BYTES_MAX + 1).collect())
}
