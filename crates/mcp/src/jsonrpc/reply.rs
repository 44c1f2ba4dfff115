//! Writes replies and notifications directly into the output buffer, without a JSON tree.

use bytes::Bytes;
use toolgate_execution::content::write_json_string;

use super::error::RpcError;
use super::message::RpcId;

const PREFIX: &[u8] = br#"{"jsonrpc":"2.0","id":"#;
const RESULT_KEY: &[u8] = br#","result":"#;

/// The reply with a result. `write` appends the JSON object; `capacity` is its expected size in bytes.
pub(crate) fn result_reply(id: &RpcId, capacity: usize, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    // One byte for the closing brace.
    let mut out = result_start(id, capacity + 1);
    write(&mut out);
    out.push(b'}');
    out
}

/// The reply in three parts, with a result that is not copied. `result_end` is the rest of the result.
pub(crate) fn spliced_reply(id: &RpcId, result: Bytes, mut result_end: Vec<u8>) -> [Bytes; 3] {
    result_end.push(b'}');
    [result_start(id, 0).into(), result, result_end.into()]
}

/// The reply up to its result, with capacity for more bytes.
fn result_start(id: &RpcId, capacity: usize) -> Vec<u8> {
    let parts = [PREFIX, id.as_json().as_bytes(), RESULT_KEY];
    let mut out = Vec::with_capacity(parts.iter().map(|part| part.len()).sum::<usize>() + capacity);
    for part in parts {
        out.extend_from_slice(part);
    }
    out
}

/// The id of an error reply.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ErrorReplyId<'a> {
    /// The id of the request.
    Request(&'a RpcId),
    /// `null`: the id of the request is unknown.
    Null,
    /// No id: it is unknown, and revision 2026-07-28 does not allow `null`.
    Absent,
}

/// The reply with an error.
pub(crate) fn error_reply(id: ErrorReplyId<'_>, error: &RpcError) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    match id {
        ErrorReplyId::Request(id) => {
            out.extend_from_slice(br#""id":"#);
            out.extend_from_slice(id.as_json().as_bytes());
            out.push(b',');
        }
        ErrorReplyId::Null => out.extend_from_slice(br#""id":null,"#),
        ErrorReplyId::Absent => {}
    }
    out.extend_from_slice(br#""error":{"code":"#);
    out.extend_from_slice(error.code.to_string().as_bytes());
    out.extend_from_slice(br#","message":"#);
    write_json_string(&error.message, &mut out);
    if let Some(data) = &error.data {
        out.extend_from_slice(br#","data":"#);
        out.extend_from_slice(data.to_string().as_bytes());
    }
    out.extend_from_slice(b"}}");
    out
}

/// A notification; `params` is a JSON object.
pub(crate) fn notification(method: &str, params: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#).into_bytes()
}
