//! The store of accounts at an OpenID provider in SQL.

use std::collections::HashSet;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{IdentityId, UserId};
use toolgate_domain::oauth::identity::{Identity, LinkedIdentity, NewOpenIdAttempt, OpenIdAttempt};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::text::NAME_MAX;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::{NewUser, Role, User};

use super::SqlStorage;
use super::audit::AuditedObject;
use super::columns::Columns as _;
use super::locks::limit_and_offset;
use super::row::{SqlRow, params};
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::identities::IdentityStore;

/// How many people with the same name get a number to distinguish them.
const SAME_NAMES_MAX: u32 = 1000;

/// Why a person cannot remove an account. The next sign-in with it would create another user.
const ONLY_ACCOUNT: &str = "This account is your only way to sign in. Ask an administrator for a sign-in link and set \
                            a password first, or ask an administrator to remove the account.";

#[async_trait]
impl IdentityStore for SqlStorage {
    async fn create_openid_attempt(&self, new: NewOpenIdAttempt) -> Result<()> {
        let NewOpenIdAttempt { state, browser, attempt, expires_at } = new;
        let mut tx = self.db.begin().await?;
        let sql = "INSERT INTO openid_attempts (hash, browser, next, user_id, expires_at) VALUES ($1, $2, $3, $4, $5)";
        let (next, user_id) = (attempt.next, attempt.user_id.map(|id| id.0));
        tx.execute(sql, params![&state, &browser, next, user_id, expires_at]).await?;
        tx.commit().await
    }

    async fn take_openid_attempt(
        &self,
        state: &KeyHash,
        browser: &KeyHash,
        now: Timestamp,
    ) -> Result<Option<OpenIdAttempt>> {
        let mut tx = self.db.begin().await?;
        let sql = "DELETE FROM openid_attempts WHERE hash = $1 AND browser = $2 AND expires_at > $3 \
                   RETURNING next, user_id";
        let row = tx.fetch_optional(sql, params![state, browser, now]).await?;
        let to_attempt = |row: SqlRow| -> Result<OpenIdAttempt> {
            Ok(OpenIdAttempt { next: row.opt_text("next")?, user_id: row.opt_int("user_id")?.map(UserId) })
        };
        let attempt = row.map(to_attempt).transpose()?;
        tx.commit().await?;
        Ok(attempt)
    }

    async fn identity_user(&self, identity: &Identity) -> Result<Option<User>> {
        let sql = format!(
            "SELECT {} FROM user_identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = $1 AND i.subject = $2",
            User::list_as("u", "")
        );
        let params = params![identity.issuer.as_str(), identity.subject.as_str()];
        let row = self.db.fetch_optional(AssertSqlSafe(sql), params).await?;
        row.map(|row| User::from_row(&row)).transpose()
    }

    async fn create_identity_user(&self, actor: &Actor, name: &str, identity: &Identity) -> Result<User> {
        let mut tx = self.db.begin().await?;
        tx.lock_users_for_change().await?;
        let name = tx.free_user_name(name).await?;
        let user =
            tx.insert_user(&actor.with_fields("identity".to_owned()), &NewUser { name, role: Role::Member }).await?;
        tx.insert_identity(actor, &user, identity).await?;
        tx.commit().await?;
        Ok(user)
    }

    async fn link_identity(
        &self,
        actor: &Actor,
        user_id: UserId,
        session: &KeyHash,
        identity: &Identity,
    ) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let user = tx.lock_person(user_id, None).await?;
        // The removal of an account, which ends sessions, may have committed while this transaction waited for the lock.
        tx.require_session(user.id, session, actor.at).await?;
        tx.insert_identity(actor, &user, identity).await?;
        tx.commit().await
    }

    async fn users_with_identity(&self, ids: &[UserId]) -> Result<HashSet<UserId>> {
        let (Some(first), Some(last)) = (ids.iter().map(|id| id.0).min(), ids.iter().map(|id| id.0).max()) else {
            return Ok(HashSet::new());
        };
        let sql = "SELECT DISTINCT user_id FROM user_identities WHERE user_id BETWEEN $1 AND $2";
        let rows = self.db.fetch_all(sql, params![first, last]).await?;
        rows.iter().map(|row| Ok(UserId(row.int("user_id")?))).collect()
    }

    async fn identities_of_user(&self, user_id: UserId, page: Option<Page>) -> Result<Listing<LinkedIdentity>> {
        let count = "SELECT COUNT(*) AS total FROM user_identities WHERE user_id = $1";
        let total = self.db.fetch_one(count, params![user_id.0]).await?.int("total")?;
        let mut params = params![user_id.0];
        params.extend(limit_and_offset(page));
        let sql = "SELECT id, issuer, subject, created_at FROM user_identities WHERE user_id = $1 \
                   ORDER BY id LIMIT $2 OFFSET $3";
        let rows = self.db.fetch_all(sql, params).await?;
        Ok(Listing { items: rows.iter().map(linked_identity).collect::<Result<_>>()?, total })
    }

    async fn delete_identity(
        &self,
        actor: &Actor,
        user_id: UserId,
        id: IdentityId,
        provider: Option<&str>,
    ) -> Result<Option<LinkedIdentity>> {
        let mut tx = self.db.begin().await?;
        // A sign-in with the account waits for this lock, and then does not find the account.
        tx.lock_owner(user_id).await?;
        let sql = "SELECT id, issuer, subject, created_at FROM user_identities WHERE id = $1 AND user_id = $2";
        let Some(row) = tx.fetch_optional(sql, params![id.0, user_id.0]).await? else { return Ok(None) };
        let identity = linked_identity(&row)?;
        let user = tx.locked_user(user_id).await?;
        let is_own = actor.user_id == Some(user_id);
        if is_own && tx.signs_in_only_with(user_id, id, provider, actor.at).await? {
            return Err(StorageError::InUse(ONLY_ACCOUNT.to_owned()));
        }
        tx.delete_sessions_without_key(user_id).await?;
        tx.execute("DELETE FROM user_identities WHERE id = $1", params![id.0]).await?;
        // Streams of the management API check their session again.
        tx.record_keys_change(user_id);
        tx.audit_identity(actor, Action::Delete, &user, id).await?;
        tx.commit().await?;
        Ok(Some(identity))
    }
}

