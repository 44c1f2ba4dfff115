//! Figures on the access to endpoints, which are written at intervals and not for each request: the last use of keys
//! and grants, people of external issuers, and refused requests.

use async_trait::async_trait;
use toolgate_domain::ids::{EndpointKeyId, GrantId, ServerId};
use toolgate_domain::oauth::subject::SeenSubject;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// The last use of an endpoint key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUse {
    /// The key.
    pub key: EndpointKeyId,
    /// When it was used.
    pub at: Timestamp,
}

/// A number of refused requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusalCount {
    /// The server; `None` for requests to servers that do not exist.
    pub server: Option<ServerId>,
    /// The reason.
    pub reason: RefusalReason,
    /// How many requests.
    pub requests: u64,
}

/// Selects refused requests.
#[derive(Clone, Copy, Debug)]
pub struct RefusalQuery {
    /// Visibility of the caller: requests to servers that a user may not see, deleted servers and servers that never
    /// existed are visible to administrators only.
    pub visibility: Visibility,
    /// Only requests to this server.
    pub server: Option<ServerId>,
    /// Earliest hour, inclusive.
    pub from: Timestamp,
    /// Latest hour, exclusive.
    pub until: Timestamp,
    /// One page; `None` for everything.
    pub page: Option<Page>,
}

/// The refused requests of one server with one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusalTotals {
    /// The server; `None` for servers that do not exist.
    pub server: Option<ServerId>,
    /// The server's current or last name.
    pub server_name: Option<String>,
    /// The reason.
    pub reason: RefusalReason,
    /// How many requests.
    pub requests: u64,
    /// Start of the last hour in which such a request was refused.
    pub last_hour: Timestamp,
}

/// Stores figures on the access to endpoints. Several nodes can write them concurrently.
#[async_trait]
pub trait AccessStore {
    /// Stores the last use of keys; an earlier time than the stored one has no effect. Returns the uses that were not
    /// stored, because the key is being changed or does not exist.
    async fn record_key_uses(&self, uses: &[KeyUse]) -> Result<Vec<KeyUse>>;

    /// Stores the last use of grants; an earlier time than the stored one has no effect, and ended grants are skipped.
    async fn store_grant_uses(&self, uses: &[(GrantId, Timestamp)]) -> Result<()>;

    /// Stores people of external issuers, or their new names and the time when they were last seen.
    async fn store_subjects(&self, subjects: &[SeenSubject]) -> Result<()>;

    /// Deletes people who were last seen before `cutoff`.
    async fn delete_subjects_before(&self, cutoff: Timestamp) -> Result<()>;

    /// Adds refused requests to those of the hour that begins at `hour`.
    async fn add_refusals(&self, hour: Timestamp, counts: &[RefusalCount]) -> Result<()>;

    /// Refused requests by server and reason, most frequent first.
    async fn refusals(&self, query: &RefusalQuery) -> Result<Listing<RefusalTotals>>;

    /// Deletes the refused requests of hours before `cutoff`.
    async fn delete_refusals_before(&self, cutoff: Timestamp) -> Result<()>;
}
