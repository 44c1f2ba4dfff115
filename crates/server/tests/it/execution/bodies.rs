//! Request bodies for each `body_type`.

use serde_json::{Value, json};
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::{failure_message, schema, start};

async fn fixture() -> ServiceFixture {
    start(Upstream::with_handler(|_| MockResponse::text("ok"))).await
}

/// Creates a tool with this body type and these extra fields, and calls it. Returns the request that the upstream
/// received.
async fn request_received(
    fixture: &ServiceFixture,
    body_type: &str,
    extra: Value,
    arguments: Value,
) -> ReceivedRequest {
    let name = format!("t{}", fixture.upstream.request_count());
    let properties = json!({"a": {}, "b": {}, "list": {}, "none": {}});
    let mut fields = json!({"name": name, "http_method": "POST", "body_type": body_type,
        "input_schema": schema(properties)});
    fields.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    fixture.create_tool(fields).await;
    assert_eq!(fixture.caller().text(&name, arguments).await, "ok");
    fixture.upstream.last()
}

#[tokio::test]
async fn a_json_body_is_an_object_of_the_arguments() {
    let fixture = fixture().await;
    let received =
        request_received(&fixture, "json", json!({}), json!({"a": {"x": [1, null]}, "b": "\u{e9}\n", "none": null}))
            .await;
    assert_eq!(received.json(), json!({"a": {"x": [1, null]}, "b": "\u{e9}\n", "none": null}));
    assert_eq!(received.header("content-type"), Some("application/json"));
    let received = request_received(&fixture, "json", json!({}), json!({})).await;
    assert_eq!((received.text().as_str(), received.header("content-type")), ("{}", Some("application/json")));
}

#[tokio::test]
async fn a_form_is_url_encoded() {
    let fixture = fixture().await;
    let arguments = json!({"a": "x y&z=\u{e9}+", "b": 5, "list": ["p", true], "none": null});
    let received = request_received(&fixture, "form", json!({}), arguments).await;
    assert_eq!(received.header("content-type"), Some("application/x-www-form-urlencoded"));
    let mut pairs = received.form();
    pairs.sort();
    let expected = [("a", "x y&z=\u{e9}+"), ("b", "5"), ("list", "p"), ("list", "true")];
    assert_eq!(pairs, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[tokio::test]
async fn a_multipart_body_has_one_part_for_each_value() {
    let fixture = fixture().await;
    for extra in [json!({}), json!({"headers": {"Content-Type": "multipart/form-data"}})] {
        let received =
            request_received(&fixture, "multipart", extra, json!({"a": "line\r\n--x", "list": [1, "z"]})).await;
        let content_type = received.header("content-type").unwrap().to_owned();
        let boundary =
            content_type.strip_prefix("multipart/form-data; boundary=").unwrap_or_else(|| panic!("{content_type}"));
        let text = received.text();
        let mut parts: Vec<&str> = text.split(&format!("--{boundary}")).collect();
        assert_eq!((parts.remove(0), parts.pop()), ("", Some("--\r\n")), "{text}");
        parts.sort_unstable();
        let part =
            |name: &str, value: &str| format!("\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        assert_eq!(parts, [part("a", "line\r\n--x"), part("list", "1"), part("list", "z")]);
    }
}

#[tokio::test]
async fn a_raw_body_is_exactly_one_argument() {
    let fixture = fixture().await;
    let received = request_received(&fixture, "raw", json!({}), json!({"a": "<x>\u{e9}</x>"})).await;
    assert_eq!(
        (received.text().as_str(), received.header("content-type")),
        ("<x>\u{e9}</x>", Some("text/plain; charset=utf-8"))
    );
    let received = request_received(&fixture, "raw", json!({}), json!({"b": {"k": [1]}})).await;
    assert_eq!((received.text().as_str(), received.header("content-type")), (r#"{"k":[1]}"#, Some("application/json")));
    let received = request_received(&fixture, "raw", json!({}), json!({})).await;
    assert_eq!((received.text().as_str(), received.header("content-length")), ("", Some("0")));
    let hits = fixture.upstream.request_count();
    // `t0` is the first tool that `request_received` created.
    let result = fixture.caller().call("t0", json!({"a": "1", "b": "2"})).await;
    assert!(failure_message(&result).contains("give only one of"), "{result}");
    assert_eq!(fixture.upstream.request_count(), hits);
}

#[tokio::test]
async fn an_explicit_content_type_is_used() {
    let fixture = fixture().await;
    for (body_type, explicit) in [
        ("json", "application/vnd.api+json"),
        ("form", "text/x-form"),
        ("raw", "application/xml"),
        ("multipart", "a/b"),
    ] {
        let extra = json!({"headers": {"content-type": explicit}});
        let received = request_received(&fixture, body_type, extra, json!({"a": "x"})).await;
        assert_eq!(received.header("content-type"), Some(explicit), "{body_type}");
    }
    // An argument that is mapped to the header sets the content type too.
    let extra = json!({"parameter_mapping": {"b": {"location": "header", "name": "Content-Type"}}});
    let received = request_received(&fixture, "json", extra, json!({"a": 1, "b": "application/ld+json"})).await;
    assert_eq!((received.header("content-type"), received.json()), (Some("application/ld+json"), json!({"a": 1})));
}

#[tokio::test]
async fn the_mapping_can_add_a_body_to_any_method() {
    let fixture = fixture().await;
    let extra = json!({"http_method": "DELETE", "parameter_mapping": {"a": {"location": "body"}}});
    let received = request_received(&fixture, "json", extra, json!({"a": 1, "b": 2})).await;
    assert_eq!(
        (received.method.as_str(), received.target.as_str(), received.json()),
        ("DELETE", "/?b=2", json!({"a": 1}))
    );
}

#[tokio::test]
async fn an_optional_body_is_left_out_without_arguments() {
    let fixture = fixture().await;
    for body_type in ["json", "form", "multipart", "raw"] {
        let optional = json!({"body_required": false, "headers": {"Content-Type": "application/json"}});
        let received = request_received(&fixture, body_type, optional.clone(), json!({})).await;
        assert_eq!(received.text(), "", "{body_type}");
        assert_eq!(received.header("content-type"), None, "{body_type}");
        let received = request_received(&fixture, body_type, optional, json!({"a": "x"})).await;
        assert_ne!(received.text(), "", "{body_type}");
        assert!(received.header("content-type").is_some(), "{body_type}");
    }
    let required = request_received(&fixture, "json", json!({"body_required": true}), json!({})).await;
    assert_eq!((required.text().as_str(), required.header("content-type")), ("{}", Some("application/json")));
}