fn linked_identity(row: &SqlRow) -> Result<LinkedIdentity> {
    Ok(LinkedIdentity {
        id: IdentityId(row.int("id")?),
        identity: Identity { issuer: row.text("issuer")?, subject: row.text("subject")? },
        created_at: row.time("created_at")?,
    })
}

impl Tx {
    async fn insert_identity(&mut self, actor: &Actor, user: &User, identity: &Identity) -> Result<()> {
        let sql = "INSERT INTO user_identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4) \
                   RETURNING id";
        let params = params![identity.issuer.as_str(), identity.subject.as_str(), user.id.0, actor.at];
        let inserted = self.fetch_one(sql, params).await;
        let row = inserted.map_err(|error| error.or_exists(ObjectKind::User, "identity"))?;
        self.audit_identity(actor, Action::Create, user, IdentityId(row.int("id")?)).await
    }

    /// Records that a user got or lost an account. The row names the user, because its account has no name.
    async fn audit_identity(&mut self, actor: &Actor, action: Action, user: &User, id: IdentityId) -> Result<()> {
        let object = AuditedObject::without_server(ObjectKind::Identity, user.id.0, user.name.clone());
        self.audit(&actor.with_fields(format!("identity_id={id}")), action, &object).await
    }

    /// Whether a locked user has no other account at `provider`, no password and no valid API key.
    async fn signs_in_only_with(
        &mut self,
        user_id: UserId,
        id: IdentityId,
        provider: Option<&str>,
        now: Timestamp,
    ) -> Result<bool> {
        let sql = "SELECT user_id FROM user_identities WHERE user_id = $1 AND id <> $2 AND issuer = $3 \
                   UNION ALL SELECT user_id FROM user_passwords WHERE user_id = $1 \
                   UNION ALL SELECT user_id FROM api_keys WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > $4) \
                   LIMIT 1";
        let params = params![user_id.0, id.0, provider.unwrap_or_default(), now];
        Ok(self.fetch_optional(sql, params).await?.is_none())
    }

    /// A user that this transaction has locked.
    async fn locked_user(&mut self, user_id: UserId) -> Result<User> {
        let sql = format!("SELECT {} FROM users WHERE id = $1", User::list());
        User::from_row(&self.fetch_one(AssertSqlSafe(sql), params![user_id.0]).await?)
    }

    /// `NotFound` if an account does not belong to a locked user.
    pub(super) async fn require_identity(&mut self, user_id: UserId, identity: &Identity) -> Result<()> {
        let sql = "SELECT id FROM user_identities WHERE issuer = $1 AND subject = $2 AND user_id = $3";
        let params = params![identity.issuer.as_str(), identity.subject.as_str(), user_id.0];
        self.fetch_optional(sql, params).await?.map(drop).ok_or(StorageError::NotFound(ObjectKind::User))
    }

    /// The name, or the name with the first number that makes it unique.
    async fn free_user_name(&mut self, name: &str) -> Result<String> {
        for number in 1..=SAME_NAMES_MAX {
            let suffix = if number == 1 { String::new() } else { format!(" {number}") };
            let kept = NAME_MAX.saturating_sub(suffix.len());
            let candidate: String = name.chars().take(kept).chain(suffix.chars()).collect();
            let sql = "SELECT id FROM users WHERE name = $1";
            if self.fetch_optional(sql, params![candidate.as_str()]).await?.is_none() {
                return Ok(candidate);
            }
        }
        Err(StorageError::Exists { kind: ObjectKind::User, field: "name" })
    }

    /// Locks the accounts of a user before they are deleted with the user.
    pub(super) async fn lock_identities(&mut self, user_id: UserId) -> Result<()> {
        let lock = self.row_lock_with(" FOR UPDATE");
        let sql = format!("SELECT id FROM user_identities WHERE user_id = $1 ORDER BY id{lock}");
        self.execute(AssertSqlSafe(sql), params![user_id.0]).await
    }
}
