//! What whoever watches is told the moment it happens.

use toolgate_domain::call::CallRecord;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::time::Timestamp;

/// Something happened at a server's endpoint.
#[derive(Clone, Debug)]
pub enum Event {
    /// A call ended.
    Call {
        /// What it was, without what was captured: events wait in memory for whoever reads slowly.
        record: CallRecord,
        /// Whether arguments and answer are kept.
        is_captured: bool,
    },
    /// A client looked around: `initialize`, `server/discover` or `tools/list`.
    ClientConnected(ClientConnected),
}

/// A client that came to a server.
#[derive(Clone, Debug)]
pub struct ClientConnected {
    /// When.
    pub at: Timestamp,
    /// Who owns the server.
    pub user_id: UserId,
    /// The server.
    pub server_id: ServerId,
    /// The kind of client, one of few.
    pub client_type: String,
    /// What the client calls itself, where it says.
    pub client_name: Option<String>,
    /// The protocol revision spoken; `None` for a plain JSON-RPC caller.
    pub protocol_version: Option<&'static str>,
    /// What it asked for.
    pub method: &'static str,
}

impl Event {
    pub(crate) fn call(record: &CallRecord, is_captured: bool) -> Self {
        Self::Call { record: CallRecord { captured: None, ..record.clone() }, is_captured }
    }

    /// Who may see it, beside administrators.
    pub fn user_id(&self) -> UserId {
        match self {
            Self::Call { record, .. } => record.user_id,
            Self::ClientConnected(client) => client.user_id,
        }
    }

    /// At which server it happened.
    pub fn server_id(&self) -> ServerId {
        match self {
            Self::Call { record, .. } => record.server_id,
            Self::ClientConnected(client) => client.server_id,
        }
    }
}
