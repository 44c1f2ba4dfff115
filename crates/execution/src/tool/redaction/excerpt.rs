//! The beginning of a text with its secrets masked. Secrets are masked before the text is truncated, so that no part of
//! a secret remains at the end.

use std::fmt::Write as _;
use std::ops::Range;

use toolgate_domain::headers::MASK;

use super::decoded_view::DecodedView;
use super::needles::Needles;

/// The maximum number of bytes that encode one byte of a secret: `\\u002f`, JSON within JSON.
const ENCODED_BYTES_PER_BYTE_MAX: usize = 7;
/// The size of a part of a text that is searched as a whole.
const PART_BYTES: usize = 64 << 10;
/// A text with more matches than this is masked as a whole.
const MATCHES_MAX: usize = 10_000;

/// At most `max_bytes` of a text with secrets masked, and a note if it was truncated.
pub(super) fn redact(text: &str, needles: [&Needles; 2], max_bytes: usize) -> String {
    let longest_encoded = needles.map(Needles::longest).into_iter().max().unwrap_or(0) * ENCODED_BYTES_PER_BYTE_MAX;
    // The mask is shorter than most secrets, so the excerpt may need more of the text than `max_bytes`. A secret that
    // begins in this part is scanned to its end.
    let usable_len = head(text, 2 * max_bytes).len();
    let scanned = head(text, usable_len + longest_encoded);
    let is_whole_text = scanned.len() == text.len();
    let mut writer = ExcerptWriter { out: String::new(), max_bytes, is_truncated: false };
    writer.write(
        scanned,
        &find_secrets(scanned, needles, is_whole_text),
        if is_whole_text { scanned.len() } else { usable_len },
    );
    if writer.is_truncated {
        // Writing to a string does not fail.
        let _ = write!(writer.out, "… [truncated, {} bytes in total]", text.len());
    }
    writer.out
}

/// A captured text without the note that says that it was truncated.
pub fn without_truncation_note(text: &str) -> &str {
    let note = text.strip_suffix(" bytes in total]").and_then(|start| start.rsplit_once("… [truncated, "));
    note.filter(|(_, bytes)| bytes.bytes().all(|byte| byte.is_ascii_digit())).map_or(text, |(start, _)| start)
}

fn head(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or_default()
}

/// The ranges of the secrets in a text of any length, in order. It is searched in parts, because the decoded views of a
/// text take many times its memory.
pub(super) fn find_in_parts(text: &str, needles: [&Needles; 2]) -> Vec<Range<usize>> {
    let longest_encoded = needles.map(Needles::longest).into_iter().max().unwrap_or(0) * ENCODED_BYTES_PER_BYTE_MAX;
    let mut found = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = text.get(start..).unwrap_or_default();
        let (part, searched) = (head(rest, PART_BYTES).len().max(1), head(rest, PART_BYTES + longest_encoded));
        // A secret that begins in this part is searched to its end; one that begins after it is found with the next.
        let ranges = find_secrets(searched, needles, false).into_iter().filter(|range| range.start < part);
        found.extend(ranges.map(|range| start + range.start..start + range.end));
        start += part;
    }
    merge(found)
}

/// The ranges of the secrets, in order; overlapping ranges are merged.
fn find_secrets(text: &str, needles: [&Needles; 2], is_whole_text: bool) -> Vec<Range<usize>> {
    let mut found = search(text, needles, is_whole_text);
    let has_escapes = text.bytes().any(|byte| b"%+\\".contains(&byte));
    if found.is_empty() || !has_escapes {
        return found;
    }
    // The end of a secret and the beginning of an encoded secret after it can look like an escape, as in `…%` and
    // `41…`. The second secret is then found only in a text without the first.
    let between: Vec<Range<usize>> = gaps(&found, text.len()).collect();
    for gap in between {
        let part = text.get(gap.clone()).unwrap_or_default();
        let ranges = search(part, needles, is_whole_text && gap.end == text.len());
        found.extend(ranges.into_iter().map(|range| gap.start + range.start..gap.start + range.end));
    }
    merge(found)
}

/// The parts of a text between ranges, which are in order and do not overlap.
fn gaps(ranges: &[Range<usize>], length: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = std::iter::once(0).chain(ranges.iter().map(|range| range.end));
    let ends = ranges.iter().map(|range| range.start).chain([length]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|gap| !gap.is_empty())
}

/// Searches every decoding of a text once.
fn search(text: &str, needles: [&Needles; 2], is_whole_text: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for view in DecodedView::all(text) {
        for needles in needles {
            needles.find(&view, &mut found, MATCHES_MAX);
            if is_whole_text {
                needles.find_truncated(&view, &mut found);
            }
        }
    }
    if found.len() >= MATCHES_MAX {
        found.push(0..text.len());
    }
    merge(found)
}

/// Ranges in order; those that overlap become one.
fn merge(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_unstable_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for range in found {
        match merged.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    merged
}

struct ExcerptWriter {
    out: String,
    max_bytes: usize,
    is_truncated: bool,
}

impl ExcerptWriter {
    /// Writes the first `usable_len` bytes of the text with secrets masked, up to `max_bytes` in total.
    fn write(&mut self, text: &str, secrets: &[Range<usize>], usable_len: usize) {
        let mut at = 0;
        for secret in secrets.iter().take_while(|secret| secret.start < usable_len) {
            self.push(text.get(at..secret.start).unwrap_or_default());
            self.push(MASK);
            at = secret.end;
        }
        self.push(text.get(at..usable_len).unwrap_or_default());
        self.is_truncated |= usable_len < text.len();
    }

    fn push(&mut self, piece: &str) {
        let taken = head(piece, self.max_bytes - self.out.len());
        // Nothing may be appended after a truncated piece.
        self.max_bytes = if taken.len() < piece.len() { self.out.len() + taken.len() } else { self.max_bytes };
        self.is_truncated |= taken.len() < piece.len();
        self.out.push_str(taken);
    }
}
