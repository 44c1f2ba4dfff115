//! Assertions about replies.

use serde_json::{Value, json};
use toolgate_testkit::TestResponse;
use toolgate_testkit::objects::id;

/// The keys of an object, in order.
pub(super) fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// One field of each object in a list.
pub(super) fn column<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap()).collect()
}

/// The ids of the objects in a list.
pub(super) fn ids_of(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().map(id).collect()
}

/// Asserts an error reply with this status and code, in the format of all errors.
#[track_caller]
pub(super) fn assert_error(reply: &TestResponse, status: u16, code: &str) {
    assert_eq!(reply.status, status, "{reply:?}");
    let body = reply.json();
    assert_eq!(keys(&body), ["code", "message", "data"], "{reply:?}");
    assert_eq!(body["code"], code, "{reply:?}");
    assert_eq!(body["data"]["status"], status, "{reply:?}");
    assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{reply:?}");
}

/// Asserts a 400 for exactly `field`, with this inner code.
#[track_caller]
pub(super) fn assert_invalid(reply: &TestResponse, field: &str, inner_code: &str) {
    assert_invalid_fields(reply, &[field]);
    assert_eq!(reply.json()["data"]["details"][field]["code"], inner_code, "{reply:?}");
}

/// Asserts a 400 for exactly these fields.
#[track_caller]
pub(super) fn assert_invalid_fields(reply: &TestResponse, fields: &[&str]) {
    assert_error(reply, 400, "rest_invalid_param");
    let body = reply.json();
    let (params, details) = (&body["data"]["params"], &body["data"]["details"]);
    let mut reported = keys(params);
    assert_eq!(body["message"], format!("Invalid parameter(s): {}", reported.join(", ")), "{reply:?}");
    assert_eq!(keys(details), reported, "{reply:?}");
    for detail in details.as_object().unwrap().values() {
        assert_eq!(keys(detail), ["code", "message", "data"], "{reply:?}");
    }
    let mut expected = fields.to_vec();
    reported.sort_unstable();
    expected.sort_unstable();
    assert_eq!(reported, expected, "{reply:?}");
}

/// Asserts a 400 that reports exactly these parameters as missing.
#[track_caller]
pub(super) fn assert_missing(reply: &TestResponse, names: &[&str]) {
    assert_error(reply, 400, "rest_missing_callback_param");
    let body = reply.json();
    assert_eq!(body["message"], format!("Missing parameter(s): {}", names.join(", ")), "{reply:?}");
    assert_eq!(body["data"]["params"], json!(names), "{reply:?}");
}

/// Asserts that a value is a timestamp in the format `YYYY-MM-DDTHH:MM:SS`.
#[track_caller]
pub(super) fn assert_timestamp(value: &Value) {
    let text = value.as_str().unwrap();
    let form: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(form, "0000-00-00T00:00:00", "{text}");
}
