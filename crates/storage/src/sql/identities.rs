//! The store of accounts at an OpenID provider in SQL.

use std::collections::HashSet;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::UserId;
use toolgate_domain::oauth::identity::{Identity, NewOpenIdAttempt, OpenIdAttempt};
use toolgate_domain::text::NAME_MAX;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::{NewUser, Role, User};

use super::SqlStorage;
use super::audit::AuditedObject;
use super::columns::Columns as _;
use super::row::{SqlRow, params};
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::identities::IdentityStore;

/// How many people with the same name get a number to distinguish them.
const SAME_NAMES_MAX: u32 = 1000;

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
        tx.insert_identity(user.id, identity, actor.at).await?;
        tx.commit().await?;
        Ok(user)
    }

    async fn link_identity(&self, actor: &Actor, user_id: UserId, identity: &Identity) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let user = tx.lock_person(user_id, None).await?;
        tx.insert_identity(user.id, identity, actor.at).await?;
        let object = AuditedObject::without_server(ObjectKind::User, user.id.0, user.name);
        tx.audit(&actor.with_fields("identity".to_owned()), Action::Update, &object).await?;
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
}

impl Tx {
    async fn insert_identity(&mut self, user_id: UserId, identity: &Identity, at: Timestamp) -> Result<()> {
        let sql = "INSERT INTO user_identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4)";
        let params = params![identity.issuer.as_str(), identity.subject.as_str(), user_id.0, at];
        self.execute(sql, params).await.map_err(|error| error.or_exists(ObjectKind::User, "identity"))
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
