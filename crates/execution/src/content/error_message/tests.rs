//! Tests of the messages in error bodies.

use proptest::prelude::*;

use super::super::tests::response_with;
use super::*;

fn message_for(status: u16, content_type: &str, body: &str) -> ErrorMessage {
    let rename = |name: &str| (name == "due_date").then(|| "due".to_owned());
    read(&response_with(status, content_type, body.to_owned()), &rename)
}

fn text_for(body: &str) -> String {
    message_for(400, "application/json", body).text
}

#[test]
fn json_bodies_are_reduced_to_their_messages() {
    for (body, expected) in [
        (r#"{"message":"no ticket T-77"}"#, "no ticket T-77"),
        (r#"{"error":"bad token"}"#, "bad token"),
        (
            r#"{"error":{"message":"No such customer","code":"resource_missing","param":"id","type":"x"}}"#,
            "id: No such customer (resource_missing)",
        ),
        (
            r#"{"errors":[{"field":"due_date","message":"must not be in the past"},{"message":"b"}]}"#,
            "due must not be in the past; b",
        ),
        (
            r#"{"errors":{"due_date":["must not be in the past"],"name":["is too long"]}}"#,
            "due must not be in the past; name is too long",
        ),
        (r#"{"detail":[{"loc":["body","due_date"],"msg":"field required","type":"missing"}]}"#, "due field required"),
        (r#"{"detail":"Not authenticated"}"#, "Not authenticated"),
        (
            r#"{"title":"Out of credit","detail":"Your balance is 30.","status":403,"type":"https://a.example/x"}"#,
            "Your balance is 30",
        ),
        (
            r#"{"errors":[{"title":"Invalid","detail":"too short","source":{"pointer":"/data/attributes/due_date"}}]}"#,
            "due too short",
        ),
        (
            r#"{"error":"invalid_grant","error_description":"The code has expired."}"#,
            "The code has expired; invalid_grant",
        ),
        (r#"{"ok":false,"why":"closed"}"#, "ok: false; why: closed"),
        (r#"["first","second"]"#, "first; second"),
        ("{}", ""),
        (r#"{"message":"due_date is wrong"}"#, "due is wrong"),
    ] {
        assert_eq!(text_for(body), expected, "{body}");
    }
}

#[test]
fn stack_traces_statements_and_addresses_are_left_out() {
    for (content_type, body, expected) in [
        ("application/json", r#"{"message":"boom","stack":"Error: boom\n    at f (/srv/app/index.js:3:9)"}"#, "boom"),
        ("application/json", r#"{"error":"java.lang.NullPointerException: no such user"}"#, "no such user"),
        ("application/json", r#"{"message":"Failed. SELECT * FROM users WHERE id = 1"}"#, "Failed"),
        ("text/plain", "could not connect to 10.0.0.5:5432", "could not connect to"),
        ("text/plain", "Oops\n    at com.acme.Api.call(Api.java:12)\n    at b", "Oops"),
        (
            "text/plain",
            "Traceback (most recent call last):\n  File \"/app/x.py\", line 3\nValueError: due_date is wrong",
            "due is wrong",
        ),
        ("text/plain", "see http://internal.example/x for more", "see for more"),
        (
            "text/html",
            "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>",
            "502 Bad Gateway",
        ),
        (
            "",
            "<!DOCTYPE html><title>Sorry &amp; bye</title><h1 class=x>We are <b>down</b></h1>",
            "Sorry & bye: We are down",
        ),
    ] {
        let message = message_for(500, content_type, body);
        assert_eq!(message.text, expected, "{body}");
        let is_trace = ["stack", " at com", "Traceback", "<"].iter().any(|part| body.contains(part));
        assert_eq!(message.has_trace, is_trace, "{body}");
    }
    assert_eq!(
        message_for(502, "text/html", "<html><title>502 Bad Gateway</title>").text,
        "",
        "the status line says it"
    );
}

#[test]
fn xml_bodies_are_reduced_to_their_messages() {
    for (body, expected) in [
        (
            "<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>No key &amp; no bucket.</Message></Error>",
            "No key & no bucket (NoSuchKey)",
        ),
        (
            "<s:Fault><faultcode>s:Server</faultcode><faultstring>due_date is wrong</faultstring></s:Fault>",
            "due is wrong",
        ),
        ("<error><code>E17</code></error>", "E17"),
        ("<e><code><![CDATA[E18]]></code><message>\n <![CDATA[No ticket]]>\n</message></e>", "No ticket (E18)"),
        (
            "<e><message>A &amp; <![CDATA[2 < 3 &amp; 4 < 5]]> &amp; C</message><text>D</text></e>",
            "A & 2 < 3 &amp; 4 < 5 & C; D",
        ),
        ("<e><message><![CDATA[cut", "cut"),
        ("<message><![CDATA[]]></message>", ""),
        ("<a><message/><message></message></a>", ""),
    ] {
        let message = message_for(400, "application/xml", body);
        assert_eq!(message.text, expected, "{body}");
        assert!(!message.has_trace, "programs get the body");
    }
}

#[test]
fn the_message_of_a_huge_body_is_found() {
    let bulk = "x".repeat(200_000);
    let many = vec![r#"{"id":1}"#; 50_000].join(",");
    for body in [
        format!(r#"{{"data":"{bulk}","error":{{"message":"Too many"}}}}"#),
        format!(r#"{{"data":[{many}],"message":"Too many"}}"#),
        format!(r#"{{"message":"Too many","data":[{many}]}}"#),
    ] {
        assert_eq!(text_for(&body), "Too many");
    }
}

#[test]
fn plain_texts_stay_as_they_are() {
    for body in [
        "no such city",
        "at least one city is needed",
        "Kim's ticket (T-77) is closed; ask for T-78.",
        "1 < 2 and 3 > 2",
    ] {
        let message = message_for(404, "text/plain", body);
        assert_eq!(
            (message.text.trim_end_matches('.'), message.has_trace),
            (body.trim_end_matches('.'), false),
            "{body}"
        );
    }
}

#[test]
fn long_texts_are_cut() {
    for body in
        ["x".repeat(5000), "word ".repeat(2000), "€".repeat(2000), format!(r#"{{"message":"{}"}}"#, "ab ".repeat(900))]
    {
        let text = message_for(400, "", &body).text;
        assert!(text.len() <= BYTES_MAX + 3 && estimate(&text) <= TOKENS_MAX + 1 && text.ends_with('…'), "{text}");
    }
}

proptest! {
    #[test]
    fn every_body_has_a_short_message(body in r#"([{}\[\]":,<>/a-f .\\\né-]|message|errors|<title>|</title>|select | from ){0,60}"#) {
        for content_type in ["application/json", "text/html", "text/plain"] {
            prop_assert!(message_for(400, content_type, &body).text.len() <= BYTES_MAX + 3);
        }
    }
}
