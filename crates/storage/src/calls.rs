//! The call log. Calls are ingested from journals in batches. The calls of a batch, its rollups and the position of its
//! journal are one transaction, so a batch that is ingested twice counts once.

use std::collections::HashMap;
use std::net::IpAddr;

use async_trait::async_trait;
use toolgate_domain::call::{CallCredential, CallId, CallRecord, CapturedPayload, FailureReason};
use toolgate_domain::ids::{EndpointKeyId, ServerId, ToolId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// The id of a journal, unique for each journal of each start of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JournalId(pub String);

/// Records of calls, in the order of the journal.
pub type CallIterator<'a> = Box<dyn ExactSizeIterator<Item = CallRecord> + Send + 'a>;

/// A batch of journal records with the numbers `first`, `first + 1`, …
pub struct CallBatch<'a> {
    /// The journal of the records.
    pub journal: &'a JournalId,
    /// Journal number of the first call in `calls`; numbers start at 1.
    pub first: u64,
    /// The records, as an iterator so that they need not all be in memory.
    pub calls: CallIterator<'a>,
    /// Last number, inclusive, that this batch covers, with lost records included.
    pub through: u64,
    /// Number of records between the previous batch and `through` that are lost: dropped because the journal was full,
    /// or unreadable.
    pub lost: u64,
}

/// Filter and range of a call log page, newest calls first.
#[derive(Clone, Debug)]
pub struct CallQuery {
    /// Only calls of servers that the caller may access.
    pub visibility: Visibility,
    /// Only calls of this server.
    pub server: Option<ServerId>,
    /// Only calls of this tool.
    pub tool: Option<ToolId>,
    /// Only calls of this client type.
    pub client_type: Option<String>,
    /// Only calls with this endpoint key.
    pub endpoint_key: Option<EndpointKeyId>,
    /// Only calls of this caller.
    pub caller: Option<CallCredential>,
    /// Only calls from this address.
    pub client_address: Option<IpAddr>,
    /// Only calls with this outcome.
    pub outcome: Option<CallOutcome>,
    /// Start of the time range, inclusive.
    pub from: Option<Timestamp>,
    /// End of the time range, exclusive.
    pub until: Option<Timestamp>,
    /// Only calls older than this one: the cursor of a page.
    pub before: Option<CallId>,
    /// Only calls newer than this one.
    pub after: Option<CallId>,
    /// Maximum number of calls.
    pub limit: u32,
}

impl CallQuery {
    /// All visible calls.
    pub fn all(visibility: Visibility, limit: u32) -> Self {
        Self {
            visibility,
            server: None,
            tool: None,
            client_type: None,
            endpoint_key: None,
            caller: None,
            client_address: None,
            outcome: None,
            from: None,
            until: None,
            before: None,
            after: None,
            limit,
        }
    }

    /// The lowest id that a call can have.
    pub(crate) fn first_id(&self) -> CallId {
        let from = self.from.map_or(0, |from| CallId::first_at(from).0);
        CallId(self.after.map_or(from, |after| from.max(after.0.saturating_add(1))))
    }
}

/// Outcome filter of a call log query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// The call succeeded.
    Success,
    /// The call failed for any reason.
    Failure,
    /// The call failed for this reason.
    FailedWith(FailureReason),
}

/// A call in the call log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedCall {
    /// Id of the call.
    pub id: CallId,
    /// Its record. The captured payload is only present if a single call is read.
    pub record: CallRecord,
    /// Current name of the server, or its last name if it was deleted.
    pub server_name: Option<String>,
    /// Current name of the tool, or its last name if it was deleted.
    pub tool_name: Option<String>,
    /// Name of the endpoint key or of the user; the last name of a deleted key.
    pub credential_name: Option<String>,
    /// Whether arguments and response were captured.
    pub is_captured: bool,
}

/// A page of the call log.
#[derive(Clone, Debug, Default)]
pub struct CallPage {
    /// Newest first. A page may be short or empty although there is a next one, because the scan for a page is bounded.
    pub calls: Vec<LoggedCall>,
    /// The value of `before` for the next page; `None` at the end of the log.
    pub next: Option<CallId>,
}

/// Ingest, queries and retention of the call log.
#[async_trait]
pub trait CallStore: Send + Sync {
    /// Registers journals with this database, in one transaction.
    async fn open_journals(&self, journals: &[JournalId]) -> Result<()>;

    /// Number of the last ingested record of the journal; `None` if the journal is not registered with this database.
    async fn journal_position(&self, journal: &JournalId) -> Result<Option<u64>>;

    /// Stores the calls, rollups and journal positions of batches, one of each journal, in one transaction. Records that
    /// are already stored are skipped. An unregistered journal is an error
    /// ([`NotFound`](crate::StorageError::NotFound)).
    async fn ingest_calls(&self, batches: Vec<CallBatch<'_>>) -> Result<()>;

    /// Removes the registration of a deleted journal.
    async fn close_journal(&self, journal: &JournalId) -> Result<()>;

    /// Reads a page of the call log.
    async fn calls(&self, query: &CallQuery) -> Result<CallPage>;

    /// Reads one call, with its captured payload.
    async fn call(&self, visibility: Visibility, id: CallId) -> Result<LoggedCall>;

    /// Reads the captured payloads of listed calls. Those that retention has deleted, and those of calls that the
    /// caller may no longer see, are missing.
    async fn captured_payloads(
        &self,
        visibility: Visibility,
        calls: &[&LoggedCall],
    ) -> Result<HashMap<CallId, CapturedPayload>>;

    /// Deletes a limited number of calls that ended before `cutoff`. Returns whether there are more.
    async fn delete_calls_before(&self, cutoff: Timestamp) -> Result<bool>;

    /// Creates the partitions for today and tomorrow, if the database uses partitions.
    async fn prepare_partitions(&self, now: Timestamp) -> Result<()>;

    /// Total number of calls that journals dropped.
    async fn lost_calls(&self) -> Result<u64>;
}
