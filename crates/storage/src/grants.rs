//! The store of grants, their authorization codes and their refresh tokens.

use async_trait::async_trait;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{GrantId, OAuthClientId, ServerId, UserId};
use toolgate_domain::oauth::grant::{EndedGrant, Grant, NewGrant, NewRefreshToken, StoredCode, StoredRefreshToken};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// Stores grants. A grant that ends is deleted with its codes and tokens, and all nodes get
/// [`ChangeEvent::GrantEnded`](crate::ChangeEvent::GrantEnded).
///
/// Other changes end grants in their own transaction: a client is blocked or deleted, a user is disabled or deleted, or
/// loses the access that `settings.oauth.access` requires, the key of the sign-in is deleted, the server is deleted or
/// its `auth_type` or issuer changes.
#[async_trait]
pub trait GrantStore {
    /// Stores the grant that a person gave, with its authorization code, the time of the client's last consent, and the
    /// audit row `consent`. `NotFound` if server, user or client no longer exist or the user may no longer use the
    /// server. If the person has too many grants, those end that were not used for the longest time.
    async fn create_grant(&self, actor: &Actor, grant: NewGrant) -> Result<GrantId>;

    /// Writes the audit row `deny`: a person refused a client access to a server, or to the service if no server was
    /// chosen.
    async fn record_denied_consent(
        &self,
        actor: &Actor,
        client: OAuthClientId,
        server_id: Option<ServerId>,
    ) -> Result<()>;

    /// The code with this hash, used or not, while its grant exists.
    async fn code(&self, hash: &KeyHash) -> Result<Option<StoredCode>>;

    /// Uses a code and stores the first refresh token, which expires no later than the grant ends. Returns `false` if
    /// the code was used before, has expired, or the person may no longer use the server: then the grant ends.
    async fn take_code(&self, hash: &KeyHash, refresh: NewRefreshToken, now: Timestamp) -> Result<bool>;

    /// The refresh token with this hash, used or not, while its grant exists.
    async fn refresh_token(&self, hash: &KeyHash) -> Result<Option<StoredRefreshToken>>;

    /// Uses a refresh token and stores its successor, which expires no later than the grant ends. Returns `true` if the
    /// successor was stored.
    ///
    /// A token that was used before gets another successor if its first use was after `first_use_cutoff` and none of
    /// its successors has been used. Otherwise the grant ends, with the audit action `reuse`. The grant also ends if
    /// the person may no longer use the server. An expired token only returns `false`.
    async fn rotate_refresh_token(
        &self,
        hash: &KeyHash,
        successor: NewRefreshToken,
        first_use_cutoff: Timestamp,
        now: Timestamp,
    ) -> Result<bool>;

    /// The grants of a server, newest first. Only for its owner and administrators.
    async fn grants_of_server(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Grant>>;

    /// The grants that a person gave, newest first.
    async fn grants_of_user(&self, user_id: UserId, page: Option<Page>) -> Result<Listing<Grant>>;

    /// One grant, if it is of the server; only for the server's owner and administrators.
    async fn grant_of_server(&self, visibility: Visibility, server_id: ServerId, id: GrantId) -> Result<Grant>;

    /// One grant, if the person gave it.
    async fn grant_of_user(&self, user_id: UserId, id: GrantId) -> Result<Grant>;

    /// Ends a grant and returns it. `NotFound` if it has ended already.
    async fn end_grant(&self, actor: &Actor, id: GrantId) -> Result<Grant>;

    /// The grants that ended at `since` or later, the latest first, at most `limit`.
    async fn ended_grants(&self, since: Timestamp, limit: u32) -> Result<Vec<EndedGrant>>;

    /// Ends grants whose last refresh token, or unused code, expired before `now`. Deletes refresh tokens that expired
    /// before `now`, and the record of grants that ended before `ended_before`. A used code remains until its grant
    /// ends, so that a second use is detected.
    async fn delete_expired_grants(&self, now: Timestamp, ended_before: Timestamp) -> Result<()>;

    /// Stores when grants were last used.
    async fn record_grant_uses(&self, uses: &[(GrantId, Timestamp)]) -> Result<()>;

    /// Tokens that were issued before this time are refused. It is the time at which a backup was restored.
    async fn tokens_valid_since(&self) -> Result<Option<Timestamp>>;
}
