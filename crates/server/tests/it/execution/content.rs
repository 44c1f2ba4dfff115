//! Upstream responses as callers receive them.

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, MockResponse, Upstream};

use super::setup::{keys, start};

/// `hello, hello, hello`, compressed with gzip.
const GZIPPED: &[u8] = &[
    31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 203, 72, 205, 201, 201, 215, 81, 200, 64, 162, 0, 159, 161, 202, 9, 19, 0, 0, 0,
];

/// The content of the result of a tool whose upstream sends this response.
async fn content_of(response: MockResponse) -> Value {
    let fixture = start(Upstream::with_handler(move |_| response.clone())).await;
    fixture.create_tool(json!({})).await;
    let result = fixture.caller().call("tool", json!({})).await;
    assert_eq!(keys(&result), ["content"], "a bare caller gets nothing else: {result}");
    result["content"].clone()
}

async fn text_of(response: MockResponse) -> String {
    let content = content_of(response).await;
    let text = content[0]["text"].as_str().unwrap_or_else(|| panic!("the content has no text: {content}"));
    assert_eq!(content, json!([{"type": "text", "text": text}]));
    text.to_owned()
}

#[tokio::test]
async fn text_is_returned_unchanged() {
    let odd_text = "{ \"b\" :1,\r\n\t\"a\": 1.10e2, \"\u{e9}\\u00e9\": \"\u{1f600}\" }\u{0}\u{7f}\n";
    for content_type in
        ["application/json", "text/plain", "application/xml", "text/html; charset=UTF-8", "image/svg+xml"]
    {
        assert_eq!(text_of(MockResponse::bytes(content_type, odd_text)).await, odd_text, "{content_type}");
    }
    assert_eq!(text_of(MockResponse::text("x".repeat(100_000)).chunked()).await, "x".repeat(100_000));
    assert_eq!(text_of(MockResponse::status(201).body("no content type")).await, "no content type");
}

#[tokio::test]
async fn an_empty_response_is_an_empty_text() {
    for response in [
        MockResponse::status(204),
        MockResponse::status(200),
        MockResponse::bytes("image/png", ""),
        MockResponse::bytes("application/json", "").chunked(),
        MockResponse::bytes("text/plain", "").header("content-encoding", "gzip"),
    ] {
        assert_eq!(text_of(response).await, "");
    }
}

#[tokio::test]
async fn text_is_decoded_with_its_charset() {
    for (content_type, bytes, expected) in [
        ("text/plain; charset=iso-8859-1", &b"caf\xe9 \xa3"[..], "caf\u{e9} \u{a3}"),
        ("text/plain; charset=\"windows-1252\"", b"\x80 5", "\u{20ac} 5"),
        ("text/plain; charset=shift_jis", b"\x93\xfa\x96\x7b", "\u{65e5}\u{672c}"),
        ("application/json; charset=utf-16le", b"\xff\xfe\"\0a\0\"\0", "\"a\""),
        ("text/csv", b"\xef\xbb\xbfa;b", "a;b"),
        // An unknown charset falls back to UTF-8 instead of losing the text.
        ("text/plain; charset=us-ascii-art", "\u{e9}".as_bytes(), "\u{e9}"),
    ] {
        assert_eq!(text_of(MockResponse::bytes(content_type, bytes)).await, expected, "{content_type}");
    }
}

#[tokio::test]
async fn images_and_audio_are_separate_content_blocks() {
    for (content_type, block, mime) in [
        ("image/png", "image", "image/png"),
        ("Image/JPEG; q=1", "image", "image/jpeg"),
        ("audio/wav", "audio", "audio/wav"),
    ] {
        let content = content_of(MockResponse::bytes(content_type, &b"\x89PNG\xff\0"[..])).await;
        assert_eq!(content, json!([{"type": block, "data": "iVBOR/8A", "mimeType": mime}]), "{content_type}");
    }
}

