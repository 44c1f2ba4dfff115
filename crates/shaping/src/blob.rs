//! Recognises binary content in strings: base64 of at least [`BLOB_CHARS_MIN`] characters, and `data:` URLs.

use std::ops::Range;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::lexer::JsonLexer;

/// Minimum length of base64 that is a blob. Shorter base64 is text, such as an id, a key or a signature.
const BLOB_CHARS_MIN: usize = 1024;
/// Minimum length of a `data:` URL that is a blob.
const DATA_URL_CHARS_MIN: usize = 256;
/// Number of characters within which base64 must have upper-case letters, lower-case letters and digits. Words and
/// hexadecimal numbers do not have all three.
const MIXED_WITHIN: usize = 512;
/// Number of characters that are decoded to recognise the media type.
const HEAD_CHARS: usize = 64;

const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// First bytes of common binary formats.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
];

/// Binary content that is replaced by a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The offset of its string in the body, for [`blob_content`].
    pub at: usize,
    /// Its media type, by its first bytes or its `data:` URL.
    pub media_type: String,
    /// Its size, in bytes.
    pub bytes: usize,
    /// The reference in the text; `None` if the content is not stored.
    pub reference: Option<String>,
}

/// The binary content of a string.
pub(crate) struct BlobText {
    pub(crate) media_type: String,
    pub(crate) bytes: usize,
    /// The base64 inside the string.
    encoded: Range<usize>,
}

/// The media type and the content of the blob whose string starts at `at` in the body.
pub fn blob_content(body: &str, at: usize) -> Option<(String, Vec<u8>)> {
    let mut lexer = JsonLexer::new(body, at);
    lexer.string()?;
    let content = body.get(at + 1..lexer.at - 1)?;
    let blob = detect(content)?;
    let bytes = decode(content.get(blob.encoded)?)?;
    Some((blob.media_type, bytes))
}

/// Recognises binary content by the text between the quotes of a string.
pub(crate) fn detect(content: &str) -> Option<BlobText> {
    let (declared, start) = match data_url_header(content) {
        Some((media_type, start)) if content.len() >= DATA_URL_CHARS_MIN => (Some(media_type), start),
        None if content.len() >= BLOB_CHARS_MIN => (None, 0),
        _ => return None,
    };
    let encoded = content.get(start..)?;
    let chars = base64_chars(encoded, declared.is_none())?;
    if declared.is_none() && chars < BLOB_CHARS_MIN {
        return None;
    }
    let media_type = declared.or_else(|| sniff(encoded))?;
    Some(BlobText { media_type, bytes: chars * 3 / 4, encoded: start..content.len() })
}

/// The media type of a `data:` URL with base64, and where its content starts.
fn data_url_header(content: &str) -> Option<(String, usize)> {
    let rest = content.strip_prefix("data:")?;
    let comma = rest.bytes().take(256).position(|byte| byte == b',')?;
    let header = rest.get(..comma)?.strip_suffix(";base64")?;
    let media_type = header.split(';').next().unwrap_or_default().replace("\\/", "/");
    let media_type = if media_type.is_empty() { "text/plain".to_owned() } else { media_type };
    let is_plain = media_type.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/.+-".contains(&byte));
    is_plain.then_some((media_type, "data:".len() + comma + 1))
}

/// The number of characters of base64, without padding and line ends; `None` if the text holds anything else.
fn base64_chars(encoded: &str, must_mix: bool) -> Option<usize> {
    let mut bytes = encoded.bytes();
    let (mut chars, mut padding) = (0, 0);
    let (mut has_upper, mut has_lower, mut has_digit) = (false, false, false);
    while let Some(byte) = bytes.next() {
        match byte {
            b'A'..=b'Z' => has_upper = true,
            b'a'..=b'z' => has_lower = true,
            b'0'..=b'9' => has_digit = true,
            b'+' | b'/' | b'-' | b'_' => {}
            b'=' => {
                padding += 1;
                continue;
            }
            b'\\' => match bytes.next()? {
                b'/' => {}
                b'n' | b'r' => continue,
                _ => return None,
            },
            _ => return None,
        }
        if padding > 0 {
            return None;
        }
        chars += 1;
        if must_mix && chars == MIXED_WITHIN && !(has_upper && has_lower && has_digit) {
            return None;
        }
    }
    (padding <= 2).then_some(chars)
}

