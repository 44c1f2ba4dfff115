use std::fmt::Write as _;

use serde_json::json;

use super::*;

fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes()).unwrap()
}

fn yaml(text: &str) -> Value {
    yaml::parse(text).unwrap().0
}

#[test]
fn the_format_is_detected_from_the_root() {
    for (text, kind, version) in [
        ("openapi: 3.0.3", DocumentKind::OpenApi30, "3.0.3"),
        ("openapi: 3.0", DocumentKind::OpenApi30, "3.0"),
        ("openapi: '3.1.0'", DocumentKind::OpenApi31, "3.1.0"),
        (r#"{"openapi": "3.2.0"}"#, DocumentKind::OpenApi32, "3.2.0"),
        ("swagger: 2.0", DocumentKind::Swagger20, "2.0"),
        (r#" {"swagger": "2.0"}"#, DocumentKind::Swagger20, "2.0"),
        (r#"{"info": {}, "item": []}"#, DocumentKind::Postman21, "2.1"),
        (r#"{"log": {"entries": [], "version": "1.2"}}"#, DocumentKind::Har, "1.2"),
    ] {
        let document = parse(text);
        assert_eq!((document.kind, document.version().as_str()), (kind, version), "{text}");
    }
    for text in ["{}", "[]", "a", "", "swagger: '1.2'", "openapi: 4.0.0", "openapi: {}", "item: []"] {
        assert!(matches!(Document::parse(text.as_bytes()), Err(DocumentError::UnknownFormat)), "{text}");
    }
}

#[test]
fn utf_16_and_byte_order_marks_are_read() {
    let text = "{\"openapi\": \"3.1.0\", \"info\": {\"title\": \"Größe 😀\"}}";
    let little: Vec<u8> = "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big, format!("\u{FEFF}{text}").into_bytes()] {
        assert_eq!(Document::parse(&bytes).unwrap().root, serde_json::from_str::<Value>(text).unwrap());
    }
    let error = Document::parse(b"openapi: 3.0.0\nab\xff").err();
    assert!(matches!(error, Some(DocumentError::Syntax { line: 2, column: 3, .. })), "{error:?}");
    assert!(Document::parse(b"\xff\xfea").is_err());
}

#[test]
fn yaml_scalars_follow_the_core_schema() {
    let text = "[on, yes, no, y, 2001-01-01, 1_000, 0123, 12:30:45, .inf, =, 0x1F, 0o17, -5, +5, 1.5, .5, 1e3, ~, null, True, '1', !!str 2, !x 3, 18446744073709551616]";
    let expected = json!([
        "on",
        "yes",
        "no",
        "y",
        "2001-01-01",
        "1_000",
        "0123",
        "12:30:45",
        ".inf",
        "=",
        31,
        15,
        -5,
        5,
        1.5,
        0.5,
        1000.0,
        null,
        null,
        true,
        "1",
        "2",
        3,
        18_446_744_073_709_551_616_f64
    ]);
    assert_eq!(yaml(text), expected);
    assert_eq!(
        yaml("200: a\nnull: b\ntrue: c\n1.10: d\n? [x]\n: e"),
        json!({"200": "a", "null": "b", "true": "c", "1.10": "d", "[\"x\"]": "e"})
    );
}

#[test]
fn yaml_aliases_and_merge_keys_are_replaced() {
    let text = "base: &b {a: 1, b: 2}\nc: {b: 3, <<: *b}\nd: {<<: [{e: 1}, *b], a: 9}\nf: *b\n'<<': x";
    assert_eq!(
        yaml(text),
        json!({"base": {"a": 1, "b": 2}, "c": {"b": 3, "a": 1}, "d": {"a": 9, "e": 1, "b": 2}, "f": {"a": 1, "b": 2}, "<<": "x"})
    );
    assert!(yaml::parse("a: &a [*a]").is_err());
    assert!(yaml::parse("a: *b").is_err());
}

#[test]
fn of_duplicate_keys_the_last_value_is_used_with_a_warning() {
    for text in [
        r#"{"openapi": "3.1.0", "x": [{"a": 1, "a": {"b/": 2, "b/": 3}}]}"#,
        "openapi: 3.1.0\nx:\n- a: 1\n  a:\n    b/: 2\n    b/: 3",
    ] {
        let document = parse(text);
        assert_eq!(document.root["x"], json!([{"a": {"b/": 3}}]));
        let pointers: Vec<String> = document.warnings.iter().map(|warning| warning.pointer.to_string()).collect();
        assert_eq!(pointers.len(), 2);
        assert!(pointers.contains(&"#/x/0/a".to_owned()), "{pointers:?}");
        assert!(pointers.contains(&"#/x/0/a/b~1".to_owned()), "{pointers:?}");
    }
}

#[test]
fn forbidden_and_invisible_characters_are_removed_with_a_warning() {
    for text in ["openapi: 3.1.0\nx: a\u{7}b\u{202E}", "{\"openapi\": \"3.1.0\", \"x\": \"a\u{7}b\u{202E}\"}"] {
        let document = parse(text);
        assert_eq!(document.root["x"], "ab");
        assert_eq!(document.warnings[0].code, "characters_removed");
    }
    // Escaped control characters stay, because patterns contain them.
    assert_eq!(parse(r#"{"openapi": "3.1.0", "x": "[\u0000-\u001f]"}"#).root["x"], "[\0-\u{1f}]");
}

#[test]
fn a_second_document_is_refused_unless_it_is_empty() {
    assert!(Document::parse(b"openapi: 3.1.0\n---\na: 1").is_err());
    assert!(Document::parse(b"openapi: 3.1.0\n---\n").is_ok());
    assert!(Document::parse(b"---\nopenapi: 3.1.0\n...\n").is_ok());
}

#[test]
fn syntax_errors_have_a_position() {
    for (text, expected) in [("openapi: 3.1.0\na: [1", 2), ("{\"openapi\": \"3.1.0\",\n\"a\": }}", 2), ("a: b: c", 1)] {
        let error = Document::parse(text.as_bytes()).err();
        let Some(DocumentError::Syntax { line, .. }) = error else { panic!("{error:?}") };
        assert!(line >= expected, "{text} {line}");
    }
}

#[test]
fn documents_over_a_limit_are_refused_with_a_pointer() {
    let nested =
        |levels: usize| format!("{{\"openapi\": \"3.1.0\", \"x\": {}{}}}", "[".repeat(levels), "]".repeat(levels));
    assert!(Document::parse(nested(150).as_bytes()).is_ok());
    assert!(Document::parse(nested(199).as_bytes()).is_ok());
    let deep = limit_error_pointer(&nested(201));
    assert!(deep.starts_with("#/x/0/0"), "{deep}");
    limit_error_pointer(&nested(100_000));
    let wide = format!("{{\"openapi\": \"3.1.0\", \"x\": [{}0]}}", "0,".repeat(2_000_000));
    assert_eq!(limit_error_pointer(&wide), "#/x/1999997");
    assert_eq!(limit_error_pointer(&" ".repeat((10 << 20) + 1)), "#");
}

fn limit_error_pointer(text: &str) -> String {
    match Document::parse(text.as_bytes()) {
        Err(DocumentError::TooLarge { pointer, .. }) => pointer,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted"),
    }
}

#[test]
fn alias_bombs_are_refused() {
    let mut bomb = "openapi: 3.1.0\na0: &a0 [x]\n".to_owned();
    for level in 1..30 {
        let previous = format!("*a{},", level - 1).repeat(10);
        writeln!(bomb, "a{level}: &a{level} [{previous}]").unwrap();
    }
    limit_error_pointer(&bomb);
    let mut chain = "openapi: 3.1.0\na0: &a0 [x]\n".to_owned();
    for level in 1..30 {
        writeln!(chain, "a{level}: &a{level} [*a{}]", level - 1).unwrap();
    }
    limit_error_pointer(&chain);
}
