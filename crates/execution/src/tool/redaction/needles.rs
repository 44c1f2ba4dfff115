//! What is looked for: secrets as they are, and in base64, alone or amid something else.

use std::fmt;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};

use super::spelling::View;

/// Shorter secrets are masked only where they are a whole JSON value: anywhere else they may be part of any word.
const SHORTEST: usize = 4;

/// More secrets than this are not looked for.
const SECRETS_MAX: usize = 256;
/// Nor are secrets of more bytes than this: looking takes time for each byte of them at each byte of a text.
const SECRETS_MAX_BYTES: usize = 32 << 10;

/// Secrets in the forms in which they are looked for.
#[derive(Default)]
pub(super) struct Needles {
    /// In the order of their first bytes.
    all: Vec<Zeroizing<Vec<u8>>>,
}

impl fmt::Debug for Needles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Needles").field("count", &self.all.len()).finish()
    }
}

impl Needles {
    /// None where looking for them would take too long.
    pub(super) fn of(secrets: &[SecretString]) -> Option<Self> {
        let bytes: usize = secrets.iter().map(|secret| secret.expose_secret().len()).sum();
        if secrets.len() > SECRETS_MAX || bytes > SECRETS_MAX_BYTES {
            return None;
        }
        let mut all = Vec::new();
        // Headers lose the spaces at their ends.
        let spelled = secrets.iter().map(ExposeSecret::expose_secret).flat_map(|secret| [secret, secret.trim()]);
        for secret in spelled.map(str::as_bytes) {
            all.push(secret.to_vec());
            if secret.len() >= SHORTEST {
                all.extend([STANDARD.encode(secret), URL_SAFE.encode(secret)].map(String::into_bytes));
                all.extend((0..3).flat_map(|before| in_base64(secret, before)));
            }
        }
        all.retain(|needle| !needle.is_empty());
        all.sort_unstable();
        all.dedup();
        Some(Self { all: all.into_iter().map(Zeroizing::new).collect() })
    }

    /// The longest of them, in bytes.
    pub(super) fn longest(&self) -> usize {
        self.all.iter().map(|needle| needle.len()).max().unwrap_or(0)
    }

    /// Adds the places in the source where a view shows one of them, until there are so many.
    pub(super) fn find(&self, view: &View, found: &mut Vec<Range<usize>>, most: usize) {
        for (at, first) in view.bytes().iter().enumerate() {
            if found.len() >= most {
                return;
            }
            let Some(rest) = view.bytes().get(at..) else { continue };
            for needle in self.beginning_with(*first).filter(|needle| rest.starts_with(needle)) {
                let end = at + needle.len();
                if needle.len() >= SHORTEST || is_whole_value(view.bytes(), at, end) {
                    found.push(view.source(at..end));
                }
            }
        }
    }

    /// Adds the end of a view that is the beginning of one of them: whoever cut the text may have cut a secret.
    pub(super) fn find_cut_off(&self, view: &View, found: &mut Vec<Range<usize>>) {
        let bytes = view.bytes();
        for needle in &self.all {
            let longest = needle.len().saturating_sub(1).min(bytes.len());
            let ends = |length: &usize| needle.get(..*length).is_some_and(|start| bytes.ends_with(start));
            if let Some(length) = (SHORTEST..=longest).rev().find(ends) {
                found.push(view.source(bytes.len() - length..bytes.len()));
            }
        }
    }

    fn beginning_with(&self, first: u8) -> impl Iterator<Item = &[u8]> {
        let start = self.all.partition_point(|needle| needle.first() < Some(&first));
        let same = self.all.iter().skip(start).map(|needle| needle.as_slice());
        same.take_while(move |needle| needle.first() == Some(&first))
    }
}

/// The characters of base64 that depend on the secret alone when so many bytes of something else precede it, modulo 3.
fn in_base64(secret: &[u8], before: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut bytes = Zeroizing::new(vec![0; before]);
    bytes.extend_from_slice(secret);
    let (first, last) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
    let both = [STANDARD.encode(&bytes), URL_SAFE.encode(&bytes)].map(Zeroizing::new);
    let core = move |text: Zeroizing<String>| text.as_bytes().get(first..last).map(<[u8]>::to_vec);
    both.into_iter().filter_map(core).filter(|core| core.len() >= SHORTEST)
}

/// Whether these bytes are a string or a number of JSON, or all there is.
fn is_whole_value(text: &[u8], start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(end..).unwrap_or_default();
    if before.ends_with(b"\"") && after.starts_with(b"\"") {
        // The name of a member is not a value.
        return !after.get(1..).unwrap_or_default().trim_ascii_start().starts_with(b":");
    }
    let ends = |byte: Option<&u8>, these: &[u8]| byte.is_none_or(|byte| these.contains(byte));
    ends(before.trim_ascii_end().last(), b"[:,") && ends(after.trim_ascii_start().first(), b"]},")
}
