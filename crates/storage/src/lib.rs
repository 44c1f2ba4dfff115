//! Persistent storage: one trait per aggregate, each operation atomic, and one SQL implementation for SQLite and
//! PostgreSQL.
//!
//! Two rules hold everywhere:
//! - An operation sees only what its [`Visibility`](toolgate_domain::user::Visibility) allows. An object that
//!   the caller may not see is [`NotFound`](StorageError::NotFound), exactly like an object that does not exist. A
//!   member of a server who may see an object, but not change it, gets [`Forbidden`](StorageError::Forbidden).
//! - A change and its audit row are one transaction. Resealing has no audit row: no owner can see a difference.

mod access;
mod api_keys;
mod audit;
mod backup;
mod calls;
mod changes;
mod documents;
mod ended_sessions;
mod endpoint_keys;
mod error;
mod grants;
mod identities;
mod members;
mod nodes;
mod oauth_clients;
mod oauth_servers;
mod owner_counts;
mod pool_state;
mod prompts;
mod published_servers;
mod resources;
mod sealing;
mod server_credentials;
mod servers;
mod sign_in;
mod sql;
mod storage;
mod tool_imports;
mod tools;
mod trace;
mod usage;
mod users;

pub use access::{AccessStore, KeyUse, RefusalCount, RefusalQuery, RefusalTotals};
pub use api_keys::{ApiKeyStore, FirstKeyOutcome};
pub use audit::{AuditQuery, AuditReader};
pub use backup::{BackupContents, BackupError, PostgresAddress};
pub use calls::{CallBatch, CallIterator, CallOutcome, CallPage, CallQuery, CallStore, JournalId, LoggedCall};
pub use changes::{ChangeEvent, ChangeListener, ChangeRelay, DeliveryCounts, NotificationCounts};
pub use documents::{DocumentStore, DocumentVersion};
pub use ended_sessions::EndedSessionStore;
pub use endpoint_keys::{EndpointKeyStore, NewEndpointKey};
pub use error::{Result, StorageError, StorageOpenError};
pub use grants::GrantStore;
pub use identities::IdentityStore;
pub use members::MemberStore;
pub use nodes::{NodeHeartbeat, NodeStore};
pub use oauth_clients::OAuthClientStore;
pub use oauth_servers::{OAuthServer, OAuthServerReader};
pub use owner_counts::{OwnerCounts, OwnerCountsReader};
pub use pool_state::PoolState;
pub use prompts::PromptStore;
pub use published_servers::{OwnerKey, PublishedKey, PublishedServer, PublishedServerReader, UnreadableSecrets};
pub use resources::ResourceStore;
pub use sealing::{EncryptionKey, KeySource, Keyring, KeyringError, SealError};
pub use server_credentials::ServerCredentialStore;
pub use servers::{NewServer, ServerQuery, ServerStore};
pub use sign_in::SignInStore;
pub use sql::{Backup, SqlStorage, StagedBackup};
pub use storage::Storage;
pub use tool_imports::{
    DocumentTarget, ImportOutcome, ImportResult, ImportedCredential, ImportedDocument, ImportedTool, SkipReason,
    ToolChange, ToolChangeKind, ToolImport, ToolImportOutcomes, ToolImportStore, ToolUpdate,
};
pub use tools::{NewTool, ToolFilter, ToolStore};
pub use trace::with_trace;
pub use usage::{
    KeyUsage, KeyUsageQuery, ServerUsageQuery, ToolUsage, ToolUsageQuery, UsageByKey, UsageByTool, UsageQuery,
    UsageReader,
};
pub use users::UserStore;
