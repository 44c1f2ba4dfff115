//! Tests of each coding with complete bodies, bodies that arrive byte by byte, and corrupted bodies.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use http::HeaderValue;
use proptest::prelude::*;

use super::super::message::RESPONSE_BYTES_MAX;
use super::*;

const TEXT: &str = r#"{"greeting":"hello hello hello hello"}"#;
/// `TEXT`, compressed.
const BROTLI_TEXT: &[u8] = &[
    0x1b, 0x25, 0x00, 0xf8, 0x45, 0x6f, 0x78, 0xbd, 0xda, 0x73, 0xfa, 0xfe, 0x85, 0x12, 0x25, 0x9f, 0x94, 0x24, 0x52,
    0xc5, 0x01, 0xf3, 0xc1, 0x86, 0xdc, 0x28, 0x83, 0xc2, 0x99, 0xd9, 0x02, 0x0f,
];
/// `TEXT`, compressed with a window of 2^28 bytes.
const BROTLI_LARGE_WINDOW: &[u8] = &[
    0x11, 0x5c, 0x94, 0x00, 0xe0, 0x17, 0xbd, 0xe1, 0xf5, 0x6a, 0xcf, 0xe9, 0xfb, 0x17, 0x4a, 0x94, 0x7c, 0x52, 0x92,
    0x48, 0x15, 0x07, 0x98, 0x0f, 0x36, 0xe4, 0x46, 0x19, 0x14, 0xce, 0xcc, 0x16, 0x78,
];
/// 8 MiB of zeros: exactly the limit.
const BROTLI_LARGEST: &[u8] = &[0x9b, 0xff, 0xff, 0x7f, 0xf8, 0x27, 0x00, 0xe2, 0xb1, 0x40, 0x20, 0xf7, 0xfe, 0x0f];
/// 9 MiB of zeros.
const BROTLI_BOMB: &[u8] = &[
    0xcb, 0xff, 0xff, 0x3f, 0xf8, 0x27, 0x00, 0xe2, 0xb1, 0x40, 0x20, 0xf7, 0xfe, 0xaf, 0xfe, 0xff, 0x1f, 0xff, 0x04,
    0x40, 0x1c, 0x16, 0x01, 0xe8, 0xde, 0x3f, 0x00,
];

fn compress_gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn decode(codings: &[Coding], chunks: &[&[u8]]) -> Result<Bytes, EgressError> {
    let mut decoder = Decoder::new(codings, RESPONSE_BYTES_MAX);
    chunks.iter().try_for_each(|chunk| decoder.feed(chunk))?;
    decoder.finish()
}

fn bad_coding_error() -> Result<Bytes, EgressError> {
    Err(BrokenResponse::BadCoding.into())
}

#[test]
fn codings_are_read_from_all_header_lines() {
    let read = |lines: &[&'static str]| {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(CONTENT_ENCODING, HeaderValue::from_static(line));
        }
        Coding::from_headers(&headers)
    };
    assert_eq!(read(&[]), Ok(vec![]));
    assert_eq!(read(&["identity", ""]), Ok(vec![]));
    assert_eq!(read(&["br", "X-Gzip ,"]), Ok(vec![Coding::Brotli, Coding::Gzip]));
    assert!(read(&["compress"]).is_err() && read(&["gzip,br,gzip"]).is_err());
}

#[test]
fn each_coding_is_decoded_at_once_byte_by_byte_and_nested() {
    let gzip_around_brotli = compress_gzip(BROTLI_TEXT);
    let cases: [(&[Coding], &[u8]); 3] = [
        (&[Coding::Gzip], &compress_gzip(TEXT.as_bytes())),
        (&[Coding::Brotli], BROTLI_TEXT),
        (&[Coding::Brotli, Coding::Gzip], &gzip_around_brotli),
    ];
    for (codings, body) in cases {
        let bytes: Vec<&[u8]> = body.chunks(1).collect();
        assert_eq!(decode(codings, &[body]).unwrap(), TEXT);
        assert_eq!(decode(codings, &bytes).unwrap(), TEXT);
    }
}

#[test]
fn gzip_members_are_concatenated() {
    let two = [compress_gzip(b"one "), compress_gzip(b"two")].concat();
    assert_eq!(decode(&[Coding::Gzip], &[&two]).unwrap(), "one two");
}

#[test]
fn truncated_and_surplus_data_is_detected() {
    let gzip = compress_gzip(TEXT.as_bytes());
    for (coding, complete) in [(Coding::Gzip, &gzip[..]), (Coding::Brotli, BROTLI_TEXT)] {
        for length in 1..complete.len() {
            assert_eq!(
                decode(&[coding], &[&complete[..length]]),
                bad_coding_error(),
                "{coding:?} truncated at {length}"
            );
        }
        assert_eq!(decode(&[coding], &[complete, b"x"]), bad_coding_error());
        assert_eq!(decode(&[coding], &[&[complete, b"x"].concat()]), bad_coding_error());
    }
}

#[test]
fn large_brotli_windows_are_refused() {
    assert_eq!(decode(&[Coding::Brotli], &[BROTLI_LARGE_WINDOW]), bad_coding_error());
}

#[test]
fn the_limit_applies_to_decoded_bytes() {
    assert_eq!(decode(&[Coding::Brotli], &[BROTLI_LARGEST]).unwrap().len(), RESPONSE_BYTES_MAX);
    assert_eq!(decode(&[Coding::Brotli], &[BROTLI_BOMB]), Err(EgressError::TooLarge));
    assert_eq!(decode(&[Coding::Brotli, Coding::Gzip], &[&compress_gzip(BROTLI_BOMB)]), Err(EgressError::TooLarge));
}

#[test]
fn input_that_decodes_to_nothing_is_limited_too() {
    let member = compress_gzip(b"");
    assert_eq!(decode(&[Coding::Gzip], &[&member.repeat(1000)]).unwrap(), "");
    assert_eq!(decode(&[Coding::Gzip], &[&member.repeat(1001)]), bad_coding_error());
    assert_eq!(
        Decoder::new(&[Coding::Brotli], RESPONSE_BYTES_MAX).feed(&vec![0; layer_input_max(RESPONSE_BYTES_MAX) + 1]),
        Err(EgressError::TooLarge)
    );
}

proptest! {
    #[test]
    fn any_input_survives_gzip(plain in prop::collection::vec(any::<u8>(), 0..5000), chunk_size in 1_usize..500) {
        let body = compress_gzip(&plain);
        let chunks: Vec<&[u8]> = body.chunks(chunk_size).collect();
        prop_assert_eq!(decode(&[Coding::Gzip], &chunks).unwrap(), plain);
    }

    #[test]
    fn no_bytes_make_a_decoder_panic(bytes in prop::collection::vec(any::<u8>(), 0..500)) {
        let _ = decode(&[Coding::Brotli], &[&bytes]);
        let _ = decode(&[Coding::Gzip, Coding::Brotli], &[&bytes]);
    }
}
