//! What an upstream answers, as callers get it.

use serde_json::{Value, json};
use toolgate_testkit::{Answer, Mcp, Upstream};

use super::setup::{Stage, keys};

/// `hello, hello, hello` as gzip has it.
const GZIPPED: &[u8] = &[
    31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 203, 72, 205, 201, 201, 215, 81, 200, 64, 162, 0, 159, 161, 202, 9, 19, 0, 0, 0,
];

/// The result of a tool at an upstream that answers so.
async fn result(answer: Answer) -> Value {
    let stage = Stage::new(Upstream::answering(move |_| answer.clone())).await;
    stage.tool(json!({})).await;
    let result = stage.caller().call("tool", json!({})).await;
    assert_eq!(keys(&result), ["content"], "a bare caller gets nothing else: {result}");
    result["content"].clone()
}

async fn text(answer: Answer) -> String {
    let content = result(answer).await;
    let text = content[0]["text"].as_str().unwrap_or_else(|| panic!("no text: {content}"));
    assert_eq!(content, json!([{"type": "text", "text": text}]));
    text.to_owned()
}

#[tokio::test]
async fn text_is_passed_on_as_it_came() {
    let odd = "{ \"b\" :1,\r\n\t\"a\": 1.10e2, \"\u{e9}\\u00e9\": \"\u{1f600}\" }\u{0}\u{7f}\n";
    for kind in ["application/json", "text/plain", "application/xml", "text/html; charset=UTF-8", "image/svg+xml"] {
        assert_eq!(text(Answer::bytes(kind, odd)).await, odd, "{kind}");
    }
    assert_eq!(text(Answer::text("x".repeat(100_000)).chunked()).await, "x".repeat(100_000));
    assert_eq!(text(Answer::status(201).body("no type at all")).await, "no type at all");
}

#[tokio::test]
async fn an_empty_answer_is_an_empty_text() {
    for answer in [
        Answer::status(204),
        Answer::status(200),
        Answer::bytes("image/png", ""),
        Answer::bytes("application/json", "").chunked(),
        Answer::bytes("text/plain", "").header("content-encoding", "gzip"),
    ] {
        assert_eq!(text(answer).await, "");
    }
}

#[tokio::test]
async fn text_is_read_in_its_own_charset() {
    for (kind, bytes, expected) in [
        ("text/plain; charset=iso-8859-1", &b"caf\xe9 \xa3"[..], "caf\u{e9} \u{a3}"),
        ("text/plain; charset=\"windows-1252\"", b"\x80 5", "\u{20ac} 5"),
        ("text/plain; charset=shift_jis", b"\x93\xfa\x96\x7b", "\u{65e5}\u{672c}"),
        ("application/json; charset=utf-16le", b"\xff\xfe\"\0a\0\"\0", "\"a\""),
        ("text/csv", b"\xef\xbb\xbfa;b", "a;b"),
        // A charset that is wrong does less harm than text that is lost.
        ("text/plain; charset=us-ascii-art", "\u{e9}".as_bytes(), "\u{e9}"),
    ] {
        assert_eq!(text(Answer::bytes(kind, bytes)).await, expected, "{kind}");
    }
}

#[tokio::test]
async fn pictures_and_sound_are_blocks_of_their_own() {
    for (kind, block, mime) in [
        ("image/png", "image", "image/png"),
        ("Image/JPEG; q=1", "image", "image/jpeg"),
        ("audio/wav", "audio", "audio/wav"),
    ] {
        let content = result(Answer::bytes(kind, &b"\x89PNG\xff\0"[..])).await;
        assert_eq!(content, json!([{"type": block, "data": "iVBOR/8A", "mimeType": mime}]), "{kind}");
    }
}

#[tokio::test]
async fn other_binary_answers_are_data_urls() {
    for (kind, mime) in [
        ("application/pdf", "application/pdf"),
        ("application/octet-stream", "application/octet-stream"),
        ("video/mp4", "video/mp4"),
        ("text/plain", "text/plain"),
        ("not a type\u{e9}", "application/octet-stream"),
    ] {
        let expected = format!("data:{mime};base64,iVBOR/8A");
        assert_eq!(text(Answer::bytes(kind, &b"\x89PNG\xff\0"[..])).await, expected, "{kind}");
    }
}

#[tokio::test]
async fn a_compressed_answer_is_unpacked() {
    let answer = Answer::bytes("text/plain", GZIPPED).header("content-encoding", "gzip");
    assert_eq!(text(answer.clone()).await, "hello, hello, hello");
    assert_eq!(text(answer.chunked()).await, "hello, hello, hello");
}

#[tokio::test]
async fn redirects_are_followed_to_the_answer() {
    let upstream = Upstream::answering(|request| match request.path().trim_start_matches('/').parse::<u32>() {
        Ok(0) => Answer::text("arrived"),
        Ok(left) => Answer::status(302).header("location", &format!("/{}", left - 1)),
        Err(_) => Answer::status(404),
    });
    let stage = Stage::new(upstream).await;
    stage.tool(json!({"name": "five", "endpoint_url": "/5"})).await;
    stage.tool(json!({"name": "six", "endpoint_url": "/6"})).await;
    assert_eq!(stage.caller().text("five", json!({})).await, "arrived");
    let result = stage.caller().call("six", json!({})).await;
    assert!(super::setup::failure(&result).contains("redirected more than 5 times"), "{result}");
}

#[tokio::test]
async fn each_generation_of_caller_gets_the_same_content() {
    let stage = Stage::new(Upstream::answering(|_| Answer::text("same"))).await;
    stage.tool(json!({})).await;
    let caller = stage.caller();
    let expected = json!([{"type": "text", "text": "same"}]);
    let content = async |caller: &Mcp| {
        let result = caller.call("tool", json!({})).await;
        assert!(result.get("isError").is_none(), "{result}");
        assert_eq!(result["content"], expected);
        keys(&result).join(" ")
    };
    assert_eq!(content(&caller).await, "content");
    assert_eq!(content(&caller.clone().legacy("2025-11-25").await).await, "content");
    assert_eq!(content(&caller.clone().modern()).await, "content resultType _meta");
}
