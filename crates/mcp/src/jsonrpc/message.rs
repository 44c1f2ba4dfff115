//! Reading what a client sends: strictly, because whatever two parsers read differently is a way around a check.

use serde_json::value::RawValue;
use toolgate_domain::json::{self, JsonFault, JsonFaultKind, Member, ScannedDocument};

use super::members::MessageMembers;
use super::{RpcError, RpcParams};

/// Most messages of one batch.
const BATCH_MAX: usize = 50;
/// Longest id, as JSON text: 256 bytes of string, each of which may be escaped.
const ID_MAX: usize = 256 * 6 + 2;

/// What one body holds.
#[derive(Debug)]
pub(crate) enum MessageBatch {
    /// One message.
    Single(Message),
    /// An array; each is read for itself.
    Many(Vec<Result<Message, RpcError>>),
}

/// One message.
#[derive(Debug)]
pub(crate) enum Message {
    /// It wants an answer.
    Request(RpcRequest),
    /// A notification, or the answer to a request we never sent: received, and that is all.
    NoReply,
}

/// A request.
#[derive(Debug)]
pub(crate) struct RpcRequest {
    pub(crate) id: RpcId,
    pub(crate) method: String,
    pub(crate) params: RpcParams,
}

/// An id as it came: an integer or a string.
#[derive(Clone, Debug)]
pub(crate) struct RpcId(Box<str>);

impl RpcId {
    pub(crate) fn as_json(&self) -> &str {
        &self.0
    }
}

/// Reads a whole body.
pub(crate) fn read(body: &[u8]) -> Result<MessageBatch, RpcError> {
    let document = json::scan(body).map_err(|fault| refuse(&fault))?;
    if !document.text.starts_with('[') {
        return message(&document).map(MessageBatch::Single);
    }
    let items: Vec<&RawValue> = serde_json::from_str(document.text).map_err(|error| refuse(&error.into()))?;
    if items.is_empty() {
        return Err(RpcError::invalid_request("Invalid request: an empty batch"));
    }
    if items.len() > BATCH_MAX {
        return Err(RpcError::invalid_request(format!("Invalid request: more than {BATCH_MAX} messages in one batch")));
    }
    let item = |item: &RawValue| {
        json::scan(item.get().as_bytes()).map_err(|fault| refuse(&fault)).and_then(|item| message(&item))
    };
    Ok(MessageBatch::Many(items.into_iter().map(item).collect()))
}

fn refuse(fault: &JsonFault) -> RpcError {
    match fault.kind {
        JsonFaultKind::DuplicateKey | JsonFaultKind::ReservedKey => {
            RpcError::invalid_request(format!("Invalid request: {fault}"))
        }
        JsonFaultKind::Syntax | JsonFaultKind::TooDeep | JsonFaultKind::TooManyValues => {
            RpcError::parse(&fault.to_string())
        }
    }
}

fn message(document: &ScannedDocument<'_>) -> Result<Message, RpcError> {
    let invalid = |reason: &'static str| RpcError::invalid_request(format!("Invalid request: {reason}"));
    if !document.text.starts_with('{') {
        return Err(invalid("a message is an object"));
    }
    let members = MessageMembers::parse(document)?;
    if members.jsonrpc.is_none_or(|version| version.value != "\"2.0\"") {
        return Err(invalid("jsonrpc must be \"2.0\""));
    }
    let Some(method) = members.method else {
        let is_response = members.id.is_some() && (members.result.is_some() != members.error.is_some());
        return if is_response { Ok(Message::NoReply) } else { Err(invalid("method is missing")) };
    };
    let method = method.string().ok_or_else(|| invalid("method must be a string"))?;
    let Some(id) = members.id else { return Ok(Message::NoReply) };
    let id = read_id(id).ok_or_else(|| invalid("id must be an integer or a string of at most 256 bytes"))?;
    let params = RpcParams::parse(members.params)?;
    Ok(Message::Request(RpcRequest { id, method, params }))
}

fn read_id(id: &Member<'_>) -> Option<RpcId> {
    let text = id.value;
    let is_string = || text.len() <= ID_MAX && id.string().is_some_and(|string| string.len() <= 256);
    let is_integer = || serde_json::from_str::<i64>(text).is_ok() || serde_json::from_str::<u64>(text).is_ok();
    (is_integer() || is_string()).then(|| RpcId(text.into()))
}

#[cfg(test)]
mod tests;
