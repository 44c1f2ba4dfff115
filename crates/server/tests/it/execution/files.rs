//! Files, JSON and texts in multipart bodies, and files that are the whole body, as the upstream receives them.

use serde_json::{Value, json};
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::{failure_message, schema, start};

async fn fixture() -> ServiceFixture {
    start(Upstream::with_handler(|_| MockResponse::text("ok"))).await
}

/// Creates the tool `upload` with the arguments `file`, `meta` and `note`.
async fn create_upload(fixture: &ServiceFixture, body_type: &str, mapping: Value) -> i64 {
    fixture
        .create_tool(json!({"name": "upload", "http_method": "POST", "body_type": body_type,
            "input_schema": schema(json!({"file": {}, "meta": {}, "note": {}})), "parameter_mapping": mapping}))
        .await
}

/// The parts of a multipart body in alphabetical order, each without its boundary.
fn parts(received: &ReceivedRequest) -> Vec<String> {
    let content_type = received.header("content-type").unwrap();
    let boundary = content_type.strip_prefix("multipart/form-data; boundary=").unwrap();
    // Latin-1, because files may contain any byte.
    let text: String = received.body.iter().map(|byte| char::from(*byte)).collect();
    let mut parts: Vec<&str> = text.split(&format!("--{boundary}")).collect();
    assert_eq!((parts.remove(0), parts.pop()), ("", Some("--\r\n")), "{text}");
    let inner = |part: &str| part.strip_prefix("\r\n").unwrap().strip_suffix("\r\n").unwrap().to_owned();
    let mut parts: Vec<String> = parts.into_iter().map(inner).collect();
    parts.sort();
    parts
}

#[tokio::test]
async fn a_multipart_body_has_files_json_and_texts() {
    let fixture = fixture().await;
    let mapping = json!({
        "file": {"location": "body", "file": true, "headers": {"X-Part": "a b"}},
        "meta": {"location": "body", "style": "json"},
    });
    create_upload(&fixture, "multipart", mapping).await;
    let file = json!({"base64": "AP8NCi0t", "filename": "a \"b\" ü.png", "media_type": "image/png"});
    let arguments = json!({"file": file, "meta": {"k": [1, null]}, "note": "x\r\ny"});
    assert_eq!(fixture.caller().text("upload", arguments).await, "ok");
    let disposition = "Content-Disposition: form-data; name=";
    // The name is sent in UTF-8.
    let name = "\"file\"; filename=\"a %22b%22 \u{c3}\u{bc}.png\"";
    let expected = [
        format!("{disposition}{name}\r\nContent-Type: image/png\r\nX-Part: a b\r\n\r\n\0\u{ff}\r\n--"),
        format!("{disposition}\"meta\"\r\nContent-Type: application/json\r\n\r\n{{\"k\":[1,null]}}"),
        format!("{disposition}\"note\"\r\n\r\nx\r\ny"),
    ];
    assert_eq!(parts(&fixture.upstream.last()), expected);
}

#[tokio::test]
async fn types_and_names_of_files_have_defaults() {
    let fixture = fixture().await;
    let mapping = json!({
        "file": {"location": "body", "name": "doc", "file": true},
        "meta": {"location": "body", "file": true, "content_type": "text/csv"},
        "note": {"location": "body", "content_type": "application/json"},
    });
    create_upload(&fixture, "multipart", mapping).await;
    let received = async |arguments: Value| {
        fixture.caller().text("upload", arguments).await;
        parts(&fixture.upstream.last())
    };
    let part = |name: &str, filename: &str, content_type: &str, content: &str| {
        let names = format!("name=\"{name}\"; filename=\"{filename}\"");
        format!("Content-Disposition: form-data; {names}\r\nContent-Type: {content_type}\r\n\r\n{content}")
    };
    let files = json!({"file": [{"text": ""}, null, {"base64": "eA", "filename": "x"}]});
    let expected =
        [part("doc", "doc", "text/plain; charset=utf-8", ""), part("doc", "x", "application/octet-stream", "x")];
    assert_eq!(received(files).await, expected, "an empty file is a part, and so is each file of a list");
    assert_eq!(received(json!({"meta": {"text": "a,b"}})).await, [part("meta", "meta", "text/csv", "a,b")]);
    let given = json!({"meta": {"text": "a,b", "media_type": "text/plain"}});
    assert_eq!(received(given).await, [part("meta", "meta", "text/plain", "a,b")]);
    let object = "Content-Disposition: form-data; name=\"note\"\r\nContent-Type: application/json\r\n\r\n{\"a\":1}";
    assert_eq!(received(json!({"note": {"a": 1}})).await, [object]);
    assert_eq!(received(json!({"file": null})).await, [""; 0], "a file that is null is not sent");
}

