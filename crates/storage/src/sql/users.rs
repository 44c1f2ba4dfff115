//! The store of users in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::UserId;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::user::{NewUser, Role, User};

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

    async fn delete_user(&self, actor: &Actor, id: UserId) -> Result<User> {
        let mut tx = self.db.begin().await?;
        tx.lock_users_for_delete().await?;
        // All administrators are locked, so that two of them cannot delete each other concurrently.
        let sql = format!(
            "SELECT {} FROM users WHERE id = $1 OR role = 'admin' ORDER BY id{}",
            User::list(),
            tx.row_lock_with(" FOR UPDATE")
        );
        let rows = tx.fetch_all(AssertSqlSafe(sql), params![id.0]).await?;
        let users = User::from_rows(&rows)?;
        let user = users.iter().find(|user| user.id == id).cloned().ok_or(StorageError::NotFound(ObjectKind::User))?;
        if user.role == Role::Admin && users.iter().filter(|other| other.role == Role::Admin).count() == 1 {
            return Err(StorageError::InUse(
                "The last administrator cannot be deleted; create another one first.".into(),
            ));
        }
        // The servers are checked before the delete, because the check of the foreign key runs after the cascade has
        // locked the counters, which breaks the lock order (see `locks.rs`).
        let lock = tx.row_lock_with(" FOR KEY SHARE");
        let sql = format!("SELECT id FROM servers WHERE user_id = $1 ORDER BY id LIMIT 1{lock}");
        if tx.fetch_optional(AssertSqlSafe(sql), params![id.0]).await?.is_some() {
            return Err(StorageError::InUse("The user still owns servers; delete them first.".into()));
        }
        tx.execute("DELETE FROM users WHERE id = $1", params![id.0]).await?;
        tx.record_keys_change(id);
        let object = AuditedObject::without_server(ObjectKind::User, id.0, user.name.clone());
        tx.audit(actor, Action::Delete, &object).await?;
        tx.commit().await?;
        Ok(user)
    }
}

impl Tx {
    pub(super) async fn insert_user(&mut self, actor: &Actor, new: &NewUser) -> Result<User> {
        let values = vec![("name", new.name.as_str().into()), ("role", new.role.as_str().into())];
        self.insert(actor, Action::Create, values).await
    }
}
