//! The log of calls. Calls come in from a journal, in batches; each batch, the sums it changes and how far the journal
//! has come are one transaction, so that a batch that is moved twice counts once.

use async_trait::async_trait;
use toolgate_domain::call::{CallId, CallRecord, FailureReason};
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use crate::Result;

/// The name of a journal: unique to one start of one process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JournalId(pub String);

/// What a journal hands over: the records `first`, `first + 1`, …
pub struct CallBatch<'a> {
    /// Of which journal.
    pub journal: &'a JournalId,
    /// Number of the first of `calls` in the journal; records are counted from 1.
    pub first: u64,
    /// The records, which need not all be in memory at once.
    pub calls: Box<dyn ExactSizeIterator<Item = CallRecord> + Send + 'a>,
    /// Up to which number, included, the journal has nothing more to hand over.
    pub through: u64,
    /// How many before `through` the journal had to give up, for want of room or because they cannot be read.
    pub lost: u64,
}

/// Which calls to list, newest first.
#[derive(Clone, Debug)]
pub struct CallQuery {
    /// Whose servers.
    pub visibility: Visibility,
    /// Of one server.
    pub server: Option<ServerId>,
    /// Of one tool.
    pub tool: Option<ToolId>,
    /// Of one type of client.
    pub client_type: Option<String>,
    /// With this outcome.
    pub outcome: Option<CallOutcome>,
    /// Not before this moment.
    pub from: Option<Timestamp>,
    /// Before this moment.
    pub until: Option<Timestamp>,
    /// Older than this call.
    pub before: Option<CallId>,
    /// At most so many.
    pub limit: u32,
}

impl CallQuery {
    /// All calls that there are to see.
    pub fn all(visibility: Visibility, limit: u32) -> Self {
        Self {
            visibility,
            server: None,
            tool: None,
            client_type: None,
            outcome: None,
            from: None,
            until: None,
            before: None,
            limit,
        }
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// Well.
    Success,
    /// Not well, for whatever reason.
    Failure,
    /// Not well, for this reason.
    FailedWith(FailureReason),
}

/// A call in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedCall {
    /// Its id.
    pub id: CallId,
    /// What it was. What was captured is there only where a single call is read.
    pub record: CallRecord,
    /// What its server is called, or was called when it was deleted.
    pub server_name: Option<String>,
    /// What its tool is called, or was called when it was deleted.
    pub tool_name: Option<String>,
    /// Whether arguments and answer were captured.
    pub is_captured: bool,
}

/// Some calls of the log.
#[derive(Clone, Debug, Default)]
pub struct CallPage {
    /// Newest first. A page may be short, even empty, although there is a next one: looking takes a bounded time.
    pub calls: Vec<LoggedCall>,
    /// Where the next page begins: `before` of its query. None at the end of the log.
    pub next: Option<CallId>,
}

/// The log of calls.
#[async_trait]
pub trait CallStore: Send + Sync {
    /// Makes a journal known to this database.
    async fn open_journal(&self, journal: &JournalId) -> Result<()>;

    /// Up to which number the journal's records are here; none for a journal of another database.
    async fn journal_position(&self, journal: &JournalId) -> Result<Option<u64>>;

    /// Takes in a batch: calls, sums and position, at once or not at all. What is here already is passed over, and a
    /// journal that is not known is an error ([`NotFound`](crate::StorageError::NotFound)).
    async fn ingest_calls(&self, batch: CallBatch<'_>) -> Result<()>;

    /// Forgets a journal that is gone.
    async fn close_journal(&self, journal: &JournalId) -> Result<()>;

    /// A page of the log.
    async fn calls(&self, query: &CallQuery) -> Result<CallPage>;

    /// One call, with what was captured.
    async fn call(&self, visibility: Visibility, id: CallId) -> Result<LoggedCall>;

    /// Forgets calls that ended before a moment: a bounded step. Says whether there are more.
    async fn delete_calls_before(&self, moment: Timestamp) -> Result<bool>;

    /// Makes room for the calls of the day of this moment and of the next, where the database wants that in advance.
    async fn prepare_partitions(&self, now: Timestamp) -> Result<()>;

    /// How many calls journals had to give up, ever.
    async fn lost_calls(&self) -> Result<u64>;
}
