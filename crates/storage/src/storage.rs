//! The trait of the whole storage.

use std::sync::Arc;

use async_trait::async_trait;
use toolgate_domain::time::Timestamp;
use zeroize::Zeroizing;

use crate::access::AccessStore;
use crate::api_keys::ApiKeyStore;
use crate::audit::AuditReader;
use crate::calls::CallStore;
use crate::changes::{ChangeListener, ChangeRelay, NotificationCounts};
use crate::documents::DocumentStore;
use crate::ended_sessions::EndedSessionStore;
use crate::endpoint_keys::EndpointKeyStore;
use crate::error::Result;
use crate::grants::GrantStore;
use crate::identities::IdentityStore;
use crate::members::MemberStore;
use crate::nodes::NodeStore;
use crate::oauth_clients::OAuthClientStore;
use crate::oauth_servers::OAuthServerReader;
use crate::owner_counts::OwnerCountsReader;
use crate::pool_state::PoolState;
use crate::prompts::PromptStore;
use crate::published_servers::PublishedServerReader;
use crate::resources::ResourceStore;
use crate::server_credentials::ServerCredentialStore;
use crate::servers::ServerStore;
use crate::sign_in::SignInStore;
use crate::tool_imports::ToolImportStore;
use crate::tools::ToolStore;
use crate::usage::UsageReader;
use crate::users::UserStore;

/// Everything the service stores.
#[async_trait]
pub trait Storage:
    ServerStore
    + ToolStore
    + ToolImportStore
    + DocumentStore
    + PromptStore
    + ResourceStore
    + ServerCredentialStore
    + UserStore
    + ApiKeyStore
    + EndedSessionStore
    + EndpointKeyStore
    + GrantStore
    + IdentityStore
    + MemberStore
    + NodeStore
    + OAuthClientStore
    + OAuthServerReader
    + SignInStore
    + AuditReader
    + AccessStore
    + OwnerCountsReader
    + PublishedServerReader
    + CallStore
    + UsageReader
    + Send
    + Sync
{
    /// Checks that the database responds.
    async fn ping(&self) -> Result<()>;

    /// The state of the connection pools; it needs no connection.
    fn pool_states(&self) -> Vec<PoolState>;

    /// Reseals every secret with the first key of the keyring and removes the ids of keys that are no longer used.
    /// It can be interrupted and repeated at any time. Returns the number of resealed secrets.
    async fn reseal(&self, now: Timestamp) -> Result<u64>;

    /// Checks the whole database for damage and returns one line for each problem. The duration grows with the
    /// database.
    async fn check(&self) -> Result<Vec<String>>;

    /// Notifies `listener` of every change from now on. The first call also starts a task that watches for writes of
    /// other processes to the same database, so it must run in a Tokio runtime. Once the watch is active, listeners get
    /// [`ChangeEvent::Everything`](crate::ChangeEvent::Everything), because earlier writes may have been missed.
    fn listen(&self, listener: Arc<dyn ChangeListener>);

    /// Sends the notifications for other nodes through `relay` as well. Only the first call has an effect.
    fn set_change_relay(&self, relay: Arc<dyn ChangeRelay>);

    /// Publishes the change of a notification that the relay of another node sent, unless the database has delivered
    /// the same notification before. A text that is not a notification is ignored.
    fn receive_relayed(&self, notification: &str);

    /// The notifications of other nodes that arrived.
    fn notification_counts(&self) -> NotificationCounts;

    /// Keys for signing data that a client stores and sends back: the first key signs, all keys verify. They are
    /// derived from the keyring, so all nodes of one database have the same keys. Each `purpose` has separate keys. Do
    /// not store them: the keyring may be rotated while the service runs.
    fn signing_keys(&self, purpose: &str) -> Vec<Zeroizing<[u8; 32]>>;

    /// A number that changes after the keyring has changed. A cache of values that are computed from signing keys
    /// stores the number that was read before the keys.
    fn keyring_version(&self) -> u64;

    /// Finishes running operations, delivers pending change events and closes the connections.
    async fn close(&self);
}
