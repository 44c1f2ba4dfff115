//! Decodes a body in its charset. Invalid bytes are not replaced: a body with invalid bytes is not text, and is
//! returned as binary content.

use std::borrow::Cow;

use bytes::Bytes;
use encoding_rs::{Encoding, UTF_8};

use super::media::MediaType;

/// UTF-8 text that shares its bytes with the body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Utf8(Bytes);

impl Utf8 {
    /// The bytes as text without a copy, if they are UTF-8.
    pub fn new(bytes: Bytes) -> Option<Self> {
        std::str::from_utf8(&bytes).is_ok().then_some(Self(bytes))
    }

    /// The text as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The longest prefix of at most `max_bytes` bytes that does not split a character.
    pub fn head(&self, max_bytes: usize) -> Cow<'_, str> {
        let is_boundary = |at: &usize| self.0.get(*at).is_none_or(|byte| byte & 0b1100_0000 != 0b1000_0000);
        let end = (0..=max_bytes.min(self.0.len())).rev().find(is_boundary).unwrap_or_default();
        String::from_utf8_lossy(self.0.get(..end).unwrap_or_default())
    }
}

impl From<String> for Utf8 {
    fn from(text: String) -> Self {
        Self(Bytes::from(text))
    }
}

/// The body as text, or `None` if it is not text.
///
/// A byte order mark takes precedence over the declared charset and is not part of the text. Binary types are decoded
/// only as UTF-8: in a charset like windows-1252 every byte is valid, so a PDF would count as text.
pub(super) fn decode(media: &MediaType, body: &Bytes) -> Option<Utf8> {
    if media.is_binary() {
        return decode_without_nul(body);
    }
    let (encoding, start) = Encoding::for_bom(body).unwrap_or((media.charset.unwrap_or(UTF_8), 0));
    // Servers often declare a wrong charset, and bytes that are valid UTF-8 are rarely in another encoding.
    decode_charset(encoding, &body.slice(start..)).or_else(|| Utf8::new(body.clone()))
}

/// Decodes UTF-8 without NUL characters.
fn decode_without_nul(body: &Bytes) -> Option<Utf8> {
    let text = body.strip_prefix(b"\xef\xbb\xbf").map_or_else(|| body.clone(), |text| body.slice_ref(text));
    Utf8::new(text).filter(|text| !text.as_bytes().contains(&0))
}

fn decode_charset(encoding: &'static Encoding, body: &Bytes) -> Option<Utf8> {
    if encoding == UTF_8 {
        return Utf8::new(body.clone());
    }
    Some(match encoding.decode_without_bom_handling_and_without_replacement(body)? {
        Cow::Borrowed(same) => Utf8(body.slice_ref(same.as_bytes())),
        Cow::Owned(text) => Utf8::from(text),
    })
}
