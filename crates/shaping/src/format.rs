//! The format of a body, by its media type and its first character.

use toolgate_domain::shaping::{HtmlShaping, Shaping};

/// How a body is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ResponseFormat {
    /// One JSON value.
    Json,
    /// JSON values, one on each line.
    JsonLines,
    Csv,
    Html,
    #[default]
    Text,
}

impl ResponseFormat {
    /// The formats that a body may have, the most likely one first. The last one fits any body.
    pub(crate) fn candidates(body: &str, media_type: &str, shaping: &Shaping) -> &'static [Self] {
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let body = body.strip_prefix('\u{feff}').unwrap_or(body);
        let names_lines = essence.contains("ndjson") || essence.contains("jsonl") || essence.contains("json-lines");
        match essence.as_str() {
            _ if names_lines => &[Self::JsonLines, Self::Text],
            _ if essence.ends_with("json") => &[Self::Json, Self::JsonLines, Self::Text],
            "text/csv" | "application/csv" => &[Self::Csv],
            "text/html" | "application/xhtml+xml" if shaping.html != HtmlShaping::Keep => &[Self::Html],
            // APIs send JSON with all kinds of media types.
            _ if body.trim_start().starts_with(['{', '[']) => &[Self::Json, Self::JsonLines, Self::Text],
            _ => &[Self::Text],
        }
    }
}

/// The offset of the first value of a body, after a byte order mark.
pub(crate) fn first_value_at(body: &str) -> usize {
    if body.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}
