//! Tests that texts survive the conversion to JSON and back.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn written_json(block: &ContentBlock) -> Value {
    let mut out = Vec::new();
    write_json(block, &mut out);
    serde_json::from_slice(&out).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&out)))
}

/// Texts long enough for several strides, with escaped characters at all positions.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        (0_u8..0x20).prop_map(|byte| char::from(byte).to_string()),
        prop_oneof![Just("\""), Just("\\"), Just("\u{7f}"), Just("\u{2028}"), Just("😀")].prop_map(str::to_owned),
        "[a-z ]{1,70}",
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_reads_back_exactly(text in text()) {
        prop_assert_eq!(written_json(&ContentBlock::text(text.clone())), json!({"type": "text", "text": text}));
        let mut out = b"before".to_vec();
        write_json_string(&text, &mut out);
        prop_assert_eq!(serde_json::from_slice::<String>(out.strip_prefix(b"before").unwrap()).unwrap(), text);
    }

    #[test]
    fn any_image_reads_back_exactly(data in prop::collection::vec(any::<u8>(), 0..200)) {
        let value = written_json(&ContentBlock::Media { kind: "image", data: data.clone().into(), mime: "image/png".to_owned() });
        let decoded = BASE64_STANDARD.decode(value["data"].as_str().unwrap()).unwrap();
        prop_assert_eq!(decoded, data);
    }

    #[test]
    fn any_body_of_any_type_makes_valid_json(
        content_type in prop_oneof![
            Just(""), Just("text/plain"), Just("text/plain; charset=utf-16le"), Just("text/plain; charset=shift_jis"),
            Just("application/pdf"), Just("image/png"), Just("audio/ogg"), Just("x/y; charset=gb18030"),
        ],
        body in prop::collection::vec(any::<u8>(), 0..100),
    ) {
        written_json(&to_block(&response_with(200, content_type, body)));
    }
}

#[test]
fn control_characters_quotes_and_backslashes_are_escaped() {
    let all: String = (0..=0x7f_u8).map(char::from).collect();
    assert_eq!(written_json(&ContentBlock::text(all.clone()))["text"], all);
    let mut out = Vec::new();
    write_json_string("\u{0}\u{1f}\u{8}\u{c}\n\r\t\"\\/ü", &mut out);
    assert_eq!(String::from_utf8(out).unwrap(), r#""\u0000\u001f\b\f\n\r\t\"\\/ü""#);
}

#[test]
fn blocks_have_the_members_that_mcp_defines() {
    let audio = ContentBlock::Media { kind: "audio", data: Bytes::from_static(b"hi"), mime: "audio/ogg".to_owned() };
    assert_eq!(written_json(&audio), json!({"type": "audio", "data": "aGk=", "mimeType": "audio/ogg"}));
    let quoted_type = ContentBlock::Media { kind: "image", data: Bytes::new(), mime: "a\"b".to_owned() };
    assert_eq!(written_json(&quoted_type), json!({"type": "image", "data": "", "mimeType": "a\"b"}));
}
