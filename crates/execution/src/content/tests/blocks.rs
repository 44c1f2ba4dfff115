//! Tests of the content block for each kind of body.

use super::*;

#[test]
fn text_is_unchanged_and_not_copied() {
    let body = Bytes::from("{\n \"a\": 1.0, \"ü\": \"\u{2028}\"}\n");
    for content_type in ["application/json", "application/json; charset=utf-8", "text/html", "image/svg+xml", "x/y", ""]
    {
        let ContentBlock::Text(text) = to_block(&response_with(200, content_type, body.clone())) else {
            panic!("{content_type} is not text")
        };
        assert_eq!(text.as_bytes().as_ptr(), body.as_ptr(), "{content_type}");
        assert_eq!(text.as_bytes(), body);
    }
}

#[test]
fn an_empty_body_is_empty_text() {
    for content_type in ["application/json", "image/png", "application/pdf", "text/plain; charset=utf-16", ""] {
        assert_eq!(to_block(&response_with(204, content_type, "")), ContentBlock::text(""));
    }
}

#[test]
fn a_body_is_decoded_in_the_charset_of_its_type() {
    for (content_type, body, expected) in [
        ("text/plain; charset=ISO-8859-1", &b"na\xefve"[..], "naïve"),
        ("text/plain;charset=\"windows-1252\"", b"\x80 5", "€ 5"),
        ("text/html; x=y; Charset = Shift_JIS", b"\x93\xfa\x96{", "日本"),
        ("application/xml; charset=utf-16le", b"<\0a\0/\0>\0", "<a/>"),
        ("text/plain; charset=utf-16", b"\xfe\xff\0a\0b", "ab"),
        ("text/plain; charset=no-such-thing", "für".as_bytes(), "für"),
        ("text/plain; charset=us-ascii", b"plain", "plain"),
        ("text/plain; charset=utf-16le", b"odd", "odd"),
    ] {
        assert_eq!(block_text(content_type, body), expected, "{content_type}");
    }
}

#[test]
fn a_byte_order_mark_overrides_the_type_and_is_removed() {
    assert_eq!(block_text("application/json", &b"\xef\xbb\xbf{}"[..]), "{}");
    assert_eq!(block_text("text/plain; charset=iso-8859-1", &b"\xef\xbb\xbf\xc3\xbc"[..]), "ü");
    assert_eq!(block_text("text/csv", &b"\xff\xfea\0,\0b\0"[..]), "a,b");
    assert_eq!(block_text("application/octet-stream", &b"\xef\xbb\xbfa"[..]), "a");
    assert_eq!(block_text("text/plain", &b"\xef\xbb\xbf"[..]), "");
}

#[test]
fn images_and_audio_have_their_own_blocks() {
    let data = Bytes::from_static(b"\x89PNG");
    let mime = "image/png".to_owned();
    assert_eq!(
        to_block(&response_with(200, "Image/PNG; q=1", data.clone())),
        ContentBlock::Media { kind: "image", data: data.clone(), mime }
    );
    let mime = "audio/mpeg".to_owned();
    assert_eq!(
        to_block(&response_with(200, "audio/mpeg", data.clone())),
        ContentBlock::Media { kind: "audio", data, mime }
    );
}

#[test]
fn a_binary_body_is_a_data_url() {
    for (content_type, body, expected) in [
        ("application/pdf", &b"%PDF\xff"[..], "data:application/pdf;base64,JVBERv8="),
        ("", b"\xff\xfe\xff", "data:application/octet-stream;base64,//7/"),
        ("text/plain", b"na\xefve", "data:text/plain;base64,bmHvdmU="),
        ("text/plain; charset=utf-16le", b"\0\xd8", "data:text/plain;base64,ANg="),
        ("application/zip; charset=iso-8859-1", b"PK\xff", "data:application/zip;base64,UEv/"),
        ("image/svg+xml", b"\xff", "data:image/svg+xml;base64,/w=="),
    ] {
        assert_eq!(block_text(content_type, body), expected, "{content_type}");
    }
}

#[test]
fn a_nul_character_makes_a_body_binary_only_for_binary_types() {
    for content_type in ["application/octet-stream", "application/pdf", "video/mp4", "application/vnd.ms-excel", ""] {
        assert!(block_text(content_type, &b"a\0b"[..]).starts_with("data:"), "{content_type}");
        assert_eq!(block_text(content_type, "a b"), "a b");
    }
    assert_eq!(block_text("text/plain", &b"a\0b"[..]), "a\0b");
    assert_eq!(block_text("application/json", &b"a\0b"[..]), "a\0b");
}

#[test]
fn an_invalid_media_type_becomes_octet_stream() {
    for content_type in ["nonsense", "a/b/c", "text/\"x", "/", "text/", &format!("a/{}", "b".repeat(200))] {
        assert!(block_text(content_type, &b"\xff"[..]).starts_with("data:application/octet-stream;"), "{content_type}");
    }
}