/// The media type by the first bytes; `None` if they are not base64.
fn sniff(encoded: &str) -> Option<String> {
    let head = encoded.get(..encoded.floor_char_boundary(HEAD_CHARS * 2))?;
    let head = plain_base64(head);
    let bytes = ENGINE.decode(head.get(..HEAD_CHARS.min(head.len() / 4 * 4))?).ok()?;
    if bytes.starts_with(b"RIFF") {
        return Some(if bytes.get(8..12) == Some(b"WEBP") { "image/webp" } else { "audio/wav" }.to_owned());
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        return Some("video/mp4".to_owned());
    }
    let known = SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature));
    let is_text = || bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'));
    let media_type = match known {
        Some((_, media_type)) => media_type,
        None if is_text() => "text/plain",
        None => "application/octet-stream",
    };
    Some(media_type.to_owned())
}

fn decode(encoded: &str) -> Option<Vec<u8>> {
    ENGINE.decode(plain_base64(encoded)).ok()
}

/// Standard base64 without escapes and line ends.
fn plain_base64(encoded: &str) -> Vec<u8> {
    let mut plain = Vec::with_capacity(encoded.len());
    let mut bytes = encoded.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'-' => plain.push(b'+'),
            b'_' => plain.push(b'/'),
            b'\\' => plain.extend(bytes.next().filter(|byte| *byte == b'/')),
            other => plain.push(other),
        }
    }
    plain
}

/// `application/pdf, 147 KiB`.
pub(crate) fn describe(media_type: &str, bytes: usize) -> String {
    const KIB: usize = 1024;
    if bytes < KIB {
        format!("{media_type}, {bytes} bytes")
    } else if bytes < KIB * KIB {
        format!("{media_type}, {} KiB", bytes / KIB)
    } else {
        format!("{media_type}, {} MiB", bytes / KIB / KIB)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(head: &[u8], bytes: usize) -> String {
        let content: Vec<u8> = head
            .iter()
            .copied()
            .chain((0u32..).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8))
            .take(bytes)
            .collect();
        ENGINE.encode(content)
    }

    #[test]
    fn base64_is_recognised_with_its_media_type_and_size() {
        for (head, media_type) in [
            (&b"%PDF-1.7"[..], "application/pdf"),
            (b"\x89PNG\r\n\x1a\n", "image/png"),
            (b"RIFF\0\0\0\0WEBP", "image/webp"),
            (b"\0\0\0\x18ftypmp42", "video/mp4"),
            (b"\x01\x02", "application/octet-stream"),
        ] {
            let text = encoded(head, 150_000);
            let blob = detect(&text).unwrap();
            assert_eq!((blob.media_type.as_str(), blob.bytes), (media_type, 150_000));
            let body = format!(r#"{{"a":"{text}"}}"#);
            let (_, bytes) = blob_content(&body, 5).unwrap();
            assert!(bytes.starts_with(head) && bytes.len() == 150_000);
        }
        assert_eq!(describe("application/pdf", 150_528), "application/pdf, 147 KiB");
    }

    #[test]
    fn line_ends_escapes_and_the_url_alphabet_are_accepted() {
        let text = encoded(b"\x89PNG\r\n\x1a\n", 3000);
        let lines: Vec<&str> = text.as_bytes().chunks(60).map(|line| std::str::from_utf8(line).unwrap()).collect();
        for variant in [lines.join("\\n"), text.replace('/', "\\/"), text.replace('+', "-").replace('/', "_")] {
            let blob = detect(&variant).unwrap();
            assert_eq!((blob.media_type.as_str(), blob.bytes), ("image/png", 3000));
        }
        let url = format!("data:image\\/svg+xml;charset=utf-8;base64,{}", encoded(b"<svg>", 600));
        assert_eq!(detect(&url).unwrap().media_type, "image/svg+xml");
    }

    #[test]
    fn texts_are_not_blobs() {
        for text in [
            "a".repeat(5000),
            "0123456789abcdef".repeat(200),
            "TheQuickBrownFox1 ".repeat(100),
            encoded(b"x", 700),
            format!("{}==A", encoded(b"x", 3000)),
            format!("data:text/plain,{}", "x".repeat(2000)),
            "data:image/png;base64,iVBORw0KGgo=".to_owned(),
        ] {
            assert!(detect(&text).is_none(), "{text}");
        }
    }
}
