//! The encoding of a call record in the journal: a [`JournalEntry`], then the [`CallOrigin`], which records of earlier
//! versions do not have, then the [`ResultTokens`] of a call that has them. A failure reason is stored by name; a
//! version that does not know the name decodes it as an internal failure.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use toolgate_domain::call::{CallOrigin, CallRecord, CapturedPayload, FailureReason, ResultTokens};
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;

/// Initial size of a buffer, in bytes; most records need a third of it.
const BUFFER_MIN: usize = 512;

/// A borrowed call record. The order of the fields is the format: a change requires a new segment version, except for
/// values that are appended to the record, which earlier versions ignore.
#[derive(Serialize, Deserialize)]
struct JournalEntry<'a> {
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

/// Encodes a record into `buffer` at offset `from`, and returns its end offset. The buffer grows if necessary and is
/// reused without clearing: writing into existing bytes costs half as much as appending.
pub(super) fn encode(record: &CallRecord, buffer: &mut Vec<u8>, from: usize) -> Option<usize> {
    let entry = (JournalEntry::from_record(record), record.origin);
    loop {
        let free = buffer.get_mut(from..).unwrap_or_default();
        let encoded = match record.tokens {
            Some(tokens) => postcard::to_slice(&(&entry, tokens), free),
            None => postcard::to_slice(&entry, free),
        };
        match encoded {
            Ok(encoded) => return Some(from + encoded.len()),
            Err(postcard::Error::SerializeBufferFull) => buffer.resize((buffer.len() * 2).max(BUFFER_MIN), 0),
            // Unreachable for a record: the only possible error is a full buffer.
            Err(_) => return None,
        }
    }
}

impl<'a> JournalEntry<'a> {
    fn from_record(record: &'a CallRecord) -> Self {
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

/// When the call of a record ended, and the key of the hourly rollup that it changes: tool and client type. `None` if
/// this version cannot decode the record.
pub(super) fn time_and_rollup_key(payload: &[u8]) -> Option<(Timestamp, (i64, &str))> {
    let (entry, _) = read(payload)?;
    Some((Timestamp::from_millis(entry.at_ms), (entry.tool_id, entry.client_type)))
}

/// The values that were appended to the entry in later versions.
type AppendedValues = (CallOrigin, Option<ResultTokens>);

/// Reads a record. A record of an earlier version ends before the origin or before the tokens.
fn read(payload: &[u8]) -> Option<(JournalEntry<'_>, AppendedValues)> {
    let (entry, rest) = postcard::take_from_bytes(payload).ok()?;
    if rest.is_empty() {
        return Some((entry, AppendedValues::default()));
    }
    let (origin, rest) = postcard::take_from_bytes(rest).ok()?;
    let tokens = if rest.is_empty() { None } else { Some(postcard::from_bytes(rest).ok()?) };
    Some((entry, (origin, tokens)))
}

/// Decodes a record; `None` if this version cannot decode it.
pub(super) fn decode(payload: &[u8]) -> Option<CallRecord> {
    let (entry, (origin, tokens)) = read(payload)?;
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
        tokens,
        request_id: entry.request_id.to_owned(),
        origin,
        captured: entry.captured.map(|(arguments, response)| CapturedPayload {
            arguments: arguments.to_owned(),
            response: response.to_owned(),
        }),
    })
}
