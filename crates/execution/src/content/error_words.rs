//! What the error body of an upstream says, in at most 500 bytes: the messages of a JSON body, the title of a page, the
//! first lines of a text. Stack traces, statements of databases, class names and addresses are left out.

mod clean;
mod json_body;
mod pruned;
#[cfg(test)]
mod tests;
mod xml_body;

use toolgate_domain::tokens::estimate;
use toolgate_shaping::page_headline;

use super::media::MediaType;
use super::to_text;
use crate::egress::message::UpstreamResponse;
use pruned::PrunedValue;

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
    let start = body.head(READ_BYTES_MAX);
    let media = MediaType::from_headers(&response.headers);
    let mut words = if media.essence.contains("html") || is_page(&start) {
        ErrorWords { text: clean::headline(&page_headline(&start), argument_name), has_trace: true }
    } else if let Ok(PrunedValue(value)) = serde_json::from_slice(body.as_bytes()) {
        json_body::read(&value, argument_name)
    } else {
        let words = clean::read(&start, argument_name);
        match xml_words(&start, &media, argument_name) {
            Some(text) => ErrorWords { text, ..words },
            None => words,
        }
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

/// Whether a body without a media type is a page.
fn is_page(body: &str) -> bool {
    let start: String = body.trim_start().chars().take(15).flat_map(char::to_lowercase).collect();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

fn xml_words(body: &str, media: &MediaType, argument_name: ArgumentName<'_>) -> Option<String> {
    let is_xml = media.essence.ends_with("xml") || xml_body::is_xml(body);
    if is_xml { xml_body::read(body, argument_name) } else { None }
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
