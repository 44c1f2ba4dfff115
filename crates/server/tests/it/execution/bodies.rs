//! Bodies in the forms that `body_type` knows.

use serde_json::{Value, json};
use toolgate_testkit::upstream::Received;
use toolgate_testkit::{Answer, Upstream};

use super::setup::{Stage, failure, schema};

async fn stage() -> Stage {
    Stage::new(Upstream::answering(|_| Answer::text("ok"))).await
}

/// What the upstream gets from a POST with this body type.
async fn sent(stage: &Stage, body_type: &str, extra: Value, arguments: Value) -> Received {
    let name = format!("t{}", stage.upstream.hits());
    let properties = json!({"a": {}, "b": {}, "list": {}, "none": {}});
    let mut fields = json!({"name": name, "http_method": "POST", "body_type": body_type,
        "input_schema": schema(properties)});
    fields.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    stage.tool(fields).await;
    assert_eq!(stage.caller().text(&name, arguments).await, "ok");
    stage.upstream.last()
}

#[tokio::test]
async fn a_json_body_is_an_object_of_the_arguments() {
    let stage = stage().await;
    let seen = sent(&stage, "json", json!({}), json!({"a": {"x": [1, null]}, "b": "\u{e9}\n", "none": null})).await;
    assert_eq!(seen.json(), json!({"a": {"x": [1, null]}, "b": "\u{e9}\n", "none": null}));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    let seen = sent(&stage, "json", json!({}), json!({})).await;
    assert_eq!((seen.text().as_str(), seen.header("content-type")), ("{}", Some("application/json")));
}

#[tokio::test]
async fn a_form_is_url_encoded() {
    let stage = stage().await;
    let arguments = json!({"a": "x y&z=\u{e9}+", "b": 5, "list": ["p", true], "none": null});
    let seen = sent(&stage, "form", json!({}), arguments).await;
    assert_eq!(seen.header("content-type"), Some("application/x-www-form-urlencoded"));
    let mut pairs = seen.form();
    pairs.sort();
    let expected = [("a", "x y&z=\u{e9}+"), ("b", "5"), ("list", "p"), ("list", "true")];
    assert_eq!(pairs, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[tokio::test]
async fn a_multipart_body_has_one_part_for_each_value() {
    let stage = stage().await;
    for extra in [json!({}), json!({"headers": {"Content-Type": "multipart/form-data"}})] {
        let seen = sent(&stage, "multipart", extra, json!({"a": "line\r\n--x", "list": [1, "z"]})).await;
        let kind = seen.header("content-type").unwrap().to_owned();
        let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap_or_else(|| panic!("{kind}"));
        let text = seen.text();
        let mut parts: Vec<&str> = text.split(&format!("--{boundary}")).collect();
        assert_eq!((parts.remove(0), parts.pop()), ("", Some("--\r\n")), "{text}");
        parts.sort_unstable();
        let part =
            |name: &str, value: &str| format!("\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        assert_eq!(parts, [part("a", "line\r\n--x"), part("list", "1"), part("list", "z")]);
    }
}

#[tokio::test]
async fn a_raw_body_is_one_argument_and_nothing_else() {
    let stage = stage().await;
    let seen = sent(&stage, "raw", json!({}), json!({"a": "<x>\u{e9}</x>"})).await;
    assert_eq!(
        (seen.text().as_str(), seen.header("content-type")),
        ("<x>\u{e9}</x>", Some("text/plain; charset=utf-8"))
    );
    let seen = sent(&stage, "raw", json!({}), json!({"b": {"k": [1]}})).await;
    assert_eq!((seen.text().as_str(), seen.header("content-type")), (r#"{"k":[1]}"#, Some("application/json")));
    let seen = sent(&stage, "raw", json!({}), json!({})).await;
    assert_eq!((seen.text().as_str(), seen.header("content-length")), ("", Some("0")));
    let hits = stage.upstream.hits();
    let result = stage.caller().call("t0", json!({"a": "1", "b": "2"})).await;
    assert!(failure(&result).contains("give only one of"), "{result}");
    assert_eq!(stage.upstream.hits(), hits);
}

#[tokio::test]
async fn a_stated_content_type_wins() {
    let stage = stage().await;
    for (body_type, stated) in [
        ("json", "application/vnd.api+json"),
        ("form", "text/x-form"),
        ("raw", "application/xml"),
        ("multipart", "a/b"),
    ] {
        let extra = json!({"headers": {"content-type": stated}});
        let seen = sent(&stage, body_type, extra, json!({"a": "x"})).await;
        assert_eq!(seen.header("content-type"), Some(stated), "{body_type}");
    }
    // As an argument of a call does.
    let extra = json!({"parameter_mapping": {"b": {"location": "header", "name": "Content-Type"}}});
    let seen = sent(&stage, "json", extra, json!({"a": 1, "b": "application/ld+json"})).await;
    assert_eq!((seen.header("content-type"), seen.json()), (Some("application/ld+json"), json!({"a": 1})));
}

#[tokio::test]
async fn a_body_may_go_with_any_method_where_the_mapping_says_so() {
    let stage = stage().await;
    let extra = json!({"http_method": "DELETE", "parameter_mapping": {"a": {"location": "body"}}});
    let seen = sent(&stage, "json", extra, json!({"a": 1, "b": 2})).await;
    assert_eq!((seen.method.as_str(), seen.target.as_str(), seen.json()), ("DELETE", "/?b=2", json!({"a": 1})));
}
