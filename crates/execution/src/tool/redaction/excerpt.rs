//! The beginning of a text with its secrets masked. Secrets are masked before the text is truncated, so that no part of
//! one remains at the end.

use std::fmt::Write as _;
use std::ops::Range;

use toolgate_domain::headers::MASK;

use super::decoded_view::DecodedView;
use super::needles::Needles;

/// The most bytes that encode one byte of a secret: `\\u002f`, JSON within JSON.
const ENCODED_BYTE_MAX: usize = 7;
/// A text with more matches than this is masked as a whole.
const MATCHES_MAX: usize = 10_000;

/// At most `max_bytes` of a text with secrets masked, and a note if it was truncated.
pub(super) fn redact(text: &str, needles: [&Needles; 2], max_bytes: usize) -> String {
    let reach = needles.map(Needles::longest).into_iter().max().unwrap_or(0) * ENCODED_BYTE_MAX;
    // A mask is shorter than most secrets, so more is read than is stored. A secret that begins in the stored part is
    // scanned to its end.
    let usable = head(text, 2 * max_bytes).len();
    let seen = head(text, usable + reach);
    let is_all = seen.len() == text.len();
    let mut writer = ExcerptWriter { out: String::new(), max_bytes, is_truncated: false };
    writer.write(seen, &secrets(seen, needles, is_all), if is_all { seen.len() } else { usable });
    if writer.is_truncated {
        // Writing to a string does not fail.
        let _ = write!(writer.out, "… [cut, {} bytes in all]", text.len());
    }
    writer.out
}

fn head(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or_default()
}

/// The ranges of the secrets, in order; overlapping ranges are merged.
fn secrets(text: &str, needles: [&Needles; 2], is_all: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for view in DecodedView::all(text) {
        for needles in needles {
            needles.find(&view, &mut found, MATCHES_MAX);
            if is_all {
                needles.find_cut_off(&view, &mut found);
            }
        }
    }
    if found.len() >= MATCHES_MAX {
        found.push(0..text.len());
    }
    found.sort_unstable_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for range in found {
        match joined.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => joined.push(range),
        }
    }
    joined
}

struct ExcerptWriter {
    out: String,
    max_bytes: usize,
    is_truncated: bool,
}

impl ExcerptWriter {
    /// Writes the text before `usable`, up to `max_bytes`.
    fn write(&mut self, text: &str, secrets: &[Range<usize>], usable: usize) {
        let mut at = 0;
        for secret in secrets.iter().take_while(|secret| secret.start < usable) {
            self.push(text.get(at..secret.start).unwrap_or_default());
            self.push(MASK);
            at = secret.end;
        }
        self.push(text.get(at..usable).unwrap_or_default());
        self.is_truncated |= usable < text.len();
    }

    fn push(&mut self, piece: &str) {
        let taken = head(piece, self.max_bytes - self.out.len());
        // Nothing may be appended after a truncated piece.
        self.max_bytes = if taken.len() < piece.len() { self.out.len() + taken.len() } else { self.max_bytes };
        self.is_truncated |= taken.len() < piece.len();
        self.out.push_str(taken);
    }
}
