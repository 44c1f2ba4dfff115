//! Properties that hold for arguments of any value.

use percent_encoding::percent_decode_str;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Any characters, including those with a meaning in a URL, a header or a form.
fn hostile_text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("/".to_owned()),
        Just("..".to_owned()),
        Just("?".to_owned()),
        Just("#".to_owned()),
        Just("%2F".to_owned()),
        Just("%".to_owned()),
        Just("&".to_owned()),
        Just("=".to_owned()),
        Just("+".to_owned()),
        Just(" ".to_owned()),
        Just("\r\n".to_owned()),
        Just("@evil.example".to_owned()),
        Just("{id}".to_owned()),
        Just("\\".to_owned()),
        any::<char>().prop_map(String::from),
        "[a-z0-9.]{1,3}",
    ];
    vec(part, 0..8).prop_map(|parts| parts.concat())
}

/// An integer of any length.
fn integer_text() -> impl Strategy<Value = String> {
    "-?[1-9][0-9]{0,60}"
}

fn is_refused_in_a_path(text: &str) -> bool {
    matches!(text, "" | "." | "..") || text.chars().any(char::is_control)
}

fn get_tool(address: &str) -> CompiledTool {
    TestTool::new("GET", address).arguments(&["id", "q"]).compile()
}

fn parse_pairs(encoded: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(encoded.as_bytes()).into_owned().collect()
}

