//! One call of a tool, as it is recorded: every call leaves exactly one [`CallRecord`], whatever became of it.

use crate::closed_set::closed_set;
use crate::ids::{ServerId, ToolId};
use crate::time::Timestamp;

closed_set! {
    /// Why a call failed: a closed set, for reports. The sentence for the caller is beside it.
    pub enum FailureReason {
        /// The arguments do not fit the tool's `input_schema`, or cannot be put where the mapping says.
        BadArguments = "bad_arguments",
        /// The upstream answered 4xx.
        Upstream4xx = "upstream_4xx",
        /// The upstream answered 5xx.
        Upstream5xx = "upstream_5xx",
        /// The upstream answered 429.
        RateLimitedUpstream = "rate_limited_upstream",
        /// The upstream speaks MCP, and its result says that it failed.
        UpstreamError = "upstream_error",
        /// The tool's time was over.
        Timeout = "timeout",
        /// Nobody listens there, or the connection broke.
        ConnectionFailed = "connection_failed",
        /// The upstream's name does not resolve.
        Dns = "dns",
        /// No secure connection could be made.
        Tls = "tls",
        /// The destination is not allowed.
        BlockedDestination = "blocked_destination",
        /// The answer is larger than is read.
        TooLarge = "too_large",
        /// The answer is not what was asked for: cut off, badly framed, not of the declared shape.
        BadResponse = "bad_response",
        /// The tool's credential is missing, unreadable, or was refused when a token was asked for.
        BadCredential = "bad_credential",
        /// The client went away.
        Cancelled = "cancelled",
        /// Our fault.
        Internal = "internal",
    }
}

/// What one call was.
#[derive(Clone, Debug)]
pub struct CallRecord {
    /// When it began.
    pub at: Timestamp,
    /// The server.
    pub server_id: ServerId,
    /// The tool.
    pub tool_id: ToolId,
    /// The kind of client, one of few.
    pub client_type: String,
    /// What the client calls itself, where it says.
    pub client_name: Option<String>,
    /// The protocol revision spoken; `None` for a plain JSON-RPC caller.
    pub protocol_version: Option<&'static str>,
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
}
