use super::*;
use proptest::prelude::*;

fn single(body: &str) -> Result<Message, RpcError> {
    match read(body.as_bytes())? {
        BodyMessages::Single(message) => Ok(message),
        BodyMessages::Batch(_) => panic!("the body is a batch"),
    }
}

#[test]
fn ids_are_returned_as_they_were_sent() {
    for id in ["0", "-1", "18446744073709551615", "\"\"", "\"a\\u00e9\"", "\"1\""] {
        let Ok(Message::Request(request)) = single(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x"}}"#)) else {
            panic!("{id} is refused")
        };
        assert_eq!(request.id.as_json(), id);
        assert_eq!(request.params.as_json(), "{}");
    }
}

#[test]
fn invalid_ids_are_refused() {
    let long = format!("\"{}\"", "x".repeat(ID_MAX + 1));
    for id in ["null", "1.5", "1.0", "1e3", "18446744073709551616", "[]", "{}", "true", long.as_str()] {
        let error = single(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x"}}"#)).unwrap_err();
        assert_eq!(error.code, -32600, "{id}");
    }
}

#[test]
fn notifications_and_responses_get_no_reply() {
    for body in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"m"}}"#,
    ] {
        assert!(matches!(single(body), Ok(Message::NoReply)), "{body}");
    }
}

#[test]
fn invalid_messages_are_refused() {
    for (body, code) in [
        ("", -32700),
        ("{", -32700),
        ("{} {}", -32700),
        ("1", -32600),
        ("{}", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#, -32600),
        (r#"{"jsonrpc":2.0,"id":1,"method":"x"}"#, -32600),
        (r#"{"JSONRPC":"2.0","id":1,"method":"x"}"#, -32600),
        (r#"{"jsonrpc":"2.0","ID":1,"method":"x"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","Method":"y"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"name":"a","Name":"b"}}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":null}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"result":1,"error":2}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","params":[]}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":1,"a":2}}"#, -32600),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"a":{"$serde_json::private::RawValue":"1"}}}}"#,
            -32600,
        ),
        ("[]", -32600),
    ] {
        assert_eq!(read(body.as_bytes()).unwrap_err().code, code, "{body}");
    }
    let deep =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{}1{}}}}}"#, "[".repeat(64), "]".repeat(64));
    assert_eq!(read(deep.as_bytes()).unwrap_err().code, -32700);
    let long = format!("[{}1]", "1,".repeat(BATCH_MAX));
    assert_eq!(read(long.as_bytes()).unwrap_err().code, -32600);
}

#[test]
fn an_invalid_message_of_a_batch_does_not_affect_the_others() {
    let Ok(BodyMessages::Batch(messages)) = read(br#"[1, {"jsonrpc":"2.0","id":1,"method":"x"}]"#) else { panic!() };
    assert!(messages[0].is_err());
    assert!(matches!(messages[1], Ok(Message::Request(_))));
}

/// Messages with a few random members, alone and in batches.
fn nearly_valid_body() -> impl Strategy<Value = String> {
    let value = r#""2\.0"|"x"|-?[0-9]{1,20}|null|\{\}|\[1\]|\{"a":1\}|1\.5|"\\u00e9""#;
    let names = prop::sample::select(vec!["jsonrpc", "id", "method", "params", "result", "error", "x"]);
    let members = prop::collection::vec((names, value), 0..5);
    // Half of the messages begin with valid members; the others are nearly always invalid.
    let message = (any::<bool>(), members).prop_map(|(has_valid_start, members)| {
        let start = has_valid_start.then(|| r#""jsonrpc":"2.0","method":"ping""#.to_owned());
        let rest = members.iter().map(|(name, value)| format!("\"{name}\":{value}"));
        format!("{{{}}}", start.into_iter().chain(rest).collect::<Vec<_>>().join(","))
    });
    let batch = prop::collection::vec(message.clone(), 0..4).prop_map(|all| format!("[{}]", all.join(",")));
    prop_oneof![3 => message, 1 => batch]
}

proptest! {
    #[test]
    fn any_bytes_are_parsed_or_refused(body in prop::collection::vec(any::<u8>(), 0..200)) {
        crate::envelope::assert_parsed_or_refused(&body);
    }

    #[test]
    fn broken_json_is_parsed_or_refused(body in r#"[\[{]?("(jsonrpc|id|method|params)":("2.0"|1|null|\{\}|\[\])[,}\]]?){0,6}"#) {
        crate::envelope::assert_parsed_or_refused(body.as_bytes());
    }

    #[test]
    fn nearly_valid_messages_are_parsed_correctly_or_refused(body in nearly_valid_body()) {
        crate::envelope::assert_parsed_or_refused(body.as_bytes());
    }
}
