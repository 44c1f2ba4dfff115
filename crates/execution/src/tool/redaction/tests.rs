//! Tests of masked secrets, in the stored copy of a call and in its response.

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use toolgate_domain::upstream_auth::KeyLocation;
use toolgate_testkit::secrets::find_secret;

use super::super::tests::TestTool;
use super::*;

const NO_LIMIT: usize = 100_000;

fn test_tool() -> TestTool {
    let password = json!({"type": "string", "format": "password"});
    let schema = json!({"properties": {"user": {}, "password": password, "n": {"x-secret": true}}});
    TestTool::new("GET", "https://api.example/").schema(&schema)
}

fn capture(tool: &TestTool, arguments: &str, response: &str, max_bytes: usize) -> CapturedPayload {
    let call_text = CallText { arguments: Some(arguments), response, tokens: &[] };
    tool.compile().capture(call_text, max_bytes)
}

/// The stored response of a call without arguments.
fn captured_response(tool: &TestTool, response: &str) -> String {
    capture(tool, "{}", response, NO_LIMIT).response
}

fn bearer(token: &str) -> TestTool {
    test_tool().credentials(Credentials::Bearer { token: token.into() })
}

#[test]
fn without_secrets_everything_is_stored_unchanged() {
    let plain = TestTool::new("GET", "https://api.example/");
    let payload = capture(&plain, r#"{ "user": "a%2Fb \u00e9" }"#, "fine \\ % + \"x\"", NO_LIMIT);
    assert_eq!(payload.arguments, r#"{ "user": "a%2Fb \u00e9" }"#);
    assert_eq!(payload.response, "fine \\ % + \"x\"");
    let without_texts =
        test_tool().compile().capture(CallText { arguments: None, response: "", tokens: &[] }, NO_LIMIT);
    assert_eq!(without_texts, CapturedPayload { arguments: "{}".into(), response: String::new() });
}

#[test]
fn declared_secrets_are_masked_in_arguments_and_response() {
    let arguments = r#"{"user":"hunter22","password":"hunter22","n":1234}"#;
    let payload = capture(&test_tool(), arguments, r#"no hunter22 at 1234, "aHVudGVyMjI=""#, NO_LIMIT);
    assert_eq!(payload.arguments, r#"{"user":"********","password":"********","n":"********"}"#);
    assert_eq!(payload.response, r#"no ******** at ********, "********""#);
}

#[test]
fn short_secrets_are_masked_only_as_whole_values() {
    let arguments = r#"{"password":"abc","n":7,"user":"abc"}"#;
    let payload = capture(
        &test_tool(),
        arguments,
        r#"{"abc":"abc","cab":"abcd","list":[7, 17,"7"],"text":"{\"a\":\"abc\"}"}"#,
        NO_LIMIT,
    );
    assert_eq!(payload.arguments, r#"{"password":"********","n":"********","user":"********"}"#);
    let expected = r#"{"abc":"********","cab":"abcd","list":[********, 17,"********"],"text":"{\"a\":\"********\"}"}"#;
    assert_eq!(payload.response, expected);
    assert_eq!(capture(&test_tool(), r#"{"password":"abc"}"#, " abc\n", NO_LIMIT).response, " ********\n");
}

#[test]
fn every_part_of_a_credential_is_masked() {
    let basic = test_tool().credentials(Credentials::Basic { username: "user-1".into(), password: "pa:ss".into() });
    let encoded_pair = STANDARD.encode("user-1:pa:ss");
    assert_eq!(
        captured_response(&basic, &format!("Basic {encoded_pair}, user-1, pa:ss")),
        "Basic ********, ********, ********"
    );
    let location = KeyLocation::Query;
    let key = Credentials::ApiKey { key_name: "key".into(), key_value: "a b/c".into(), key_location: location };
    let key = test_tool().credentials(key);
    assert_eq!(captured_response(&key, "/?key=a%20b%2Fc&x=a+b%2fc a b/c"), "/?key=********&x=******** ********");
    let client = Credentials::OAuth2 {
        token_url: "https://issuer.example/".into(),
        client_id: "id".into(),
        client_secret: "s3cr3t".into(),
        scope: None,
    };
    let client = test_tool().credentials(client).compile();
    let call_text = CallText {
        arguments: None,
        response: "s3cr3t, first1 and t0ken!",
        tokens: &["first1".into(), "t0ken!".into()],
    };
    assert_eq!(client.capture(call_text, NO_LIMIT).response, "********, ******** and ********");
    let headers =
        test_tool().secret_header("Authorization", "Bearer abcdefgh1").secret_header("Cookie", "sid=12345678; x=dark");
    assert_eq!(captured_response(&headers, "abcdefgh1 12345678 dark"), "******** ******** dark");
    assert_eq!(captured_response(&headers, "sid=12345678; x=dark"), "********");
    for scheme in ["Basic", "basic "] {
        let headers =
            test_tool().secret_header("Authorization", &format!("{scheme} {}", STANDARD.encode("user-1:pa:ss")));
        assert_eq!(captured_response(&headers, "pa:ss of user-1, user-1:pa:ss"), "******** of ********, ********");
    }
}

#[test]
fn a_secret_is_found_in_every_common_encoding() {
    let secret = "s\"3\\c/r?t é";
    let tool = bearer(secret);
    let quoted = serde_json::to_string(secret).unwrap();
    for encoded in [
        secret.to_owned(),
        quoted.clone(),
        serde_json::to_string(&quoted).unwrap(),
        r"s\u00223\\c\/r?t \u00E9".to_owned(),
        utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string(),
        form_urlencoded::byte_serialize(secret.as_bytes()).collect(),
        STANDARD.encode(format!("u:{secret}")),
        URL_SAFE_NO_PAD.encode(secret),
    ] {
        let response = format!("before {encoded} after");
        let captured = captured_response(&tool, &response);
        assert!(
            captured.contains("********") && captured.starts_with("before ") && captured.ends_with(" after"),
            "{encoded}: {captured}"
        );
        assert_eq!(find_secret(captured.as_bytes(), secret), None, "{captured}");
        assert!(!captured.contains("s\\\"3") && !captured.contains("u00223"), "{captured}");
    }
}

#[test]
fn a_secret_is_found_without_the_spaces_that_headers_trim() {
    let payload =
        capture(&test_tool(), r#"{"password":" \thunter22 "}"#, "you sent <hunter22>, < \thunter22 >", NO_LIMIT);
    assert_eq!(payload.response, "you sent <********>, <********>");
    assert_eq!(captured_response(&bearer(" t0ken! "), "<t0ken!>"), "<********>");
}

#[test]
fn a_long_text_is_truncated_between_characters_with_a_note() {
    let payload = capture(&test_tool(), r#"{"user":"ééé"}"#, "0123456789", 10);
    assert_eq!(payload.arguments, "{\"user\":\"… [truncated, 17 bytes in total]");
    assert_eq!(payload.response, "0123456789");
    assert_eq!(capture(&test_tool(), "{}", "0123456789a", 10).response, "0123456789… [truncated, 11 bytes in total]");
}

#[test]
fn no_secret_is_truncated_in_the_middle() {
    let tool = bearer("0123456789abcdef");
    for max_bytes in 1..40 {
        let captured =
            capture(&tool, "{}", &format!("{}0123456789abcdef{}", "x".repeat(10), "y".repeat(300)), max_bytes);
        let (text, _) = captured.response.split_once('…').unwrap();
        let expected = format!("xxxxxxxxxx********{}", "y".repeat(300));
        assert_eq!(text, expected.get(..max_bytes).unwrap());
    }
    // The text may already be truncated within a secret: only the beginning of an upstream error reaches this function.
    assert_eq!(captured_response(&tool, "HTTP 400: 0123456789a"), "HTTP 400: ********");
    assert_eq!(captured_response(&tool, "HTTP 400: 012"), "HTTP 400: 012");
}

#[test]
fn a_call_whose_secrets_exceed_the_limits_is_masked_as_a_whole() {
    let numbers = format!(r#"{{"n":[{}]}}"#, vec!["1"; 300].join(","));
    let payload = capture(&test_tool(), &numbers, "1", NO_LIMIT);
    assert_eq!(payload, CapturedPayload { arguments: "\"********\"".into(), response: MASK.into() });
    assert_eq!(captured_response(&bearer("aaaa"), &"a".repeat(50_000)), MASK);
}

#[test]
fn the_work_is_bounded_for_secrets_of_any_length() {
    let fully_masked = CapturedPayload { arguments: "\"********\"".into(), response: MASK.into() };
    // The longest arguments that a client may send, where each position of the response nearly matches the secret.
    let secret = format!("{}b", "a".repeat(4 << 20));
    let arguments = json!({"password": secret}).to_string();
    assert_eq!(capture(&test_tool(), &arguments, &"a".repeat(4 << 20), 64 << 10), fully_masked);
    // The same from the owner of a tool, in one header or many, and from the issuer of its tokens.
    let headers = (0..100).fold(test_tool(), |tool, n| tool.secret_header(&format!("X-{n}"), &"a".repeat(1 << 10)));
    assert_eq!(capture(&headers, "{}", "aaaa", NO_LIMIT), fully_masked);
    let parts = test_tool().secret_header("Cookie", &"abcdefgh;".repeat(300));
    assert_eq!(capture(&parts, "{}", "abcdefgh", NO_LIMIT), fully_masked);
    let tokens = ["a".repeat(1 << 20).into()];
    let without_response =
        test_tool().compile().capture(CallText { arguments: None, response: "", tokens: &tokens }, NO_LIMIT);
    assert_eq!(without_response, CapturedPayload { arguments: "{}".into(), response: String::new() });
}

#[test]
fn debug_shows_no_secret() {
    let tool = bearer("s3cr3t-token").secret_header("X-Key", "s3cr3t-key").compile();
    tool.capture(CallText { arguments: None, response: "x", tokens: &[] }, 10);
    let shown = format!("{tool:?}");
    assert!(shown.contains("Needles") && !shown.contains("s3cr3t"), "{shown}");
    assert_eq!(find_secret(shown.as_bytes(), "s3cr3t-token"), None);
}

fn text_response(content_type: &'static str, body: impl Into<Bytes>) -> Arc<UpstreamResponse> {
    let headers = [(CONTENT_TYPE, HeaderValue::from_static(content_type))].into_iter().collect();
    Arc::new(UpstreamResponse { status: StatusCode::OK, headers, body: body.into(), sent_tokens: Vec::new() })
}

/// The body of a response as the client receives it.
fn masked(tool: &TestTool, arguments: &str, body: &str) -> String {
    let tool = tool.compile();
    let response =
        tool.mask_response(&tool.validate(Some(arguments)).unwrap(), text_response("text/plain", body.to_owned()));
    String::from_utf8(response.body.to_vec()).unwrap()
}

#[test]
fn a_response_without_secrets_is_not_copied() {
    for (tool, body) in [(bearer("s3cr3t-token"), "a%2Fb \\n + s3cr3t token"), (test_tool(), "anything at all")] {
        let (tool, response) = (tool.compile(), text_response("text/plain", body));
        let masked = tool.mask_response(&tool.validate(None).unwrap(), Arc::clone(&response));
        assert!(Arc::ptr_eq(&masked, &response), "{body}");
    }
}

#[test]
fn the_secrets_of_a_call_are_masked_in_its_response() {
    let tool = bearer("s3cr3t-token").secret_header("X-Key", "Application k3y-12345678");
    let echo =
        r#"{"authorization":"Bearer s3cr3t-token","x-key":"k3y-12345678","n":"Application","password":"hunter22"}"#;
    assert_eq!(
        masked(&tool, r#"{"password":"hunter22"}"#, echo),
        r#"{"authorization":"Bearer ********","x-key":"********","n":"Application","password":"********"}"#
    );
    let compiled = test_tool().compile();
    let response = UpstreamResponse {
        sent_tokens: vec!["t0ken-abc".into()],
        ..(*text_response("text/plain", "t0ken-abc")).clone()
    };
    let response = compiled.mask_response(&compiled.validate(None).unwrap(), Arc::new(response));
    assert_eq!(response.body, MASK);
}

#[test]
fn a_user_name_is_masked_in_a_response_only_if_it_may_be_a_token() {
    let basic = |username: &str, password: &str| {
        test_tool().credentials(Credentials::Basic { username: username.into(), password: password.into() })
    };
    let pair = STANDARD.encode("admin:pa55word");
    assert_eq!(masked(&basic("admin", "pa55word"), "{}", &format!("admin pa55word {pair}")), "admin ******** ********");
    assert_eq!(masked(&basic("admin123", ""), "{}", "admin123"), MASK);
    let token = basic("4f9c2b71d0aa4f9c2b71d0aa", "api_token");
    assert_eq!(masked(&token, "{}", "4f9c2b71d0aa4f9c2b71d0aa api_token"), "******** api_token");
}

#[test]
fn a_short_secret_is_masked_only_as_a_whole_word_and_a_masked_number_becomes_a_json_string() {
    let key = |value: &str| bearer(value);
    assert_eq!(
        masked(&key("demo"), "{}", r#"{"key":"demo","x":"democracy","n":"ZGVtbw"}"#),
        r#"{"key":"********","x":"democracy","n":"ZGVtbw"}"#
    );
    assert_eq!(
        masked(&key("12345678"), "{}", r#"{"id":12345678,"n":[5123456789]}"#),
        r#"{"id":"********","n":["********"]}"#
    );
}

#[test]
fn secrets_are_masked_in_other_charsets_and_binary_data() {
    let tool = bearer("s3cr3t-token").compile();
    let utf16: Vec<u8> = "\u{FEFF}key s3cr3t-token".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let arguments = tool.validate(None).unwrap();
    let response = tool.mask_response(&arguments, text_response("text/plain; charset=utf-16le", utf16));
    assert_eq!(
        (&*response.body, &response.headers[CONTENT_TYPE]),
        (&b"key ********"[..], &HeaderValue::from_static("text/plain; charset=utf-8"))
    );
    let binary = [&b"\xff\x00"[..], b"s3cr3t-token"].concat();
    let response = tool.mask_response(&arguments, text_response("application/octet-stream", binary));
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    assert_eq!((&*response.body, &response.headers[CONTENT_TYPE]), (MASK.as_bytes(), &text));
    let image = text_response("image/png", &b"s3cr3t-token"[..]);
    assert!(Arc::ptr_eq(&tool.mask_response(&arguments, Arc::clone(&image)), &image));
}

#[test]
fn adjacent_secrets_are_masked_even_if_the_end_of_one_and_the_start_of_the_next_look_like_an_escape() {
    let echo = "<41=+B+0%41%3D%2BB%2B0%25>";
    assert_eq!(masked(&bearer("41=+B+0%"), "{}", echo), "<********>");
    assert_eq!(captured_response(&bearer("41=+B+0%"), echo), "<********>");
}

#[test]
fn a_secret_is_masked_at_every_position_of_a_large_response() {
    let tool = bearer("s3cr3t-token").compile();
    for position in [0, 65_530, 65_536, 131_071, 200_000] {
        let body = format!("{}%73%33cr3t-token{}", "x".repeat(position), "y".repeat(200_000 - position));
        let response = tool.mask_response(&tool.validate(None).unwrap(), text_response("text/plain", body));
        let expected = format!("{}********{}", "x".repeat(position), "y".repeat(200_000 - position));
        assert!(response.body == expected, "{position}");
    }
}

/// A secret in one of the encodings; `around` surrounds it in base64.
fn encode_secret(secret: &str, encoding: usize, around: &str) -> String {
    let quoted = serde_json::to_string(secret).unwrap();
    match encoding {
        0 => secret.to_owned(),
        1 => quoted,
        2 => serde_json::to_string(&quoted).unwrap(),
        3 => utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string(),
        4 => form_urlencoded::byte_serialize(secret.as_bytes()).collect(),
        5 => STANDARD.encode(format!("{around}{secret}{around}")),
        _ => URL_SAFE_NO_PAD.encode(format!("{around}{secret}")),
    }
}

/// A secret that shares no character with the mask and the note about truncation.
fn secret() -> impl Strategy<Value = String> {
    r#"[A-Z"\\/%+éß&=#]{4,24}"#
}

proptest! {
    #[test]
    fn no_secret_survives_in_any_context_and_at_any_length_limit(
        secrets in vec(secret(), 1..4),
        pieces in vec((0..4_usize, 0..7_usize, "[a-z :,{}]{0,9}", "[a-z]{0,5}"), 1..20),
        max_bytes in 1..600_usize,
    ) {
        let mut tool = bearer(&secrets[0]);
        for (index, secret) in secrets.iter().enumerate().skip(1) {
            tool = tool.secret_header(&format!("X-Key-{index}"), secret);
        }
        let call_text = pieces.iter().flat_map(|(which, encoding, before, around)| {
            [before.clone(), encode_secret(&secrets[which % secrets.len()], *encoding, around)]
        });
        let text: String = call_text.collect();
        let arguments = json!({"user": text}).to_string();
        let payload = capture(&tool, &arguments, &text, max_bytes);
        for secret in &secrets {
            for captured in [&payload.arguments, &payload.response] {
                prop_assert!(!captured.contains(secret.as_str()), "{secret} is in {captured}");
                prop_assert!(find_secret(captured.as_bytes(), secret).is_none(), "{secret} is in {captured}");
                let unescaped = captured.replace("\\\"", "\"").replace("\\\\", "\\");
                prop_assert!(!unescaped.contains(secret.as_str()), "{secret} is in {captured}");
            }
        }
    }

    #[test]
    fn no_secret_survives_in_a_response_and_json_stays_json(
        secret in r#"[A-Z0-9"\\/%+éß&=#]{8,24}"#,
        pieces in vec((0..7_usize, "[a-z :,{}]{0,9}", "[a-z]{0,5}"), 1..20),
    ) {
        let pieces = pieces.iter().flat_map(|(encoding, before, around)| {
            [before.clone(), encode_secret(&secret, *encoding, around)]
        });
        let text: String = pieces.collect();
        let body = json!({"text": text, "list": [secret, 1]}).to_string();
        let response = masked(&bearer(&secret), "{}", &body);
        prop_assert!(find_secret(response.as_bytes(), &secret).is_none(), "{secret} is in {response}");
        prop_assert!(!response.replace("\\\"", "\"").replace("\\\\", "\\").contains(secret.as_str()), "{response}");
        prop_assert!(serde_json::from_str::<serde_json::Value>(&response).is_ok(), "{response}");
    }

    #[test]
    fn text_without_secrets_is_stored_unchanged(text in "[a-z0-9 %+\\\\]{0,200}", max_bytes in 1..300_usize) {
        let captured = capture(&bearer("SECRET"), "{}", &text, max_bytes).response;
        match captured.split_once('…') {
            None => prop_assert_eq!(captured, text),
            Some((head, _)) => prop_assert!(head.len() == max_bytes && text.starts_with(head)),
        }
    }

    #[test]
    fn any_text_can_be_redacted(text in any::<String>(), secret in any::<String>(), max_bytes in 1..100_usize) {
        let captured = capture(&test_tool(), &json!({"password": secret}).to_string(), &text, max_bytes);
        // The note about truncation has fewer than 40 bytes.
        prop_assert!(captured.response.len() <= max_bytes + 40);
    }
}
