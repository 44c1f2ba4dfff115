//! The store of users in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::UserId;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::user::{NewUser, Role, User};

use super::SqlStorage;
use super::locks::limit_and_offset;
use super::row::{SqlRow, params};
use super::tx::Tx;
use crate::{Result, StorageError, UserStore};

const NOT_FOUND: StorageError = StorageError::NotFound(ObjectKind::User);

fn from_row(row: &SqlRow) -> Result<User> {
    Ok(User {
        id: UserId(row.int("id")?),
        name: row.text("name")?,
        role: row.parsed("role", Role::parse)?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

#[async_trait]
impl UserStore for SqlStorage {
    async fn list_users(&self, page: Option<Page>) -> Result<Listing<User>> {
        let total = self.db.fetch_one("SELECT COUNT(*) AS total FROM users", vec![]).await?.int("total")?;
        let sql = "SELECT id, name, role, created_at, updated_at FROM users ORDER BY id LIMIT $1 OFFSET $2";
        let rows = self.db.fetch_all(sql, limit_and_offset(page).into()).await?;
        Ok(Listing { items: rows.iter().map(from_row).collect::<Result<_>>()?, total })
    }

    async fn user(&self, id: UserId) -> Result<User> {
        let sql = "SELECT id, name, role, created_at, updated_at FROM users WHERE id = $1";
        from_row(&self.db.fetch_optional(sql, params![id.0]).await?.ok_or(NOT_FOUND)?)
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
            "SELECT id, name, role, created_at, updated_at FROM users WHERE id = $1 OR role = 'admin' ORDER BY id{}",
            tx.row_lock_with(" FOR UPDATE")
        );
        let rows = tx.fetch_all(AssertSqlSafe(sql), params![id.0]).await?;
        let users: Vec<User> = rows.iter().map(from_row).collect::<Result<_>>()?;
        let user = users.iter().find(|user| user.id == id).cloned().ok_or(NOT_FOUND)?;
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
        tx.audit(actor, Action::Delete, ObjectKind::User, id.0).await?;
        tx.commit().await?;
        Ok(user)
    }
}

impl Tx {
    pub(super) async fn insert_user(&mut self, actor: &Actor, new: &NewUser) -> Result<User> {
        let sql = "INSERT INTO users (name, role, created_at, updated_at) VALUES ($1, $2, $3, $3) \
             RETURNING id, name, role, created_at, updated_at";
        let row = self.fetch_one(sql, params![new.name.as_str(), new.role.as_str(), actor.at]).await;
        let user = from_row(&row.map_err(|error| error.or_exists(ObjectKind::User, "name"))?)?;
        self.audit(actor, Action::Create, ObjectKind::User, user.id.0).await?;
        Ok(user)
    }
}
