//! The search patterns: secrets in plain text and in base64, alone or inside other data.

use std::fmt;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};

use super::decoded_view::DecodedView;

/// Shorter secrets are masked only if they are a whole JSON value: elsewhere they may be part of any word.
const NEEDLE_LENGTH_MIN: usize = 4;

/// In responses, secrets of up to this length are masked only as whole words and not in base64, because other data may
/// contain them by chance.
const SHORT_SECRET_LENGTH_MAX: usize = 7;

/// The limit on the number of secrets.
const SECRETS_MAX: usize = 256;
/// The limit on the bytes of all secrets: the search takes time proportional to secret bytes times text bytes.
const SECRET_BYTES_MAX: usize = 32 << 10;

/// Where short secrets are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ShortSecrets {
    /// Everywhere: for stored copies of a call, in which an unnecessary mask does no harm.
    #[default]
    Everywhere,
    /// As whole words: for responses, which clients use.
    AsWords,
}

/// Secrets in the encodings that are searched for.
#[derive(Default)]
pub(super) struct Needles {
    short_secrets: ShortSecrets,
    /// Sorted, so that needles with the same first byte are adjacent.
    all: Vec<Zeroizing<Vec<u8>>>,
    /// For each first byte, where its needles begin in `all`; they end where those of the next byte begin. The search
    /// looks here for each byte of a text. The numbers are small, because every tool with a credential has such a table.
    starts: Box<[u16]>,
}

impl fmt::Debug for Needles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Needles").field("count", &self.all.len()).finish_non_exhaustive()
    }
}

impl Needles {
    /// `None` if the secrets exceed the limits.
    pub(super) fn from_secrets(secrets: &[SecretString], short_secrets: ShortSecrets) -> Option<Self> {
        let bytes: usize = secrets.iter().map(|secret| secret.expose_secret().len()).sum();
        if secrets.len() > SECRETS_MAX || bytes > SECRET_BYTES_MAX {
            return None;
        }
        let base64_length_min = match short_secrets {
            ShortSecrets::Everywhere => NEEDLE_LENGTH_MIN,
            ShortSecrets::AsWords => SHORT_SECRET_LENGTH_MAX + 1,
        };
        let mut all = Vec::new();
        // HTTP trims spaces around header values.
        let variants = secrets.iter().map(ExposeSecret::expose_secret).flat_map(|secret| [secret, secret.trim()]);
        for secret in variants.map(str::as_bytes) {
            all.push(secret.to_vec());
            if secret.len() >= base64_length_min {
                all.extend([STANDARD.encode(secret), URL_SAFE.encode(secret)].map(String::into_bytes));
                all.extend((0..3).flat_map(|offset| base64_needles(secret, offset)));
            }
        }
        let length_min = match short_secrets {
            ShortSecrets::Everywhere => 1,
            // A response may contain shorter texts everywhere, also as whole values.
            ShortSecrets::AsWords => NEEDLE_LENGTH_MIN,
        };
        all.retain(|needle| needle.len() >= length_min);
        all.sort_unstable();
        all.dedup();
        let start = |byte: u16| {
            let before = |needle: &Vec<u8>| needle.first().is_some_and(|first| u16::from(*first) < byte);
            // A secret has at most 18 needles, so their number fits.
            u16::try_from(all.partition_point(before)).unwrap_or(u16::MAX)
        };
        let starts = (0..=256).map(start).collect();
        Some(Self { short_secrets, all: all.into_iter().map(Zeroizing::new).collect(), starts })
    }

    /// The length of the longest needle in bytes.
    pub(super) fn longest(&self) -> usize {
        self.all.iter().map(|needle| needle.len()).max().unwrap_or(0)
    }

    /// The needles.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.all.iter().map(|needle| needle.as_slice())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds the source range of each match in a view, up to `max_ranges` in total.
    pub(super) fn find(&self, view: &DecodedView, found: &mut Vec<Range<usize>>, max_ranges: usize) {
        if self.all.is_empty() {
            return;
        }
        for (at, first) in view.bytes().iter().enumerate() {
            if found.len() >= max_ranges {
                return;
            }
            let Some(rest) = view.bytes().get(at..) else { continue };
            for needle in self.starting_with(*first).iter().filter(|needle| rest.starts_with(needle)) {
                let end = at + needle.len();
                if self.is_secret(view.bytes(), at, end) {
                    found.push(view.source(at..end));
                }
            }
        }
    }

    /// Adds the end of a view if it is the beginning of a needle: the upstream text may have been truncated there.
    pub(super) fn find_truncated(&self, view: &DecodedView, found: &mut Vec<Range<usize>>) {
        let bytes = view.bytes();
        for needle in &self.all {
            let longest = needle.len().saturating_sub(1).min(bytes.len());
            let is_prefix_at_end = |length: &usize| needle.get(..*length).is_some_and(|start| bytes.ends_with(start));
            if let Some(length) = (NEEDLE_LENGTH_MIN..=longest).rev().find(is_prefix_at_end) {
                found.push(view.source(bytes.len() - length..bytes.len()));
            }
        }
    }

    /// Whether a match is treated as a secret, and not as a part of other data.
    fn is_secret(&self, text: &[u8], start: usize, end: usize) -> bool {
        match end - start {
            ..NEEDLE_LENGTH_MIN => is_whole_value(text, start, end),
            ..=SHORT_SECRET_LENGTH_MAX if self.short_secrets == ShortSecrets::AsWords => is_word(text, start, end),
            _ => true,
        }
    }

    fn starting_with(&self, first: u8) -> &[Zeroizing<Vec<u8>>] {
        let range = self.starts.get(usize::from(first)..=usize::from(first) + 1);
        match range {
            Some(&[start, end]) => self.all.get(usize::from(start)..usize::from(end)).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// The base64 characters that depend only on the secret, if the number of bytes before it is `offset` modulo 3.
fn base64_needles(secret: &[u8], offset: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut bytes = Zeroizing::new(vec![0; offset]);
    bytes.extend_from_slice(secret);
    let (first, last) = ((offset * 8).div_ceil(6), bytes.len() * 8 / 6);
    let encodings = [STANDARD.encode(&bytes), URL_SAFE.encode(&bytes)].map(Zeroizing::new);
    let core = move |text: Zeroizing<String>| text.as_bytes().get(first..last).map(<[u8]>::to_vec);
    encodings.into_iter().filter_map(core).filter(|core| core.len() >= NEEDLE_LENGTH_MIN)
}

/// Whether no letter or digit is next to these bytes.
fn is_word(text: &[u8], start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    [before, text.get(end)].into_iter().flatten().all(|byte| !byte.is_ascii_alphanumeric())
}

/// Whether these bytes are a JSON string or number, or the whole text.
fn is_whole_value(text: &[u8], start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(end..).unwrap_or_default();
    if before.ends_with(b"\"") && after.starts_with(b"\"") {
        // A member name is not a value.
        return !after.get(1..).unwrap_or_default().trim_ascii_start().starts_with(b":");
    }
    let is_delimiter_or_end = |byte: Option<&u8>, delimiters: &[u8]| byte.is_none_or(|byte| delimiters.contains(byte));
    is_delimiter_or_end(before.trim_ascii_end().last(), b"[:,")
        && is_delimiter_or_end(after.trim_ascii_start().first(), b"]},")
}
