//! The record of a tool call: every call leaves exactly one [`CallRecord`], however it ends.

mod caller;
mod failure;
mod origin;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::ids::{ServerId, ToolId, UserId};
use crate::time::Timestamp;

pub use caller::{CallerIdentity, IdentityKind};
pub use failure::FailureReason;
pub use origin::{CallCredential, CallOrigin};

/// The id of a recorded call: the millisecond in which it ended, then a sequence number within that millisecond. Ids
/// sort by time, so that a time range is a range of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct CallId(pub i64);

impl CallId {
    /// Ids per millisecond. With this factor, ids stay below 2^53, the limit of JavaScript numbers, until the year
    /// 2248.
    pub const PER_MILLISECOND: i64 = 1024;

    /// The smallest id for a point in time.
    pub const fn first_at(time: Timestamp) -> Self {
        Self(time.as_millis().saturating_mul(Self::PER_MILLISECOND))
    }

    /// The time at which the call ended.
    pub const fn time(self) -> Timestamp {
        Timestamp::from_millis(self.0.div_euclid(Self::PER_MILLISECOND))
    }
}

/// The record of one tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRecord {
    /// When it ended: a call counts in the hour and the day in which it ended.
    pub at: Timestamp,
    /// Owner of the server.
    pub user_id: UserId,
    /// The server.
    pub server_id: ServerId,
    /// The tool.
    pub tool_id: ToolId,
    /// Client type: predefined, or derived from the client's name (see [`client_type`](crate::client_type)).
    pub client_type: String,
    /// Name that the client reports, if any.
    pub client_name: Option<String>,
    /// The MCP protocol revision; `None` for a plain JSON-RPC client.
    pub protocol_version: Option<Cow<'static, str>>,
    /// `None` for success.
    pub failure: Option<FailureReason>,
    /// Status of the upstream's response, if there was one.
    pub upstream_status: Option<u16>,
    /// Time from the request to the response.
    pub duration_us: u64,
    /// The part of `duration_us` spent waiting for the upstream.
    pub upstream_us: u64,
    /// Size of the arguments.
    pub request_bytes: u64,
    /// Size of the upstream's response body.
    pub response_bytes: u64,
    /// Whether the response came from the cache.
    pub cache_hit: bool,
    /// Estimated tokens of the result; `None` if its response was not shaped.
    pub tokens: Option<ResultTokens>,
    /// The request id, as in the response header `X-Request-Id`.
    pub request_id: String,
    /// Who made the call, and from where.
    pub origin: CallOrigin,
    /// Arguments and response, if the server's settings enable capture.
    pub captured: Option<CapturedPayload>,
}

impl CallRecord {
    /// A call that has started. Its failure is `Cancelled` until its result is known, so that the record is correct if
    /// the future of the call is dropped.
    pub fn new(user_id: UserId, server_id: ServerId, tool_id: ToolId, client_type: String) -> Self {
        Self {
            at: Timestamp::from_millis(0),
            user_id,
            server_id,
            tool_id,
            client_type,
            client_name: None,
            protocol_version: None,
            failure: Some(FailureReason::Cancelled),
            upstream_status: None,
            duration_us: 0,
            upstream_us: 0,
            request_bytes: 0,
            response_bytes: 0,
            cache_hit: false,
            tokens: None,
            request_id: String::new(),
            origin: CallOrigin::default(),
            captured: None,
        }
    }
}

/// Estimated tokens of a result that was shaped. The journal and the call log store this type by the order of its
/// fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultTokens {
    /// Tokens that the client got.
    pub out: u64,
    /// Tokens of the upstream's response that shaping left out.
    pub saved: u64,
}

/// Arguments and response of a call, truncated, with declared secrets masked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CapturedPayload {
    /// The arguments, as JSON.
    pub arguments: String,
    /// The response to the client, as text.
    pub response: String,
}
