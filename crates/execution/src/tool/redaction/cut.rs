//! The beginning of a text without its secrets. Secrets are taken out before the text is cut, so that no cut can
//! go through one of them.

use std::fmt::Write as _;
use std::ops::Range;

use toolgate_domain::headers::MASK;

use super::needles::Needles;
use super::spelling::View;

/// The most bytes that one byte of a secret is spelled with: `\\u002f`, JSON within JSON.
const LONGEST_SPELLING: usize = 7;
/// A text with more places than this that look like a secret is masked as a whole.
const FOUND_MAX: usize = 10_000;

/// At most so many bytes of a text, secrets masked, and a remark where that is not all.
pub(super) fn redacted(text: &str, needles: [&Needles; 2], max_bytes: usize) -> String {
    let reach = needles.map(Needles::longest).into_iter().max().unwrap_or(0) * LONGEST_SPELLING;
    // A mask is shorter than most secrets, so more is read than is kept; and what begins in the part that may be kept
    // is seen to its own end.
    let usable = beginning(text, 2 * max_bytes).len();
    let seen = beginning(text, usable + reach);
    let is_all = seen.len() == text.len();
    let mut kept = Kept { out: String::new(), max_bytes, is_cut: false };
    kept.write(seen, &secrets(seen, needles, is_all), if is_all { seen.len() } else { usable });
    if kept.is_cut {
        // Writing to a string does not fail.
        let _ = write!(kept.out, "… [cut, {} bytes in all]", text.len());
    }
    kept.out
}

fn beginning(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or_default()
}

/// Where the secrets stand, in order; what overlaps is one.
fn secrets(text: &str, needles: [&Needles; 2], is_all: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for view in View::all(text) {
        for needles in needles {
            needles.find(&view, &mut found, FOUND_MAX);
            if is_all {
                needles.find_cut_off(&view, &mut found);
            }
        }
    }
    if found.len() >= FOUND_MAX {
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

struct Kept {
    out: String,
    max_bytes: usize,
    is_cut: bool,
}

impl Kept {
    /// Writes what stands before `usable`, until it is full.
    fn write(&mut self, text: &str, secrets: &[Range<usize>], usable: usize) {
        let mut at = 0;
        for secret in secrets.iter().take_while(|secret| secret.start < usable) {
            self.push(text.get(at..secret.start).unwrap_or_default());
            self.push(MASK);
            at = secret.end;
        }
        self.push(text.get(at..usable).unwrap_or_default());
        self.is_cut |= usable < text.len();
    }

    fn push(&mut self, piece: &str) {
        let taken = beginning(piece, self.max_bytes - self.out.len());
        // What follows must not close the gap.
        self.max_bytes = if taken.len() < piece.len() { self.out.len() + taken.len() } else { self.max_bytes };
        self.is_cut |= taken.len() < piece.len();
        self.out.push_str(taken);
    }
}
