//! Parsing for the fuzzer, the property tests and the benchmark. Any request body is either parsed or refused with a
//! code of the specification.

use serde_json::Value;

use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::{BodyMessages, Message, read};

/// Asserts that a body is either parsed with the same values that `serde_json` reads, or refused with a code of the
/// specification.
///
/// # Panics
///
/// If the values differ, or if an error has another code.
pub fn assert_parsed_or_refused(body: &[u8]) {
    let tree = serde_json::from_slice::<Value>(body).ok();
    match read(body) {
        Err(error) => assert_valid_error(&error),
        Ok(BodyMessages::Single(message)) => assert_matches_tree(Ok(message), tree.as_ref()),
        Ok(BodyMessages::Batch(messages)) => {
            let items = tree.as_ref().and_then(Value::as_array);
            assert_eq!(items.map(Vec::len), Some(messages.len()));
            for (index, message) in messages.into_iter().enumerate() {
                assert_matches_tree(message, items.and_then(|items| items.get(index)));
            }
        }
    }
}

/// Parses a body as the endpoint does; returns the method name if it is a single request.
pub fn method(body: &[u8]) -> Option<String> {
    match read(body) {
        Ok(BodyMessages::Single(Message::Request(request))) => Some(request.method_name),
        _ => None,
    }
}

fn assert_valid_error(error: &RpcError) {
    assert!(matches!(error.code, -32700 | -32600), "{error:?}");
    assert!(!error.message.is_empty(), "{error:?}");
}

/// Asserts that id, method and parameters are those that `serde_json` reads.
fn assert_matches_tree(message: Result<Message, RpcError>, tree: Option<&Value>) {
    let request = match message {
        Err(error) => return assert_valid_error(&error),
        Ok(Message::NoReply) => return assert!(tree.is_some_and(Value::is_object), "{tree:?}"),
        Ok(Message::Request(request)) => request,
    };
    let member = |name: &str| tree.and_then(|tree| tree.get(name));
    assert_eq!(member("method").and_then(Value::as_str), Some(request.method_name.as_str()));
    assert_eq!(serde_json::from_str(request.id.as_json()).ok().as_ref(), member("id"));
    let params = serde_json::from_str::<Value>(request.params.as_json()).ok();
    assert!(params.as_ref() == member("params") || member("params").is_none_or(Value::is_null), "{tree:?}");
}
