//! The message in the error body of an upstream, in at most 500 bytes: the messages of a JSON body, the title of a
//! page, the first lines of a text. Stack traces, SQL statements, class names and addresses are left out.

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

/// The longest text, in bytes.
const BYTES_MAX: usize = 500;
/// The longest text, in estimated tokens.
const TOKENS_MAX: usize = 120;
/// How much of a body that is not JSON is read.
const READ_BYTES_MAX: usize = 64 << 10;

/// The name of an argument by its name upstream; `None` if both are the same.
pub(crate) type ArgumentName<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The message of an upstream about an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ErrorMessage {
    /// The text; empty if nothing in the body can be used.
    pub(crate) text: String,
    /// Whether the body is a page or has a stack trace, which no caller should get.
    pub(crate) has_trace: bool,
}

/// The message in a response. Names of upstream parameters are replaced by those of arguments.
pub(crate) fn read(response: &UpstreamResponse, argument_name: ArgumentName<'_>) -> ErrorMessage {
    let Some(body) = to_text(response).filter(|_| !response.body.is_empty()) else { return ErrorMessage::default() };
    let start = body.head(READ_BYTES_MAX);
    let media = MediaType::from_headers(&response.headers);
    let mut message = if media.essence.contains("html") || is_page(&start) {
        ErrorMessage { text: clean::headline(&page_headline(&start), argument_name), has_trace: true }
    } else if let Ok(PrunedValue(value)) = serde_json::from_slice(body.as_bytes()) {
        json_body::read(&value, argument_name)
    } else {
        let message = clean::read(&start, argument_name);
        match xml_text(&start, &media, argument_name) {
            Some(text) => ErrorMessage { text, ..message },
            None => message,
        }
    };
    let phrase = response.status.canonical_reason().unwrap_or_default();
    let status = format!("{} {phrase}", response.status.as_str());
    // A text that only repeats the status line is left out.
    if [phrase, status.trim()].iter().any(|same| message.text.eq_ignore_ascii_case(same)) {
        message.text.clear();
    }
    message.text = shorten(message.text);
    message
}

/// Whether a body without a media type is a page.
fn is_page(body: &str) -> bool {
    let start: String = body.trim_start().chars().take(15).flat_map(char::to_lowercase).collect();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

fn xml_text(body: &str, media: &MediaType, argument_name: ArgumentName<'_>) -> Option<String> {
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

/// The first bytes of a body, for a response that cannot be parsed.
pub(crate) fn excerpt(body: &str) -> String {
    shorten(body.chars().take(BYTES_MAX + 1).collect())
}