#[tokio::test]
async fn a_file_can_be_the_whole_body() {
    let fixture = fixture().await;
    for (number, body_type) in ["raw", "json", "form", "multipart"].into_iter().enumerate() {
        for (header, file, content, content_type) in [
            (None, json!({"base64": "AP8="}), &[0_u8, 255][..], "application/octet-stream"),
            (None, json!({"text": "é"}), "é".as_bytes(), "text/plain; charset=utf-8"),
            (None, json!({"text": ""}), b"", "text/plain; charset=utf-8"),
            (Some("image/gif"), json!({"base64": "R0lG", "filename": "unused"}), b"GIF", "image/gif"),
            (Some("image/gif"), json!({"text": "x", "media_type": "image/png"}), b"x", "image/png"),
        ] {
            let name = format!("t{number}_{}", fixture.upstream.request_count());
            let headers = header.map_or(json!({}), |header| json!({"Content-Type": header}));
            let rule = json!({"location": "body", "whole": true, "file": true});
            let fields = json!({"name": name, "http_method": "PUT", "body_type": body_type, "headers": headers,
                "input_schema": schema(json!({"file": {}})), "parameter_mapping": {"file": rule}});
            fixture.create_tool(fields).await;
            fixture.caller().text(&name, json!({"file": file})).await;
            let received = fixture.upstream.last();
            assert_eq!(received.body, content, "{body_type} {file}");
            assert_eq!(received.header("content-type"), Some(content_type), "{body_type} {file}");
        }
        // Each body type sends seven requests, so this is the first tool of this type.
        let first_tool = format!("t{number}_{}", number * 7);
        fixture.caller().text(&first_tool, json!({"file": null})).await;
        assert_eq!(fixture.upstream.last().text(), "");
        fixture.caller().text(&first_tool, json!({})).await;
        assert_eq!(
            (fixture.upstream.last().text(), fixture.upstream.last().header("content-type")),
            (String::new(), None)
        );
    }
}

#[tokio::test]
async fn invalid_files_are_refused_before_anything_is_sent() {
    let fixture = fixture().await;
    let id = create_upload(&fixture, "multipart", json!({"file": {"location": "body", "file": true}})).await;
    for (file, message) in [
        (json!("text"), "must be a file"),
        (json!({"base64": "?"}), "base64 of the file is invalid"),
        (json!({"base64": "eA==", "text": "x"}), "both text and base64"),
        (json!({"filename": "x"}), "neither text nor base64"),
        (json!({"text": "", "filename": "a\r\nX-Evil: 1"}), "filename of the file"),
        (json!({"text": "", "filename": "a\nb"}), "filename of the file"),
        (json!({"text": "", "media_type": "a/b\r\nX-Evil: 1"}), "media_type of the file"),
        (json!({"text": "", "media_type": "a/b; c=\"d\r\n\""}), "media_type of the file"),
        (json!({"text": "", "media_type": "a/b; c=\"d\"e\""}), "media_type of the file"),
        (json!([{"text": "x"}, {}]), "neither text nor base64"),
    ] {
        let result = fixture.caller().call("upload", json!({"file": file})).await;
        let text = failure_message(&result);
        assert!(text.contains("\"file\"") && text.contains(message), "{file}: {text}");
        let request = fixture.api.post(&format!("/tools/{id}/test")).json(json!({"arguments": {"file": file}}));
        let refused = request.send().await.expect(400).json();
        assert!(refused["data"]["params"].to_string().contains("arguments[file]"), "{refused}");
    }
    assert_eq!(fixture.upstream.request_count(), 0);
}

