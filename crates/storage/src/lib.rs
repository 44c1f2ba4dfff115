//! Where the product's objects live. One documented trait per aggregate, each operation atomic, each in
//! the product's own words; one SQL implementation for SQLite and PostgreSQL behind them.
//!
//! Two rules hold everywhere:
//! - an operation sees only what its [`Visibility`](domain::user::Visibility) allows: what belongs to
//!   somebody else is [`NotFound`](StorageError::NotFound), exactly like what does not exist;
//! - a change and its audit row are one transaction (sealing anew changes nothing that an owner could see).

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
    /// Whether the database answers; `Ok` means that it does.
    async fn ping(&self) -> Result<()>;

    /// Seals every secret anew with the first key of the keyring and forgets keys no longer used.
    /// May be interrupted and run again at any time. Returns how many were sealed anew.
    async fn reseal(&self, now: toolgate_domain::time::Timestamp) -> Result<u64>;

    /// Looks through the whole database for damage, and returns what it finds, a line each. Takes as long as that takes.
    async fn check(&self) -> Result<Vec<String>>;

    /// Tells `listener` of every change from now on. The first call also begins to watch for what other processes write
    /// to the same database, which needs the async runtime; it tells of [`ChangeEvent::Everything`] as soon as it watches.
    fn listen(&self, listener: std::sync::Arc<dyn ChangeListener>);

    /// Keys for signing what a client carries to and fro, derived from the keyring, so that every node of one database
    /// signs and reads alike: the first signs, all verify. Another `purpose` has other keys. Ask again for each use:
    /// the keyring may be rotated while the service runs.
    fn signing_keys(&self, purpose: &str) -> Vec<zeroize::Zeroizing<[u8; 32]>>;

    /// Finishes what is under way, changes yet to be told included, and closes the connections.
    async fn close(&self);
}
