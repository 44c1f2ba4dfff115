//! A call's record as the journal holds it. The reason of a failure is there by its name: to a version of this program
//! that does not know it, the call failed for a reason of the program itself, but it is a call.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use toolgate_domain::call::{CallRecord, Captured, FailureReason};
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;

/// How large a buffer is at first; most records need a third of it.
const SMALLEST: usize = 512;

/// The record, borrowed. The order of the fields is the format: a change of it is a new version of segments.
#[derive(Serialize, Deserialize)]
struct Entry<'a> {
    at_ms: i64,
    user_id: i64,
    server_id: i64,
    tool_id: i64,
    client_type: &'a str,
    #[serde(borrow)]
    client_name: Option<&'a str>,
    protocol_version: Option<&'a str>,
    failure: Option<&'a str>,
    upstream_status: Option<u16>,
    duration_us: u64,
    upstream_us: u64,
    request_bytes: u64,
    response_bytes: u64,
    cache_hit: bool,
    request_id: &'a str,
    captured: Option<(&'a str, &'a str)>,
}

/// Writes the record into `buffer` from a place on, and returns where it ends. The buffer grows where it must and is used
/// again as it is: writing into bytes that are there costs half of what appending them one by one does.
pub(super) fn encode(record: &CallRecord, buffer: &mut Vec<u8>, from: usize) -> Option<usize> {
    let entry = Entry::of(record);
    loop {
        match postcard::to_slice(&entry, buffer.get_mut(from..).unwrap_or_default()) {
            Ok(written) => return Some(from + written.len()),
            Err(postcard::Error::SerializeBufferFull) => buffer.resize((buffer.len() * 2).max(SMALLEST), 0),
            Err(_) => return None, // never comes of a record
        }
    }
}

impl<'a> Entry<'a> {
    fn of(record: &'a CallRecord) -> Self {
        Self {
            at_ms: record.at.as_millis(),
            user_id: record.user_id.0,
            server_id: record.server_id.0,
            tool_id: record.tool_id.0,
            client_type: &record.client_type,
            client_name: record.client_name.as_deref(),
            protocol_version: record.protocol_version.as_deref(),
            failure: record.failure.map(FailureReason::as_str),
            upstream_status: record.upstream_status,
            duration_us: record.duration_us,
            upstream_us: record.upstream_us,
            request_bytes: record.request_bytes,
            response_bytes: record.response_bytes,
            cache_hit: record.cache_hit,
            request_id: &record.request_id,
            captured: record.captured.as_ref().map(|captured| (&*captured.arguments, &*captured.response)),
        }
    }
}

/// What records have in common that change the same sums of an hour: tool and type of client. `None` for what this
/// version does not understand.
pub(super) fn kind(payload: &[u8]) -> Option<(i64, &str)> {
    postcard::from_bytes(payload).ok().map(|entry: Entry<'_>| (entry.tool_id, entry.client_type))
}

/// Reads a record; `None` for what this version does not understand.
pub(super) fn decode(payload: &[u8]) -> Option<CallRecord> {
    let entry: Entry<'_> = postcard::from_bytes(payload).ok()?;
    Some(CallRecord {
        at: Timestamp::from_millis(entry.at_ms),
        user_id: UserId(entry.user_id),
        server_id: ServerId(entry.server_id),
        tool_id: ToolId(entry.tool_id),
        client_type: entry.client_type.to_owned(),
        client_name: entry.client_name.map(str::to_owned),
        protocol_version: entry.protocol_version.map(|name| Cow::Owned(name.to_owned())),
        failure: entry.failure.map(|name| FailureReason::parse(name).unwrap_or(FailureReason::Internal)),
        upstream_status: entry.upstream_status,
        duration_us: entry.duration_us,
        upstream_us: entry.upstream_us,
        request_bytes: entry.request_bytes,
        response_bytes: entry.response_bytes,
        cache_hit: entry.cache_hit,
        request_id: entry.request_id.to_owned(),
        captured: entry
            .captured
            .map(|(arguments, response)| Captured { arguments: arguments.to_owned(), response: response.to_owned() }),
    })
}