proptest! {
    #[test]
    fn a_path_value_is_one_segment_that_decodes_to_itself(value in hostile_text()) {
        let tool = get_tool("https://api.example/a/{id}/b?fixed=1");
        let arguments = json!({"id": value}).to_string();
        match call(&tool, &arguments, CredentialUse::Stored) {
            Err(failure) => {
                prop_assert!(is_refused_in_a_path(&value), "{failure:?}");
                prop_assert_eq!(failure.reason, FailureReason::BadArguments);
            }
            Ok(request) => {
                prop_assert!(!is_refused_in_a_path(&value));
                let segments: Vec<&str> = request.uri.path().split('/').collect();
                prop_assert_eq!(segments.len(), 4);
                prop_assert_eq!(percent_decode_str(segments[2]).decode_utf8().unwrap(), value.as_str());
                prop_assert_eq!(request.uri.query(), Some("fixed=1"));
                prop_assert_eq!(request.uri.authority().unwrap().as_str(), "api.example");
                // A parser that resolves dot segments must read the same path.
                let parsed = ::url::Url::parse(&request.uri.to_string()).unwrap();
                prop_assert_eq!(parsed.path(), request.uri.path());
            }
        }
    }

    #[test]
    fn no_value_changes_where_a_request_goes(
        id in hostile_text(),
        inner in hostile_text(),
        q in hostile_text(),
        name in hostile_text(),
    ) {
        let schema = json!({"additionalProperties": true});
        let tool = TestTool::new("GET", "https://api.example:8443/{id}{inner}.x/?k={q}&p=a{q}b").schema(&schema).compile();
        let arguments = json!({"id": id, "inner": inner, "q": q, name.as_str(): q});
        if let Ok(request) = call(&tool, &arguments.to_string(), CredentialUse::Stored) {
            let parsed = ::url::Url::parse(&request.uri.to_string()).unwrap();
            prop_assert_eq!(parsed.origin().ascii_serialization(), "https://api.example:8443");
            prop_assert_eq!(parsed.path_segments().unwrap().count(), 2);
            prop_assert_eq!(parsed.fragment(), None);
            prop_assert_eq!(parsed.query(), request.uri.query());
        }
    }

    #[test]
    fn query_and_form_decode_to_the_given_values(name in hostile_text(), values in vec(hostile_text(), 0..4)) {
        let schema = json!({"additionalProperties": true});
        let arguments = json!({name.as_str(): values}).to_string();
        let expected: Vec<_> = values.iter().map(|value| (name.clone(), value.clone())).collect();
        let tool = TestTool::new("GET", "https://api.example/").schema(&schema).compile();
        let request = call(&tool, &arguments, CredentialUse::Stored).unwrap();
        prop_assert_eq!(parse_pairs(request.uri.query().unwrap_or_default()), expected.clone());
        let tool = TestTool::new("POST", "https://api.example/").schema(&schema).body_type(BodyType::Form).compile();
        let request = call(&tool, &arguments, CredentialUse::Stored).unwrap();
        prop_assert_eq!(parse_pairs(&body_text(&request)), expected);
    }

    #[test]
    fn a_placeholder_in_the_query_decodes_to_the_given_value(q in hostile_text()) {
        let tool = get_tool("https://api.example/?q={q}");
        let request = call(&tool, &json!({"q": q}).to_string(), CredentialUse::Stored).unwrap();
        prop_assert_eq!(parse_pairs(request.uri.query().unwrap()), [("q".to_owned(), q)]);
    }

    #[test]
    fn integers_keep_every_digit_in_every_destination(n in integer_text()) {
        let arguments = format!(r#"{{"id":{n},"q":[{n}]}}"#);
        let tool = TestTool::new("GET", "https://api.example/{id}").arguments(&["id", "q"]);
        prop_assert_eq!(tool.request_text(&arguments), format!("GET /{n}?q={n}"));
        let tool = TestTool::new("POST", "https://api.example/{id}").arguments(&["id", "q"]);
        prop_assert_eq!(tool.request_text(&arguments), format!("POST /{n} {{\"q\":[{n}]}}"));
        prop_assert_eq!(tool.body_type(BodyType::Form).request_text(&arguments), format!("POST /{n} q={n}"));
    }

    #[test]
    fn json_bodies_contain_the_given_value(name in hostile_text(), value in hostile_text()) {
        let tool = TestTool::new("PUT", "https://api.example/").schema(&json!({"additionalProperties": {}})).compile();
        let arguments = json!({name.as_str(): {"deep": [value]}});
        let request = call(&tool, &arguments.to_string(), CredentialUse::Stored).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&body_text(&request)).unwrap(), arguments);
    }

    #[test]
    fn header_arguments_stay_in_their_header(value in hostile_text()) {
        let tool = TestTool::new("GET", "https://api.example/").mapping(&json!({"h": {"location": "header"}}));
        match call(&tool.compile(), &json!({"h": value}).to_string(), CredentialUse::Stored) {
            Ok(request) => {
                prop_assert_eq!(request.headers.len(), 1);
                prop_assert_eq!(request.headers["h"].as_bytes(), value.as_bytes());
                prop_assert!(!value.chars().any(char::is_control));
            }
            Err(failure) => {
                prop_assert!(value.chars().any(char::is_control));
                prop_assert_eq!(failure.reason, FailureReason::BadArguments);
            }
        }
    }

    #[test]
    fn multipart_has_as_many_parts_as_arguments(name in hostile_text(), values in vec(hostile_text(), 0..4)) {
        let tool = TestTool::new("POST", "https://api.example/")
            .schema(&json!({"additionalProperties": true}))
            .body_type(BodyType::Multipart)
            .compile();
        let request = call(&tool, &json!({name.as_str(): values}).to_string(), CredentialUse::Stored).unwrap();
        let content_type = request.headers["content-type"].to_str().unwrap();
        let delimiter = format!("--{}", content_type.split_once("boundary=").unwrap().1);
        let body = body_text(&request);
        let parts: Vec<&str> = body.split(delimiter.as_str()).collect();
        prop_assert_eq!(parts.len(), values.len() + 2);
        for (part, value) in parts[1..].iter().zip(&values) {
            let (head, content) = part.split_once("\r\n\r\n").unwrap();
            prop_assert_eq!(head.matches("\r\n").count(), 1);
            prop_assert_eq!(content.strip_suffix("\r\n").unwrap(), value);
        }
    }

    #[test]
    fn an_api_key_occurs_once_in_the_query(name in "[a-c]", dynamic in "[a-c%=&]{0,3}", argument in hostile_text()) {
        let tool = TestTool::new("GET", "https://api.example/?a=1&b=2&%61=3&{d}=4&x{d}&c={d}")
            .schema(&json!({"additionalProperties": true}))
            .credentials(Credentials::ApiKey {
                key_name: name.clone(),
                key_value: "K&=".into(),
                key_location: toolgate_domain::upstream_auth::KeyLocation::Query,
            });
        let request = tool.call(&json!({"d": dynamic, "a": argument, "b": argument, "c": 1}).to_string()).unwrap();
        let pairs = parse_pairs(request.uri.query().unwrap());
        let found: Vec<_> = pairs.iter().filter(|(pair_name, _)| *pair_name == name).map(|(_, value)| value).collect();
        prop_assert_eq!(found, ["K&="]);
    }
}
