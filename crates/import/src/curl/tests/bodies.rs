//! Classification of bodies.

use super::{assert_draft, warnings};
use serde_json::json;

#[test]
fn bodies_are_classified_by_their_text_and_content_type() {
    let form_type = "-H 'Content-Type: application/x-www-form-urlencoded'";
    let text_type = "-H 'Content-Type: text/plain; charset=utf-8'";
    for (options, body_type, body) in [
        (r#"-d '{"a":{"b":[1,null]}}'"#.to_owned(), "json", json!({"a": {"b": [1, null]}})),
        (format!("{form_type} -d '{{\"a\":1}}'"), "json", json!({"a": 1})),
        (format!("{text_type} -d ' {{\"a\":1}} '"), "json", json!({"a": 1})),
        ("-d '{}'".to_owned(), "json", json!({})),
        ("-d 'a=1&b=x+y%21&c&d='".to_owned(), "form", json!({"a": "1", "b": "x y!", "c": "", "d": ""})),
        ("-d 'a=1&a=2&b[]=3'".to_owned(), "form", json!({"a": ["1", "2"], "b[]": ["3"]})),
        ("-d 'name=John Smith'".to_owned(), "form", json!({"name": "John Smith"})),
        (format!("{text_type} -d 'a=1'"), "raw", json!({"body": "a=1"})),
        ("-d '[1,{\"a\":2}]'".to_owned(), "raw", json!({"body": [1, {"a": 2}]})),
        ("-d '5'".to_owned(), "raw", json!({"body": "5"})),
        ("-d '<a b=\"c\"/>'".to_owned(), "raw", json!({"body": "<a b=\"c\"/>"})),
        ("-d 'hello'".to_owned(), "raw", json!({"body": "hello"})),
        ("-d '{\"a\":=}'".to_owned(), "raw", json!({"body": "{\"a\":=}"})),
        ("-d '{\"a\":1,\"a\":2}'".to_owned(), "raw", json!({"body": "{\"a\":1,\"a\":2}"})),
        ("-d 'a=%ff'".to_owned(), "raw", json!({"body": "a=%ff"})),
        ("-d '=a'".to_owned(), "raw", json!({"body": "=a"})),
        ("-d @file.json".to_owned(), "raw", json!({"body": "@file.json"})),
    ] {
        assert_draft(&format!("curl e.example {options}"), &json!({"body": body, "body_type": body_type}));
    }
    assert_draft("curl e.example -d ''", &json!({"body": {}, "body_type": null, "http_method": "POST"}));
}

#[test]
fn no_break_spaces_may_indent_json_and_stay_in_its_strings() {
    assert_draft(
        "curl e.example -d '{\n\u{A0}\u{A0}\"a\":\u{A0}1}'",
        &json!({"body": {"a": 1}, "body_type": "json", "warnings": null}),
    );
    assert_draft("curl e.example -d '{\"a\": \"b\u{A0}c\"}'", &json!({"body": {"a": "b\u{A0}c"}}));
    let broken = "{\u{A0}a}";
    assert_draft(&format!("curl e.example -d '{broken}'"), &json!({"body": {"body": broken}, "body_type": "raw"}));
}

#[test]
fn a_multipart_form_pasted_as_text_is_split_into_fields() {
    let part = |name: &str, value: &str| {
        format!("--b\\r\\nContent-Disposition: form-data; name=\"{name}\"\\r\\n\\r\\n{value}\\r\\n")
    };
    let text =
        format!("$'{}{}{}--b--\\r\\n'", part("a", "1"), part("f\"; filename=\"x.txt", "line\\r\\n2"), part("a", "3"));
    let with_content_type =
        format!("curl e.example -H 'Content-Type: multipart/form-data; boundary=b' --data-raw {text}");
    for command in [with_content_type, format!("curl e.example --data-raw {text}")] {
        assert_draft(&command, &json!({"body": {"a": ["1", "3"], "f": "line\r\n2"}, "body_type": "multipart"}));
        assert!(warnings(&command).concat().contains("file in the form is sent as a plain text field"));
    }
    for broken in ["a=1", "--\nContent-Disposition: form-data; name=\"a\"\n\n1"] {
        for parameter in ["boundary=b", "boundary=", ""] {
            let command = format!("curl e.example -H 'Content-Type: multipart/form-data; {parameter}' -d '{broken}'");
            assert_draft(&command, &json!({"body": {"body": broken}, "body_type": "raw"}));
        }
    }
}
