//! One call of a tool, as it is recorded: every call leaves exactly one [`CallRecord`], whatever became of it.

mod failure;

use std::borrow::Cow;

use serde::Serialize;

use crate::ids::{ServerId, ToolId, UserId};
use crate::time::Timestamp;

pub use failure::FailureReason;

/// The name of a recorded call, and its place in the log: the milliseconds of its time, then a number among those of
/// the same millisecond. So the order of ids is the order of time, and a range of time is a range of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct CallId(pub i64);

impl CallId {
    /// Ids in one millisecond; a JavaScript number holds every id until the year 2248.
    pub const PER_MILLISECOND: i64 = 1024;

    /// The smallest id of a moment.
    pub const fn first_at(moment: Timestamp) -> Self {
        Self(moment.as_millis().saturating_mul(Self::PER_MILLISECOND))
    }

    /// The moment.
    pub const fn time(self) -> Timestamp {
        Timestamp::from_millis(self.0.div_euclid(Self::PER_MILLISECOND))
    }
}

/// What one call was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRecord {
    /// When it ended: a call counts in the hour and the day in which it was answered.
    pub at: Timestamp,
    /// Who owns the server.
    pub user_id: UserId,
    /// The server.
    pub server_id: ServerId,
    /// The tool.
    pub tool_id: ToolId,
    /// The kind of client, one of few.
    pub client_type: String,
    /// What the client calls itself, where it says.
    pub client_name: Option<String>,
    /// The protocol revision spoken; `None` for a plain JSON-RPC caller.
    pub protocol_version: Option<Cow<'static, str>>,
    /// `None` for success.
    pub failure: Option<FailureReason>,
    /// Status of the upstream's answer, where there was one.
    pub upstream_status: Option<u16>,
    /// From the request to its answer.
    pub duration_us: u64,
    /// Of that, waiting for the upstream.
    pub upstream_us: u64,
    /// Bytes of the arguments.
    pub request_bytes: u64,
    /// Bytes of the upstream's body.
    pub response_bytes: u64,
    /// Whether the answer came from the cache.
    pub cache_hit: bool,
    /// The request's id, as in the reply's `X-Request-Id`.
    pub request_id: String,
    /// What was said, where the server's settings switch capture on.
    pub captured: Option<Captured>,
}

impl CallRecord {
    /// A call that has begun. Until more is known of it, its client went away.
    pub fn begun(user_id: UserId, server_id: ServerId, tool_id: ToolId, client_type: String) -> Self {
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
            request_id: String::new(),
            captured: None,
        }
    }
}

/// What was said in a call, cut to size, declared secrets masked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The arguments, as JSON.
    pub arguments: String,
    /// What the client was answered, as text.
    pub response: String,
}
