//! What is kept of a call, and what never is.

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use toolgate_domain::upstream_auth::KeyLocation;
use toolgate_testkit::secrets::find_secret;

use super::super::tests::Sketch;
use super::*;

const ENOUGH: usize = 100_000;

fn sketch() -> Sketch {
    let password = json!({"type": "string", "format": "password"});
    let schema = json!({"properties": {"user": {}, "password": password, "n": {"x-secret": true}}});
    Sketch::new("GET", "https://api.example/").schema(&schema)
}

fn capture(sketch: &Sketch, arguments: &str, answer: &str, max_bytes: usize) -> Captured {
    let said = Said { arguments: Some(arguments), answer, tokens: &[] };
    sketch.compile().captured(said, max_bytes)
}

/// What is kept of an answer to a call without arguments.
fn kept(sketch: &Sketch, answer: &str) -> String {
    capture(sketch, "{}", answer, ENOUGH).response
}

fn bearer(token: &str) -> Sketch {
    sketch().credentials(Credentials::Bearer { token: token.into() })
}

#[test]
fn without_secrets_all_is_kept_as_it_was_said() {
    let plain = Sketch::new("GET", "https://api.example/");
    let all = capture(&plain, r#"{ "user": "a%2Fb \u00e9" }"#, "fine \\ % + \"x\"", ENOUGH);
    assert_eq!(all.arguments, r#"{ "user": "a%2Fb \u00e9" }"#);
    assert_eq!(all.response, "fine \\ % + \"x\"");
    let none = sketch().compile().captured(Said { arguments: None, answer: "", tokens: &[] }, ENOUGH);
    assert_eq!(none, Captured { arguments: "{}".into(), response: String::new() });
}

#[test]
fn declared_secrets_are_masked_in_arguments_and_answer() {
    let arguments = r#"{"user":"hunter22","password":"hunter22","n":1234}"#;
    let all = capture(&sketch(), arguments, r#"no hunter22 at 1234, "aHVudGVyMjI=""#, ENOUGH);
    assert_eq!(all.arguments, r#"{"user":"********","password":"********","n":"********"}"#);
    assert_eq!(all.response, r#"no ******** at ********, "********""#);
}

#[test]
fn short_secrets_are_masked_where_they_are_a_whole_value() {
    let arguments = r#"{"password":"abc","n":7,"user":"abc"}"#;
    let all = capture(
        &sketch(),
        arguments,
        r#"{"abc":"abc","cab":"abcd","list":[7, 17,"7"],"text":"{\"a\":\"abc\"}"}"#,
        ENOUGH,
    );
    assert_eq!(all.arguments, r#"{"password":"********","n":"********","user":"********"}"#);
    let expected = r#"{"abc":"********","cab":"abcd","list":[********, 17,"********"],"text":"{\"a\":\"********\"}"}"#;
    assert_eq!(all.response, expected);
    assert_eq!(capture(&sketch(), r#"{"password":"abc"}"#, " abc\n", ENOUGH).response, " ********\n");
}

#[test]
fn every_part_of_a_credential_is_masked() {
    let basic = sketch().credentials(Credentials::Basic { username: "user-1".into(), password: "pa:ss".into() });
    let sent = STANDARD.encode("user-1:pa:ss");
    assert_eq!(kept(&basic, &format!("Basic {sent}, user-1, pa:ss")), "Basic ********, ********, ********");
    let location = KeyLocation::Query;
    let key = Credentials::ApiKey { key_name: "key".into(), key_value: "a b/c".into(), key_location: location };
    let key = sketch().credentials(key);
    assert_eq!(kept(&key, "/?key=a%20b%2Fc&x=a+b%2fc a b/c"), "/?key=********&x=******** ********");
    let client = Credentials::OAuth2 {
        token_url: "https://issuer.example/".into(),
        client_id: "id".into(),
        client_secret: "s3cr3t".into(),
        scope: None,
    };
    let client = sketch().credentials(client).compile();
    let said =
        Said { arguments: None, answer: "s3cr3t, first1 and t0ken!", tokens: &["first1".into(), "t0ken!".into()] };
    assert_eq!(client.captured(said, ENOUGH).response, "********, ******** and ********");
    let headers =
        sketch().secret_header("Authorization", "Bearer abcdefgh1").secret_header("Cookie", "sid=12345678; x=dark");
    assert_eq!(kept(&headers, "abcdefgh1 12345678 dark"), "******** ******** dark");
    assert_eq!(kept(&headers, "sid=12345678; x=dark"), "********");
    for scheme in ["Basic", "basic "] {
        let headers = sketch().secret_header("Authorization", &format!("{scheme} {}", STANDARD.encode("user-1:pa:ss")));
        assert_eq!(kept(&headers, "pa:ss of user-1, user-1:pa:ss"), "******** of ********, ********");
    }
}

#[test]
fn a_secret_is_found_in_every_usual_spelling() {
    let secret = "s\"3\\c/r?t é";
    let tool = bearer(secret);
    let quoted = serde_json::to_string(secret).unwrap();
    for spelled in [
        secret.to_owned(),
        quoted.clone(),
        serde_json::to_string(&quoted).unwrap(),
        r"s\u00223\\c\/r?t \u00E9".to_owned(),
        utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string(),
        form_urlencoded::byte_serialize(secret.as_bytes()).collect(),
        STANDARD.encode(format!("u:{secret}")),
        URL_SAFE_NO_PAD.encode(secret),
    ] {
        let answer = format!("before {spelled} after");
        let kept = kept(&tool, &answer);
        assert!(
            kept.contains("********") && kept.starts_with("before ") && kept.ends_with(" after"),
            "{spelled}: {kept}"
        );
        assert_eq!(find_secret(kept.as_bytes(), secret), None, "{kept}");
        assert!(!kept.contains("s\\\"3") && !kept.contains("u00223"), "{kept}");
    }
}

#[test]
fn a_secret_is_found_without_the_spaces_at_its_ends_which_headers_lose() {
    let all = capture(&sketch(), r#"{"password":" \thunter22 "}"#, "you sent <hunter22>, < \thunter22 >", ENOUGH);
    assert_eq!(all.response, "you sent <********>, <********>");
    assert_eq!(kept(&bearer(" t0ken! "), "<t0ken!>"), "<********>");
}

#[test]
fn what_is_too_long_is_cut_between_characters_and_says_so() {
    let all = capture(&sketch(), r#"{"user":"ééé"}"#, "0123456789", 10);
    assert_eq!(all.arguments, "{\"user\":\"… [cut, 17 bytes in all]");
    assert_eq!(all.response, "0123456789");
    assert_eq!(capture(&sketch(), "{}", "0123456789a", 10).response, "0123456789… [cut, 11 bytes in all]");
}

#[test]
fn no_cut_goes_through_a_secret() {
    let tool = bearer("0123456789abcdef");
    for max_bytes in 1..40 {
        let kept = capture(&tool, "{}", &format!("{}0123456789abcdef{}", "x".repeat(10), "y".repeat(300)), max_bytes);
        let (text, _) = kept.response.split_once('…').unwrap();
        let expected = format!("xxxxxxxxxx********{}", "y".repeat(300));
        assert_eq!(text, expected.get(..max_bytes).unwrap());
    }
    // Nor one that was made before: of an upstream's error only the beginning is told.
    assert_eq!(kept(&tool, "HTTP 400: 0123456789a"), "HTTP 400: ********");
    assert_eq!(kept(&tool, "HTTP 400: 012"), "HTTP 400: 012");
}

#[test]
fn what_cannot_be_told_apart_is_not_kept() {
    let numbers = format!(r#"{{"n":[{}]}}"#, vec!["1"; 300].join(","));
    let all = capture(&sketch(), &numbers, "1", ENOUGH);
    assert_eq!(all, Captured { arguments: "\"********\"".into(), response: MASK.into() });
    assert_eq!(kept(&bearer("aaaa"), &"a".repeat(50_000)), MASK);
}

#[test]
fn however_long_secrets_are_the_work_is_bounded() {
    let nothing = Captured { arguments: "\"********\"".into(), response: MASK.into() };
    // As much as a client may send, made so that each place of the answer looks like the secret nearly to its end.
    let secret = format!("{}b", "a".repeat(4 << 20));
    let arguments = json!({"password": secret}).to_string();
    assert_eq!(capture(&sketch(), &arguments, &"a".repeat(4 << 20), 64 << 10), nothing);
    // The same by the owner of a tool, in one header or many, and by who issues its tokens.
    let headers = (0..100).fold(sketch(), |tool, n| tool.secret_header(&format!("X-{n}"), &"a".repeat(1 << 10)));
    assert_eq!(capture(&headers, "{}", "aaaa", ENOUGH), nothing);
    let parts = sketch().secret_header("Cookie", &"abcdefgh;".repeat(300));
    assert_eq!(capture(&parts, "{}", "abcdefgh", ENOUGH), nothing);
    let tokens = ["a".repeat(1 << 20).into()];
    let silent = sketch().compile().captured(Said { arguments: None, answer: "", tokens: &tokens }, ENOUGH);
    assert_eq!(silent, Captured { arguments: "{}".into(), response: String::new() });
}

#[test]
fn debug_shows_no_secret() {
    let tool = bearer("s3cr3t-token").secret_header("X-Key", "s3cr3t-key").compile();
    tool.captured(Said { arguments: None, answer: "x", tokens: &[] }, 10);
    let shown = format!("{tool:?}");
    assert!(shown.contains("Needles") && !shown.contains("s3cr3t"), "{shown}");
    assert_eq!(find_secret(shown.as_bytes(), "s3cr3t-token"), None);
}

/// One of the ways to spell a secret, and what surrounds it in base64.
fn spelled(secret: &str, way: usize, around: &str) -> String {
    let quoted = serde_json::to_string(secret).unwrap();
    match way {
        0 => secret.to_owned(),
        1 => quoted,
        2 => serde_json::to_string(&quoted).unwrap(),
        3 => utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string(),
        4 => form_urlencoded::byte_serialize(secret.as_bytes()).collect(),
        5 => STANDARD.encode(format!("{around}{secret}{around}")),
        _ => URL_SAFE_NO_PAD.encode(format!("{around}{secret}")),
    }
}

/// Secrets share no character with the mask and the remark on a cut.
fn secret() -> impl Strategy<Value = String> {
    r#"[A-Z"\\/%+éß&=#]{4,24}"#
}

proptest! {
    #[test]
    fn no_secret_survives_whatever_is_around_it_and_wherever_it_is_cut(
        secrets in vec(secret(), 1..4),
        pieces in vec((0..4_usize, 0..7_usize, "[a-z :,{}]{0,9}", "[a-z]{0,5}"), 1..20),
        max_bytes in 1..600_usize,
    ) {
        let mut tool = bearer(&secrets[0]);
        for (index, secret) in secrets.iter().enumerate().skip(1) {
            tool = tool.secret_header(&format!("X-Key-{index}"), secret);
        }
        let said = pieces.iter().flat_map(|(which, way, before, around)| {
            [before.clone(), spelled(&secrets[which % secrets.len()], *way, around)]
        });
        let text: String = said.collect();
        let arguments = json!({"user": text}).to_string();
        let all = capture(&tool, &arguments, &text, max_bytes);
        for secret in &secrets {
            for kept in [&all.arguments, &all.response] {
                prop_assert!(!kept.contains(secret.as_str()), "{secret} is in {kept}");
                prop_assert!(find_secret(kept.as_bytes(), secret).is_none(), "{secret} is in {kept}");
                let unescaped = kept.replace("\\\"", "\"").replace("\\\\", "\\");
                prop_assert!(!unescaped.contains(secret.as_str()), "{secret} is in {kept}");
            }
        }
    }

    #[test]
    fn what_is_no_secret_is_kept(text in "[a-z0-9 %+\\\\]{0,200}", max_bytes in 1..300_usize) {
        let kept = capture(&bearer("SECRET"), "{}", &text, max_bytes).response;
        match kept.split_once('…') {
            None => prop_assert_eq!(kept, text),
            Some((head, _)) => prop_assert!(head.len() == max_bytes && text.starts_with(head)),
        }
    }

    #[test]
    fn any_text_at_all_can_be_redacted(text in any::<String>(), secret in any::<String>(), max_bytes in 1..100_usize) {
        let kept = capture(&sketch(), &json!({"password": secret}).to_string(), &text, max_bytes);
        prop_assert!(kept.response.len() <= max_bytes + 40);
    }
}
