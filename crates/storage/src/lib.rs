//! Persistent storage: one trait per aggregate, each operation atomic, and one SQL implementation for SQLite and
//! PostgreSQL.
//!
//! Two rules hold everywhere:
//! - An operation sees only what its [`Visibility`](toolgate_domain::user::Visibility) allows. An object of another
//!   owner is [`NotFound`](StorageError::NotFound), exactly like an object that does not exist.
//! - A change and its audit row are one transaction. Resealing has no audit row: no owner can see a difference.

mod api_keys;
mod backup;
mod calls;
mod changes;
mod endpoint_keys;
mod error;
mod owner_counts;
mod prompts;
mod published_servers;
mod resources;
mod sealing;
mod servers;
mod sql;
mod tools;
mod usage;
mod users;

pub use api_keys::ApiKeyStore;
pub use backup::{BackupContents, BackupError, PostgresAddress};
pub use calls::{CallBatch, CallOutcome, CallPage, CallQuery, CallStore, JournalId, LoggedCall};
pub use changes::{ChangeEvent, ChangeListener};
pub use endpoint_keys::{EndpointKeyStore, NewEndpointKey};
pub use error::{StorageError, StorageOpenError};
pub use owner_counts::{OwnerCounts, OwnerCountsReader};
pub use prompts::PromptStore;
pub use published_servers::{OwnerKey, PublishedServer, PublishedServerReader, UnreadableSecrets};
pub use resources::ResourceStore;
pub use sealing::{EncryptionKey, KeySource, Keyring, KeyringError, SealError};
pub use servers::{NewServer, ServerQuery, ServerStore};
pub use sql::{Backup, SqlStorage, StagedBackup};
pub use tools::{NewTool, ToolStore};
pub use usage::{ServerUsageQuery, ToolUsage, ToolUsageQuery, UsageByTool, UsageQuery, UsageReader};
pub use users::UserStore;

/// Result of a storage operation.
pub type Result<T> = std::result::Result<T, StorageError>;

/// Everything the service stores.
#[async_trait::async_trait]
pub trait Storage:
    ServerStore
    + ToolStore
    + PromptStore
    + ResourceStore
    + UserStore
    + ApiKeyStore
    + EndpointKeyStore
    + OwnerCountsReader
    + PublishedServerReader
    + CallStore
    + UsageReader
    + Send
    + Sync
{
    /// Checks that the database responds.
    async fn ping(&self) -> Result<()>;

    /// Reseals every secret with the first key of the keyring and removes the ids of keys that are no longer used.
    /// It can be interrupted and repeated at any time. Returns the number of resealed secrets.
    async fn reseal(&self, now: toolgate_domain::time::Timestamp) -> Result<u64>;

    /// Checks the whole database for damage and returns one line for each problem. The duration grows with the
    /// database.
    async fn check(&self) -> Result<Vec<String>>;

    /// Notifies `listener` of every change from now on. The first call also starts a task that watches for writes of
    /// other processes to the same database, so it must run in a Tokio runtime. Once the watch is active, listeners get
    /// [`ChangeEvent::Everything`], because earlier writes may have been missed.
    fn listen(&self, listener: std::sync::Arc<dyn ChangeListener>);

    /// Keys for signing data that a client stores and sends back: the first key signs, all keys verify. They are
    /// derived from the keyring, so all nodes of one database have the same keys. Each `purpose` has separate keys. Do
    /// not store them: the keyring may be rotated while the service runs.
    fn signing_keys(&self, purpose: &str) -> Vec<zeroize::Zeroizing<[u8; 32]>>;

    /// Finishes running operations, delivers pending change events and closes the connections.
    async fn close(&self);
}
