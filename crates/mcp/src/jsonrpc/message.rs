//! Parses request bodies. The parser is strict: input that two parsers read differently could bypass a check.

use serde_json::value::RawValue;
use toolgate_domain::json::{self, JsonFault, JsonFaultKind, Member, ScannedDocument};

use super::error::RpcError;
use super::members::MessageMembers;
use super::params::RpcParams;
use crate::method::McpMethod;

/// The most messages of one batch.
const BATCH_MAX: usize = 50;
/// The longest string id, in bytes.
const ID_MAX: usize = 256;
/// The longest string id as JSON text: quotes, and six bytes for each escaped byte.
const ID_JSON_MAX: usize = ID_MAX * 6 + 2;

/// The messages of a request body.
#[derive(Debug)]
pub(crate) enum BodyMessages {
    /// A message that is not in an array.
    Single(Message),
    /// An array of messages. An invalid message does not affect the others.
    Batch(Vec<Result<Message, RpcError>>),
}

/// A JSON-RPC message.
#[derive(Debug)]
pub(crate) enum Message {
    /// A request, which gets a reply.
    Request(RpcRequest),
    /// A notification or a response. Both are ignored: this service sends no requests to clients.
    NoReply,
}

/// A JSON-RPC request.
#[derive(Debug)]
pub(crate) struct RpcRequest {
    pub(crate) id: RpcId,
    pub(crate) method_name: String,
    /// The method of this name; `None` if there is none.
    pub(crate) method: Option<McpMethod>,
    pub(crate) params: RpcParams,
}

/// A request id as raw JSON: an integer or a string.
#[derive(Clone, Debug)]
pub(crate) struct RpcId(Box<str>);

impl RpcId {
    pub(crate) fn as_json(&self) -> &str {
        &self.0
    }
}

/// Parses a request body.
pub(crate) fn read(body: &[u8]) -> Result<BodyMessages, RpcError> {
    let document = json::scan(body).map_err(|fault| to_rpc_error(&fault))?;
    if !document.text.starts_with('[') {
        return read_message(&document).map(BodyMessages::Single);
    }
    let items: Vec<&RawValue> = serde_json::from_str(document.text).map_err(|error| to_rpc_error(&error.into()))?;
    if items.is_empty() {
        return Err(RpcError::invalid_request("Invalid request: the batch is empty"));
    }
    if items.len() > BATCH_MAX {
        return Err(RpcError::invalid_request(format!("Invalid request: a batch has at most {BATCH_MAX} messages")));
    }
    let read_item = |item: &RawValue| {
        json::scan(item.get().as_bytes()).map_err(|fault| to_rpc_error(&fault)).and_then(|item| read_message(&item))
    };
    Ok(BodyMessages::Batch(items.into_iter().map(read_item).collect()))
}

fn to_rpc_error(fault: &JsonFault) -> RpcError {
    match fault.kind {
        JsonFaultKind::DuplicateKey | JsonFaultKind::ReservedKey => {
            RpcError::invalid_request(format!("Invalid request: {fault}"))
        }
        JsonFaultKind::Syntax | JsonFaultKind::TooDeep | JsonFaultKind::TooManyValues => {
            RpcError::parse_error(&fault.to_string())
        }
    }
}

fn read_message(document: &ScannedDocument<'_>) -> Result<Message, RpcError> {
    let invalid = |reason: &'static str| RpcError::invalid_request(format!("Invalid request: {reason}"));
    if !document.text.starts_with('{') {
        return Err(invalid("a message must be an object"));
    }
    let members = MessageMembers::parse(document)?;
    if members.jsonrpc.is_none_or(|version| version.value != "\"2.0\"") {
        return Err(invalid("jsonrpc must be \"2.0\""));
    }
    let Some(method) = members.method else {
        let is_response = members.id.is_some() && (members.result.is_some() != members.error.is_some());
        return if is_response { Ok(Message::NoReply) } else { Err(invalid("method is missing")) };
    };
    let method_name = method.string().ok_or_else(|| invalid("method must be a string"))?;
    let Some(id) = members.id else { return Ok(Message::NoReply) };
    let id = read_id(id).ok_or_else(|| invalid("id must be an integer or a string of at most 256 bytes"))?;
    let params = RpcParams::parse(members.params)?;
    Ok(Message::Request(RpcRequest { id, method: McpMethod::parse(&method_name), method_name, params }))
}

fn read_id(id: &Member<'_>) -> Option<RpcId> {
    let text = id.value;
    let is_string = || text.len() <= ID_JSON_MAX && id.string().is_some_and(|string| string.len() <= ID_MAX);
    let is_integer = || serde_json::from_str::<i64>(text).is_ok() || serde_json::from_str::<u64>(text).is_ok();
    (is_integer() || is_string()).then(|| RpcId(text.into()))
}

#[cfg(test)]
mod tests;
