//! The store of users in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::change::set;
use toolgate_domain::ids::UserId;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::user::{NewUser, Role, User, UserPatch};

use super::SqlStorage;
use super::audit::AuditedObject;
use super::columns::Columns as _;
use super::row::params;
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::users::UserStore;

#[async_trait]
impl UserStore for SqlStorage {
    async fn list_users(&self, page: Option<Page>) -> Result<Listing<User>> {
        self.db.list(page).await
    }

    async fn user(&self, id: UserId) -> Result<User> {
        self.db.find(id.0).await
    }

    async fn create_user(&self, actor: &Actor, new: NewUser) -> Result<User> {
        let mut tx = self.db.begin().await?;
        let user = tx.insert_user(actor, &new).await?;
        tx.commit().await?;
        Ok(user)
    }

    async fn update_user(&self, actor: &Actor, id: UserId, patch: UserPatch) -> Result<User> {
        let mut tx = self.db.begin().await?;
        tx.lock_users_for_change().await?;
        let (mut user, is_last_admin) = tx.lock_user_and_admins(id).await?;
        set(&mut user.name, patch.name);
        set(&mut user.role, patch.role);
        set(&mut user.is_disabled, patch.is_disabled);
        let is_disabled = user.is_disabled;
        if is_last_admin && !is_active_admin(&user) {
            return Err(StorageError::InUse(
                "The last administrator can be neither disabled nor given another role; create another one first."
                    .into(),
            ));
        }
        let values = vec![
            ("name", user.name.into()),
            ("role", user.role.as_str().into()),
            ("is_disabled", i64::from(user.is_disabled).into()),
        ];
        let user = tx.update(actor, id.0, values).await?;
        tx.record_keys_change(id);
        if is_disabled {
            tx.delete_sign_ins(id).await?;
        }
        tx.end_forbidden_grants_of_user(id, actor.at).await?;
        tx.commit().await?;
        Ok(user)
    }

    async fn delete_user(&self, actor: &Actor, id: UserId) -> Result<User> {
        let mut tx = self.db.begin().await?;
        tx.lock_users_for_change().await?;
        let (user, is_last_admin) = tx.lock_user_and_admins(id).await?;
        if is_last_admin {
            return Err(StorageError::InUse(
                "The last administrator cannot be deleted; create another one first.".into(),
            ));
        }
        // The servers are checked before the delete, because the check of the foreign key runs after the cascade has
        // locked the counters, which breaks the lock order (see `locks.rs`).
        let lock = tx.row_lock_with(" FOR KEY SHARE");
        let sql = format!("SELECT id FROM servers WHERE user_id = $1 ORDER BY id LIMIT 1{lock}");
        if tx.fetch_optional(AssertSqlSafe(sql), params![id.0]).await?.is_some() {
            return Err(StorageError::InUse(
                "The user still owns servers; delete them or hand them over first.".into(),
            ));
        }
        tx.lock_member_rows("user_id", id.0).await?;
        tx.lock_keys_and_sign_ins(id).await?;
        tx.end_grants_of_user(id, actor.at).await?;
        tx.execute("DELETE FROM users WHERE id = $1", params![id.0]).await?;
        tx.record_keys_change(id);
        let object = AuditedObject::without_server(ObjectKind::User, id.0, user.name.clone());
        tx.audit(actor, Action::Delete, &object).await?;
        tx.commit().await?;
        Ok(user)
    }
}

/// Whether a user is an administrator who is not disabled.
fn is_active_admin(user: &User) -> bool {
    user.role == Role::Admin && !user.is_disabled
}

impl Tx {
    /// Locks and reads a user, and says whether this is the only administrator who is not disabled. All administrators
    /// are locked, so that two of them cannot delete or disable each other concurrently.
    async fn lock_user_and_admins(&mut self, id: UserId) -> Result<(User, bool)> {
        let sql = format!(
            "SELECT {} FROM users WHERE id = $1 OR role = 'admin' ORDER BY id{}",
            User::list(),
            self.row_lock_with(" FOR UPDATE")
        );
        let users = User::from_rows(&self.fetch_all(AssertSqlSafe(sql), params![id.0]).await?)?;
        let user = users.iter().find(|user| user.id == id).cloned().ok_or(StorageError::NotFound(ObjectKind::User))?;
        let is_last_admin = is_active_admin(&user) && users.iter().filter(|other| is_active_admin(other)).count() == 1;
        Ok((user, is_last_admin))
    }

    /// Locks the API keys, browser sessions, sign-in links and accounts at a provider that are deleted with their user.
    /// Keys come before grants in the lock order.
    async fn lock_keys_and_sign_ins(&mut self, id: UserId) -> Result<()> {
        let lock = self.row_lock_with(" FOR UPDATE");
        let sql = format!("SELECT id FROM api_keys WHERE user_id = $1 ORDER BY id{lock}");
        self.execute(AssertSqlSafe(sql), params![id.0]).await?;
        self.lock_sign_ins("user_id", id.0).await?;
        self.lock_identities(id).await
    }

    pub(super) async fn insert_user(&mut self, actor: &Actor, new: &NewUser) -> Result<User> {
        let values = vec![("name", new.name.as_str().into()), ("role", new.role.as_str().into())];
        self.insert(actor, Action::Create, values).await
    }
}