#[tokio::test]
async fn other_binary_responses_are_data_urls() {
    for (content_type, mime) in [
        ("application/pdf", "application/pdf"),
        ("application/octet-stream", "application/octet-stream"),
        ("video/mp4", "video/mp4"),
        ("text/plain", "text/plain"),
        ("not a type\u{e9}", "application/octet-stream"),
    ] {
        let expected = format!("data:{mime};base64,iVBOR/8A");
        assert_eq!(text_of(MockResponse::bytes(content_type, &b"\x89PNG\xff\0"[..])).await, expected, "{content_type}");
    }
}

#[tokio::test]
async fn a_compressed_response_is_decompressed() {
    let response = MockResponse::bytes("text/plain", GZIPPED).header("content-encoding", "gzip");
    assert_eq!(text_of(response.clone()).await, "hello, hello, hello");
    assert_eq!(text_of(response.chunked()).await, "hello, hello, hello");
}

#[tokio::test]
async fn redirects_are_followed() {
    let upstream = Upstream::with_handler(|request| match request.path().trim_start_matches('/').parse::<u32>() {
        Ok(0) => MockResponse::text("arrived"),
        Ok(left) => MockResponse::status(302).header("location", &format!("/{}", left - 1)),
        Err(_) => MockResponse::status(404),
    });
    let fixture = start(upstream).await;
    fixture.create_tool(json!({"name": "five", "endpoint_url": "/5"})).await;
    fixture.create_tool(json!({"name": "six", "endpoint_url": "/6"})).await;
    assert_eq!(fixture.caller().text("five", json!({})).await, "arrived");
    let result = fixture.caller().call("six", json!({})).await;
    assert!(super::setup::failure_message(&result).contains("redirects the call"), "{result}");
}

#[tokio::test]
async fn a_redirect_without_location_and_content_fails_and_other_3xx_responses_do_not() {
    let upstream = Upstream::with_handler(|request| match request.path() {
        "/text" => MockResponse::text("Moved").with_status(302),
        "/multiple" => MockResponse::status(300).header("location", "/text"),
        path => MockResponse::status(path.trim_start_matches('/').parse().unwrap()),
    });
    let fixture = start(upstream).await;
    // A bare caller gets the empty body as it is.
    let caller = fixture.caller().modern();
    let create = async |name: &str, method: &str| {
        let fields = json!({"name": name, "http_method": method, "endpoint_url": format!("/{name}")});
        fixture.create_tool(fields).await;
    };
    for (name, method, advice) in [
        ("301", "GET", "Try once more. If it fails again, tell the user"),
        ("302", "PUT", "Try once more. If it fails again, tell the user"),
        ("303", "POST", "look before you repeat it"),
        ("307", "POST", "look before you repeat it"),
        ("308", "GET", "Try once more. If it fails again, tell the user"),
    ] {
        create(name, method).await;
        let result = caller.call(name, json!({})).await;
        assert_eq!(result["isError"], true, "{result}");
        let [message, shown_advice] = [0, 1].map(|block| result["content"][block]["text"].as_str().unwrap());
        assert!(message.contains(&format!("does not say where (HTTP {name})")), "{message}");
        assert!(shown_advice.contains(advice), "{name}: {shown_advice}");
    }
    let no_content = |status: u16| format!("Done (HTTP {status}, no content).");
    for (name, expected) in [
        ("300", no_content(300)),
        ("304", no_content(304)),
        ("305", no_content(305)),
        ("multiple", no_content(300)),
        ("text", "Moved".to_owned()),
    ] {
        create(name, "GET").await;
        assert_eq!(caller.text(name, json!({})).await, expected, "{name}");
    }
}

#[tokio::test]
async fn callers_of_every_revision_get_the_same_content() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::text("same"))).await;
    fixture.create_tool(json!({})).await;
    let caller = fixture.caller();
    let expected = json!([{"type": "text", "text": "same"}]);
    let content = async |caller: &McpClient| {
        let result = caller.call("tool", json!({})).await;
        assert!(result.get("isError").is_none(), "{result}");
        assert_eq!(result["content"], expected);
        keys(&result).join(" ")
    };
    assert_eq!(content(&caller).await, "content");
    assert_eq!(content(&caller.clone().legacy("2025-11-25").await).await, "content");
    assert_eq!(content(&caller.clone().modern()).await, "content resultType _meta");
}
