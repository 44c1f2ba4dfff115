//! What holds for any body that a client may send, for the fuzzer and for the tests beside the code: it is messages,
//! or it is refused with a code that the specification has for that. Reading alone is for the bench.

use serde_json::Value;

use crate::jsonrpc::{Message, MessageBatch, RpcError, read};

/// Reads a body and looks at what was read.
///
/// # Panics
///
/// Where it does not hold.
pub fn holds(body: &[u8]) {
    let tree = serde_json::from_slice::<Value>(body).ok();
    match read(body) {
        Err(error) => assert_is_refusal(&error),
        Ok(MessageBatch::Single(message)) => assert_is_read(Ok(message), tree.as_ref()),
        Ok(MessageBatch::Many(messages)) => {
            let items = tree.as_ref().and_then(Value::as_array);
            assert_eq!(items.map(Vec::len), Some(messages.len()));
            for (at, message) in messages.into_iter().enumerate() {
                assert_is_read(message, items.and_then(|items| items.get(at)));
            }
        }
    }
}

/// Reads a body as the endpoint does, and tells which method it asks for if it is one request.
pub fn method(body: &[u8]) -> Option<String> {
    match read(body) {
        Ok(MessageBatch::Single(Message::Request(request))) => Some(request.method),
        _ => None,
    }
}

fn assert_is_refusal(error: &RpcError) {
    assert!(matches!(error.code, -32700 | -32600), "{error:?}");
    assert!(!error.message.is_empty(), "{error:?}");
}

/// A request says what another reader of JSON finds in it.
fn assert_is_read(message: Result<Message, RpcError>, tree: Option<&Value>) {
    let request = match message {
        Err(error) => return assert_is_refusal(&error),
        Ok(Message::NoReply) => return assert!(tree.is_some_and(Value::is_object), "{tree:?}"),
        Ok(Message::Request(request)) => request,
    };
    let member = |name: &str| tree.and_then(|tree| tree.get(name));
    assert_eq!(member("method").and_then(Value::as_str), Some(request.method.as_str()));
    assert_eq!(serde_json::from_str(request.id.as_json()).ok().as_ref(), member("id"));
    let params = serde_json::from_str::<Value>(request.params.as_json()).ok();
    assert!(params.as_ref() == member("params") || member("params").is_none_or(Value::is_null), "{tree:?}");
}
