//! Writes replies and notifications directly into the output buffer, without a JSON tree.

use toolgate_execution::content::write_json_string;

use super::error::RpcError;
use super::message::RpcId;

const PREFIX: &[u8] = br#"{"jsonrpc":"2.0","id":"#;

/// The reply with a result. `write` appends the JSON object; `capacity` is its expected size in bytes.
pub(crate) fn result_reply(id: &RpcId, capacity: usize, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    // 16 bytes are enough for the key `result` and the closing brace.
    let mut out = Vec::with_capacity(PREFIX.len() + id.as_json().len() + capacity + 16);
    out.extend_from_slice(PREFIX);
    out.extend_from_slice(id.as_json().as_bytes());
    out.extend_from_slice(br#","result":"#);
    write(&mut out);
    out.push(b'}');
    out
}

/// The reply with an error. If the id is unknown, the reply has the id `null` with `may_have_null_id`, else none:
/// revision 2026-07-28 does not allow `null`.
pub(crate) fn error_reply(id: Option<&RpcId>, error: &RpcError, may_have_null_id: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    match id {
        Some(id) => {
            out.extend_from_slice(br#""id":"#);
            out.extend_from_slice(id.as_json().as_bytes());
            out.push(b',');
        }
        None if may_have_null_id => out.extend_from_slice(br#""id":null,"#),
        None => {}
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
