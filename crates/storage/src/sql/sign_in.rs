//! The store of browser sessions, sign-in links and passwords in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::api_key::{ApiKey, KeyHash};
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::fault::Fault;
use toolgate_domain::ids::{ApiKeyId, UserId};
use toolgate_domain::oauth::sign_in::{
    BrowserSession, NewBrowserSession, NewSignInLink, SignInLink, SignInLinkPurpose, StoredPassword,
};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::User;

use super::SqlStorage;
use super::audit::AuditedObject;
use super::columns::Columns as _;
use super::row::{SqlRow, params};
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::sign_in::SignInStore;

/// The tables of sessions and links, whose rows refer to a user and may refer to a key.
const TABLES: [&str; 2] = ["browser_sessions", "sign_in_links"];

/// The condition that a session or a link `x` of the user `u` is valid at `$2`.
const IS_VALID: &str = "x.hash = $1 AND x.expires_at > $2 AND u.is_disabled = 0 AND (x.key_id IS NULL OR EXISTS \
     (SELECT 1 FROM api_keys k WHERE k.id = x.key_id AND (k.expires_at IS NULL OR k.expires_at > $2)))";

#[async_trait]
impl SignInStore for SqlStorage {
    async fn create_browser_session(&self, actor: &Actor, session: NewBrowserSession) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let user = tx.lock_person(session.user_id, session.key_id).await?;
        if let Some(identity) = &session.identity {
            tx.require_identity(user.id, identity).await?;
        }
        let sql = "INSERT INTO browser_sessions (hash, user_id, key_id, created_at, expires_at) \
                   VALUES ($1, $2, $3, $4, $5)";
        let key_id = session.key_id.map(|id| id.0);
        tx.execute(sql, params![&session.hash, user.id.0, key_id, actor.at, session.expires_at]).await?;
        tx.audit(actor, Action::SignIn, &session_of(&user)).await?;
        tx.commit().await
    }

    async fn browser_session(&self, hash: &KeyHash, now: Timestamp) -> Result<Option<BrowserSession>> {
        let sql = format!(
            "SELECT x.expires_at AS session_expires_at, {}, {} FROM browser_sessions x \
             JOIN users u ON u.id = x.user_id LEFT JOIN api_keys key ON key.id = x.key_id WHERE {IS_VALID}",
            User::list_as("u", ""),
            ApiKey::list_as("key", "key_")
        );
        let row = self.db.fetch_optional(AssertSqlSafe(sql), params![hash, now]).await?;
        let to_session = |row: SqlRow| {
            let has_key = row.opt_int("key_id")?.is_some();
            Ok(BrowserSession {
                user: User::from_row(&row)?,
                key: has_key.then(|| ApiKey::from_columns(&row, "key_")).transpose()?,
                expires_at: row.time("session_expires_at")?,
            })
        };
        row.map(to_session).transpose()
    }

    async fn delete_browser_session(&self, hash: &KeyHash) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let sql = "DELETE FROM browser_sessions WHERE hash = $1 RETURNING user_id";
        if let Some(row) = tx.fetch_optional(sql, params![hash]).await? {
            // Streams of the management API check their session again.
            tx.record_keys_change(UserId(row.int("user_id")?));
        }
        tx.commit().await
    }

    async fn record_failed_sign_in(&self, actor: &Actor, user_id: UserId) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let row = tx.fetch_optional("SELECT name FROM users WHERE id = $1", params![user_id.0]).await?;
        let name = row.ok_or(StorageError::NotFound(ObjectKind::User))?.text("name")?;
        let object = AuditedObject::without_server(ObjectKind::Session, user_id.0, name);
        tx.audit(actor, Action::SignInFailed, &object).await?;
        tx.commit().await
    }

    async fn create_sign_in_link(&self, actor: &Actor, link: NewSignInLink) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let user = tx.lock_person(link.user_id, link.key_id).await?;
        let sql = "INSERT INTO sign_in_links (hash, user_id, purpose, key_id, created_at, expires_at) \
                   VALUES ($1, $2, $3, $4, $5, $6)";
        let (purpose, key_id) = (link.purpose.as_str(), link.key_id.map(|id| id.0));
        tx.execute(sql, params![&link.hash, user.id.0, purpose, key_id, actor.at, link.expires_at]).await?;
        tx.audit(&actor.with_fields(format!("purpose={purpose}")), Action::Create, &session_of(&user)).await?;
        tx.commit().await
    }

    async fn sign_in_link(&self, hash: &KeyHash, now: Timestamp) -> Result<Option<SignInLink>> {
        let row = self.db.fetch_optional(AssertSqlSafe(select_link()), params![hash, now]).await?;
        row.map(|row| link_from_row(&row)).transpose()
    }

    async fn take_sign_in_link(&self, hash: &KeyHash, now: Timestamp) -> Result<Option<SignInLink>> {
        let mut tx = self.db.begin().await?;
        let row = tx.fetch_optional(AssertSqlSafe(select_link()), params![hash, now]).await?;
        let sql = "DELETE FROM sign_in_links WHERE hash = $1 RETURNING user_id";
        let is_taken = tx.fetch_optional(sql, params![hash]).await?.is_some();
        let link = row.filter(|_| is_taken).map(|row| link_from_row(&row)).transpose()?;
        tx.commit().await?;
        Ok(link)
    }

    async fn password(&self, user_name: &str) -> Result<Option<StoredPassword>> {
        let sql = format!(
            "SELECT p.phc, {} FROM user_passwords p JOIN users u ON u.id = p.user_id \
             WHERE u.name = $1 AND u.is_disabled = 0",
            User::list_as("u", "")
        );
        let row = self.db.fetch_optional(AssertSqlSafe(sql), params![user_name]).await?;
        let to_password = |row: SqlRow| Ok(StoredPassword { user: User::from_row(&row)?, phc: row.text("phc")? });
        row.map(to_password).transpose()
    }

    async fn set_password(&self, actor: &Actor, user_id: UserId, phc: &str) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.lock_owner(user_id).await?;
        tx.delete_sign_ins(user_id).await?;
        tx.record_keys_change(user_id);
        let sql = "INSERT INTO user_passwords (user_id, phc, updated_at) VALUES ($1, $2, $3) \
                   ON CONFLICT (user_id) DO UPDATE SET phc = excluded.phc, updated_at = excluded.updated_at";
        tx.execute(sql, params![user_id.0, phc, actor.at]).await?;
        let name = tx.fetch_one("SELECT name FROM users WHERE id = $1", params![user_id.0]).await?.text("name")?;
        let object = AuditedObject::without_server(ObjectKind::User, user_id.0, name);
        tx.audit(&actor.with_fields("password".to_owned()), Action::Update, &object).await?;
        tx.commit().await
    }

    async fn delete_expired_sign_ins(&self, now: Timestamp) -> Result<()> {
        let mut tx = self.db.begin().await?;
        let lock = tx.row_lock_with(" FOR UPDATE SKIP LOCKED");
        for table in TABLES.into_iter().chain(["openid_attempts"]) {
            let sql =
                format!("DELETE FROM {table} WHERE hash IN (SELECT hash FROM {table} WHERE expires_at < $1{lock})");
            tx.execute(AssertSqlSafe(sql), params![now]).await?;
        }
        tx.commit().await
    }
}

