//! The packed format of a block of calls: shared values once (targets, clients and origins), then the columns for
//! filtering, then the details of each call. A page of the log unpacks only the details of the calls that it shows.

mod pack;
#[cfg(test)]
mod tests;
mod unpack;

use serde::{Deserialize, Serialize};
use toolgate_domain::call::{CallOrigin, CallRecord};

pub(super) use pack::pack;
pub(super) use unpack::{CallBlock, PackedCall, ids};

/// First byte of a block. A change of the format needs a new version; old versions must stay readable.
const VERSION: u8 = 2;
/// The version without the [`OriginColumn`].
const VERSION_WITHOUT_ORIGINS: u8 = 1;

/// Owner, server and tool of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct CallTarget {
    pub(super) user: i64,
    pub(super) server: i64,
    pub(super) tool: i64,
}

impl CallTarget {
    pub(super) fn from_record(record: &CallRecord) -> Self {
        Self { user: record.user_id.0, server: record.server_id.0, tool: record.tool_id.0 }
    }
}

/// The client of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct PackedClient<'a> {
    pub(super) kind: &'a str,
    #[serde(borrow)]
    name: Option<&'a str>,
    protocol_version: Option<&'a str>,
}

impl<'a> PackedClient<'a> {
    fn from_record(record: &'a CallRecord, kind: &'a str) -> Self {
        Self { kind, name: record.client_name.as_deref(), protocol_version: record.protocol_version.as_deref() }
    }
}

/// The columns of a call for filtering.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct CallKey {
    /// Index in `targets`.
    target: u32,
    /// Index in `clients`.
    client: u32,
    /// 0 for success, else the number of the failure reason.
    outcome: u8,
    /// Length of the packed [`CallDetails`] in bytes.
    length: u32,
}

/// The other columns of a call, only unpacked for calls on a page. The `ResultTokens` of a call follow them, if it has
/// any; earlier versions ignore them.
#[derive(Serialize, Deserialize)]
struct CallDetails<'a> {
    upstream_status: Option<u16>,
    duration_us: u64,
    upstream_us: u64,
    request_bytes: u64,
    response_bytes: u64,
    cache_hit: bool,
    is_captured: bool,
    request_id: &'a str,
}

impl<'a> CallDetails<'a> {
    fn from_record(record: &'a CallRecord) -> Self {
        Self {
            upstream_status: record.upstream_status,
            duration_us: record.duration_us,
            upstream_us: record.upstream_us,
            request_bytes: record.request_bytes,
            response_bytes: record.response_bytes,
            cache_hit: record.cache_hit,
            is_captured: record.captured.is_some(),
            request_id: &record.request_id,
        }
    }
}

/// The shared values of a block and the columns for filtering.
#[derive(Serialize, Deserialize)]
struct BlockHeader<'a> {
    targets: Vec<CallTarget>,
    #[serde(borrow)]
    clients: Vec<PackedClient<'a>>,
    /// One for each call, in the order of the ids.
    keys: Vec<CallKey>,
}

/// The origins of the calls. It follows the header.
#[derive(Default, Serialize, Deserialize)]
struct OriginColumn {
    origins: Vec<CallOrigin>,
    /// One index in `origins` for each call, in the order of the ids.
    indexes: Vec<u32>,
}
