//! Reading what a client sends: strictly, because whatever two parsers read differently is a way around a check.

use serde_json::value::RawValue;
use toolgate_domain::json::{self, JsonFault, JsonFaultKind, Member, Outline};

use super::members::Members;
use super::{Params, RpcError};

/// Most messages of one batch.
const BATCH_MAX: usize = 50;
/// Longest id, as JSON text: 256 bytes of string, each of which may be escaped.
const ID_MAX: usize = 256 * 6 + 2;

/// What one body holds.
#[derive(Debug)]
pub(crate) enum Batch {
    /// One message.
    Single(Message),
    /// An array; each is read for itself.
    Many(Vec<Result<Message, RpcError>>),
}

/// One message.
#[derive(Debug)]
pub(crate) enum Message {
    /// It wants an answer.
    Request(Request),
    /// A notification, or the answer to a request we never sent: received, and that is all.
    Quiet,
}

/// A request.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) id: Id,
    pub(crate) method: String,
    pub(crate) params: Params,
}

/// An id as it came: an integer or a string.
#[derive(Clone, Debug)]
pub(crate) struct Id(Box<str>);

impl Id {
    pub(crate) fn as_json(&self) -> &str {
        &self.0
    }
}

/// Reads a whole body.
pub(crate) fn read(body: &[u8]) -> Result<Batch, RpcError> {
    let document = json::outline(body).map_err(|fault| refuse(&fault))?;
    if !document.text.starts_with('[') {
        return message(&document).map(Batch::Single);
    }
    let items: Vec<&RawValue> = serde_json::from_str(document.text).map_err(|error| refuse(&error.into()))?;
    if items.is_empty() {
        return Err(RpcError::invalid_request("Invalid request: an empty batch"));
    }
    if items.len() > BATCH_MAX {
        return Err(RpcError::invalid_request(format!("Invalid request: more than {BATCH_MAX} messages in one batch")));
    }
    let item = |item: &RawValue| {
        json::outline(item.get().as_bytes()).map_err(|fault| refuse(&fault)).and_then(|item| message(&item))
    };
    Ok(Batch::Many(items.into_iter().map(item).collect()))
}

fn refuse(fault: &JsonFault) -> RpcError {
    match fault.kind {
        JsonFaultKind::DuplicateKey | JsonFaultKind::ReservedKey => {
            RpcError::invalid_request(format!("Invalid request: {fault}"))
        }
        JsonFaultKind::Syntax | JsonFaultKind::TooDeep | JsonFaultKind::TooMany => RpcError::parse(&fault.to_string()),
    }
}

fn message(document: &Outline<'_>) -> Result<Message, RpcError> {
    let invalid = |reason: &'static str| RpcError::invalid_request(format!("Invalid request: {reason}"));
    if !document.text.starts_with('{') {
        return Err(invalid("a message is an object"));
    }
    let members = Members::of(document)?;
    if members.jsonrpc.is_none_or(|version| version.value != "\"2.0\"") {
        return Err(invalid("jsonrpc must be \"2.0\""));
    }
    let Some(method) = members.method else {
        let is_response = members.id.is_some() && (members.result.is_some() != members.error.is_some());
        return if is_response { Ok(Message::Quiet) } else { Err(invalid("method is missing")) };
    };
    let method = method.string().ok_or_else(|| invalid("method must be a string"))?;
    let Some(id) = members.id else { return Ok(Message::Quiet) };
    let id = read_id(id).ok_or_else(|| invalid("id must be an integer or a string of at most 256 bytes"))?;
    let params = Params::of(members.params)?;
    Ok(Message::Request(Request { id, method, params }))
}

fn read_id(id: &Member<'_>) -> Option<Id> {
    let text = id.value;
    let is_string = || text.len() <= ID_MAX && id.string().is_some_and(|string| string.len() <= 256);
    let is_integer = || serde_json::from_str::<i64>(text).is_ok() || serde_json::from_str::<u64>(text).is_ok();
    (is_integer() || is_string()).then(|| Id(text.into()))
}

#[cfg(test)]
mod tests;