#[tokio::test]
async fn rules_for_files_are_checked_when_the_tool_is_saved() {
    let fixture = fixture().await;
    let id = create_upload(&fixture, "multipart", json!({})).await;
    for (body_type, rule, path) in [
        ("json", json!({"location": "body", "file": true}), "[file]"),
        ("raw", json!({"location": "body", "file": true}), "[file]"),
        ("multipart", json!({"location": "query", "file": true}), "[file]"),
        ("multipart", json!({"location": "body", "file": 1}), "[file]"),
        ("multipart", json!({"location": "body", "file": true, "style": "json"}), "[file]"),
        ("multipart", json!({"location": "body", "content_type": "json"}), "[content_type]"),
        ("multipart", json!({"location": "body", "content_type": "a/b\r\nX: 1"}), "[content_type]"),
        ("form", json!({"location": "body", "content_type": "a/b"}), "[content_type]"),
        ("raw", json!({"location": "body", "whole": true, "headers": {"X-A": "1"}}), "[headers]"),
        ("multipart", json!({"location": "body", "headers": {"X-A": "1\r\nX-B: 2"}}), "[headers][X-A]"),
        ("multipart", json!({"location": "body", "headers": {"X\r\nB": "1"}}), "[headers]"),
        ("multipart", json!({"location": "body", "headers": {"Content-Disposition": "x"}}), "[headers]"),
        ("multipart", json!({"location": "body", "style": "form"}), "[style]"),
    ] {
        let body = json!({"body_type": body_type, "parameter_mapping": {"file": rule}});
        let refused = fixture.api.patch(&format!("/tools/{id}")).json(body).send().await.expect(400).json();
        let message = refused["data"]["params"]["parameter_mapping"].as_str().unwrap();
        assert!(message.contains(&format!("parameter_mapping[file]{path}")), "{rule}: {message}");
    }
    let valid = json!({"parameter_mapping": {"file": {"location": "body", "file": true}}});
    fixture.api.patch(&format!("/tools/{id}")).json(valid).send().await.expect(200);
    // The stored rule is invalid for another body type, and the error names the rule.
    let refused = fixture.api.patch(&format!("/tools/{id}")).json(json!({"body_type": "form"})).send().await;
    assert!(refused.expect(400).text().contains("needs the body_type multipart, or whole"));
}

#[tokio::test]
async fn large_files_are_displayed_and_captured_by_their_size() {
    let fixture = fixture().await;
    let settings = json!({"settings": {"capture": "all", "capture_max_bytes": 65536}});
    fixture.api.patch(&format!("/servers/{}", fixture.server["id"])).json(settings).send().await.expect(200);
    let mapping = json!({"file": {"location": "body", "file": true}, "meta": {"location": "body", "file": true}});
    let id = create_upload(&fixture, "multipart", mapping).await;
    let encoded = "AAEC".repeat(1000);
    let arguments = json!({"file": {"base64": encoded, "filename": "a.bin"}, "meta": {"text": "short"}});
    let test = fixture.api.post(&format!("/tools/{id}/test?debug=1")).json(json!({"arguments": arguments}));
    let result = test.send().await.expect(200).json();
    assert!(fixture.upstream.last().body.len() > 3000, "the whole file is sent");
    let shown = result["request"]["body"].as_str().unwrap();
    assert!(shown.contains("filename=\"a.bin\"") && shown.contains("\r\n\r\n[3000 bytes]\r\n"), "{shown}");
    assert!(shown.contains("\r\n\r\nshort\r\n") && shown.len() < 1000, "{shown}");
    fixture.caller().text("upload", arguments).await;
    let call = fixture.api.read("/calls?per_page=1").await[0]["id"].clone();
    let captured = fixture.api.read(&format!("/calls/{call}")).await["arguments"].as_str().unwrap().to_owned();
    let expected = json!({"file": {"base64": "[3000 bytes]", "filename": "a.bin"}, "meta": {"text": "short"}});
    assert_eq!(serde_json::from_str::<Value>(&captured).unwrap(), expected);
}