fn select_link() -> String {
    format!(
        "SELECT x.purpose, x.key_id AS link_key_id, {} FROM sign_in_links x JOIN users u ON u.id = x.user_id \
         WHERE {IS_VALID}",
        User::list_as("u", "")
    )
}

fn link_from_row(row: &SqlRow) -> Result<SignInLink> {
    Ok(SignInLink {
        user: User::from_row(row)?,
        purpose: row.parsed("purpose", SignInLinkPurpose::parse)?,
        key_id: row.opt_int("link_key_id")?.map(ApiKeyId),
    })
}

/// The object of audit rows about a person's sign-in.
fn session_of(user: &User) -> AuditedObject {
    AuditedObject::without_server(ObjectKind::Session, user.id.0, user.name.clone())
}

impl Tx {
    /// Locks the user and the key of a new session or link. `Rejected` if the user is disabled.
    pub(super) async fn lock_person(&mut self, user_id: UserId, key_id: Option<ApiKeyId>) -> Result<User> {
        let lock = self.row_lock_with(" FOR SHARE");
        let sql = format!("SELECT {} FROM users WHERE id = $1{lock}", User::list());
        let row = self.fetch_optional(AssertSqlSafe(sql), params![user_id.0]).await?;
        let user = User::from_row(&row.ok_or(StorageError::NotFound(ObjectKind::User))?)?;
        if user.is_disabled {
            let message = "user_id: this user is disabled. Enable the user first.";
            return Err(Fault::invalid_value("user_id", message).into());
        }
        if let Some(key_id) = key_id {
            self.lock_sign_in_key(key_id).await?;
        }
        Ok(user)
    }

    /// Locks a session of a locked user. `NotFound` if it has ended.
    pub(super) async fn require_session(&mut self, user_id: UserId, hash: &KeyHash, now: Timestamp) -> Result<()> {
        let lock = self.row_lock_with(" FOR SHARE OF x");
        let sql = format!(
            "SELECT x.user_id FROM browser_sessions x JOIN users u ON u.id = x.user_id \
             WHERE {IS_VALID} AND x.user_id = $3{lock}"
        );
        let row = self.fetch_optional(AssertSqlSafe(sql), params![hash, now, user_id.0]).await?;
        row.map(drop).ok_or(StorageError::NotFound(ObjectKind::Session))
    }

    /// Locks the sessions and links of a user or a key, given by `column`, before they are deleted: in the order of
    /// their hashes, so that concurrent deletions do not wait for each other.
    pub(super) async fn lock_sign_ins(&mut self, column: &'static str, id: i64) -> Result<()> {
        let lock = self.row_lock_with(" FOR UPDATE");
        for table in TABLES {
            let sql = format!("SELECT user_id FROM {table} WHERE {column} = $1 ORDER BY hash{lock}");
            self.execute(AssertSqlSafe(sql), params![id]).await?;
        }
        Ok(())
    }

    /// Deletes the sessions of a locked user that were not opened with a key.
    pub(super) async fn delete_sessions_without_key(&mut self, user_id: UserId) -> Result<()> {
        let lock = self.row_lock_with(" FOR UPDATE");
        let condition = "user_id = $1 AND key_id IS NULL";
        let sql = format!("SELECT user_id FROM browser_sessions WHERE {condition} ORDER BY hash{lock}");
        self.execute(AssertSqlSafe(sql), params![user_id.0]).await?;
        let sql = format!("DELETE FROM browser_sessions WHERE {condition}");
        self.execute(AssertSqlSafe(sql), params![user_id.0]).await
    }

    /// Deletes the sessions and links of a locked user.
    pub(super) async fn delete_sign_ins(&mut self, user_id: UserId) -> Result<()> {
        self.lock_sign_ins("user_id", user_id.0).await?;
        for table in TABLES {
            let sql = format!("DELETE FROM {table} WHERE user_id = $1");
            self.execute(AssertSqlSafe(sql), params![user_id.0]).await?;
        }
        Ok(())
    }
}
