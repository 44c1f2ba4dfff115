//! Events for subscribers, sent as they happen.

use toolgate_domain::call::CallRecord;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::time::Timestamp;

/// Activity at a server's endpoint.
#[derive(Clone, Debug)]
pub enum ActivityEvent {
    /// A call ended.
    Call {
        /// The record without captured payloads: events of slow subscribers are buffered in memory.
        record: CallRecord,
        /// Whether arguments and response are stored.
        is_captured: bool,
    },
    /// A client sent `initialize`, `server/discover` or `tools/list`.
    ClientConnected(ClientConnected),
}

/// A client that connected to a server.
#[derive(Clone, Debug)]
pub struct ClientConnected {
    /// Time of the request.
    pub at: Timestamp,
    /// Owner of the server.
    pub user_id: UserId,
    /// The server.
    pub server_id: ServerId,
    /// Client type: predefined, or derived from the client's name.
    pub client_type: String,
    /// Name that the client reports, if any.
    pub client_name: Option<String>,
    /// The MCP protocol revision; `None` for a plain JSON-RPC client.
    pub protocol_version: Option<&'static str>,
    /// The requested method.
    pub method: &'static str,
}

impl ActivityEvent {
    pub(crate) fn from_record(record: &CallRecord, is_captured: bool) -> Self {
        Self::Call { record: CallRecord { captured: None, ..record.clone() }, is_captured }
    }

    /// The user who may see the event, in addition to administrators.
    pub fn user_id(&self) -> UserId {
        match self {
            Self::Call { record, .. } => record.user_id,
            Self::ClientConnected(client) => client.user_id,
        }
    }

    /// The server.
    pub fn server_id(&self) -> ServerId {
        match self {
            Self::Call { record, .. } => record.server_id,
            Self::ClientConnected(client) => client.server_id,
        }
    }
}
