//! The store of members in SQL.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::fault::Fault;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::member::{MEMBERS_MAX, MemberRole, MemberUser, ServerMember, ServerRole};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::user::{User, Visibility};

use super::SqlStorage;
use super::audit::AuditedObject;
use super::columns::Columns as _;
use super::locks::{check_capacity, limit_and_offset};
use super::row::{SqlRow, params};
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::members::MemberStore;

const COUNT: &str = "SELECT COUNT(*) AS total FROM server_members WHERE server_id = $1";
const SELECT: &str = "SELECT m.server_id, m.user_id, u.name AS user_name, m.role, m.created_at, m.updated_at \
     FROM server_members m JOIN users u ON u.id = m.user_id WHERE m.server_id = $1";
const NOT_FOUND: StorageError = StorageError::NotFound(ObjectKind::Member);

#[async_trait]
impl MemberStore for SqlStorage {
    async fn list_members(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<ServerMember>> {
        self.server_role(visibility, server_id).await?; // fails if the server is not visible
        let total = self.db.fetch_one(COUNT, params![server_id.0]).await?.int("total")?;
        let mut params = params![server_id.0];
        params.extend(limit_and_offset(page));
        let sql = format!("{SELECT} ORDER BY m.user_id LIMIT $2 OFFSET $3");
        let rows = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
        Ok(Listing { items: rows.iter().map(member_from_row).collect::<Result<_>>()?, total })
    }

    async fn member(&self, visibility: Visibility, server_id: ServerId, user_id: UserId) -> Result<ServerMember> {
        self.server_role(visibility, server_id).await?;
        let sql = format!("{SELECT} AND m.user_id = $2");
        let row = self.db.fetch_optional(AssertSqlSafe(sql), params![server_id.0, user_id.0]).await?;
        member_from_row(&row.ok_or(NOT_FOUND)?)
    }

    async fn add_member(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        user: MemberUser,
        role: MemberRole,
    ) -> Result<ServerMember> {
        let mut tx = self.db.begin().await?;
        let owner = tx.lock_members(visibility, server_id).await?;
        let user = tx.user_to_share_with(&user, owner, role).await?;
        check_capacity(tx.fetch_one(COUNT, params![server_id.0]).await?.int("total")?, MEMBERS_MAX, "members")?;
        let sql = "INSERT INTO server_members (server_id, user_id, role, created_at, updated_at) \
                   VALUES ($1, $2, $3, $4, $4)";
        let inserted = tx.execute(sql, params![server_id.0, user.id.0, role.as_str(), actor.at]).await;
        inserted.map_err(|error| error.or_exists(ObjectKind::Member, "user_id"))?;
        let member = tx.record_member_change(actor, Action::Create, server_id, user.id, Some(role)).await?;
        tx.commit().await?;
        Ok(member)
    }

    async fn update_member(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        user_id: UserId,
        role: MemberRole,
    ) -> Result<ServerMember> {
        let mut tx = self.db.begin().await?;
        let owner = tx.lock_members(visibility, server_id).await?;
        tx.find_member(server_id, user_id).await?;
        // The rights of every member can be reduced, also those of a disabled user.
        if role != MemberRole::Viewer {
            tx.user_to_share_with(&MemberUser::Id(user_id), owner, role).await?;
        }
        let sql = "UPDATE server_members SET role = $3, updated_at = $4 WHERE server_id = $1 AND user_id = $2";
        tx.execute(sql, params![server_id.0, user_id.0, role.as_str(), actor.at]).await?;
        let member = tx.record_member_change(actor, Action::Update, server_id, user_id, Some(role)).await?;
        tx.commit().await?;
        Ok(member)
    }

    async fn remove_member(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        user_id: UserId,
    ) -> Result<ServerMember> {
        let mut tx = self.db.begin().await?;
        // Members may end their own membership.
        let required = if visibility == Visibility::User(user_id) { ServerRole::Viewer } else { ServerRole::Owner };
        tx.lock_visible_server("servers.user_id", visibility, server_id, required).await?;
        let member = tx.record_member_change(actor, Action::Delete, server_id, user_id, None).await?;
        tx.delete_member(server_id, user_id).await?;
        tx.end_forbidden_grants_of_server(server_id, actor.at).await?;
        tx.commit().await?;
        Ok(member)
    }

    async fn server_role(&self, visibility: Visibility, server_id: ServerId) -> Result<ServerRole> {
        self.db.visible_server("servers.id", visibility, server_id).await?.parsed("caller_role", ServerRole::parse)
    }

    async fn memberships(&self, user_id: UserId) -> Result<BTreeMap<ServerId, MemberRole>> {
        let sql = "SELECT server_id, role FROM server_members WHERE user_id = $1";
        let rows = self.db.fetch_all(sql, params![user_id.0]).await?;
        let role = |row: &SqlRow| Ok((ServerId(row.int("server_id")?), row.parsed("role", MemberRole::parse)?));
        rows.iter().map(role).collect()
    }
}

fn member_from_row(row: &SqlRow) -> Result<ServerMember> {
    Ok(ServerMember {
        server_id: ServerId(row.int("server_id")?),
        user_id: UserId(row.int("user_id")?),
        user_name: row.text("user_name")?,
        role: row.parsed("role", MemberRole::parse)?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

impl Tx {
    /// Locks a server whose members the caller may change. Returns its owner.
    async fn lock_members(&mut self, visibility: Visibility, server_id: ServerId) -> Result<UserId> {
        let row = self.lock_visible_server("servers.user_id", visibility, server_id, ServerRole::Owner).await?;
        Ok(UserId(row.int("user_id")?))
    }

    async fn find_member(&mut self, server_id: ServerId, user_id: UserId) -> Result<ServerMember> {
        let sql = format!("{SELECT} AND m.user_id = $2");
        let row = self.fetch_optional(AssertSqlSafe(sql), params![server_id.0, user_id.0]).await?;
        member_from_row(&row.ok_or(NOT_FOUND)?)
    }

    /// The user with whom a server of `owner` is to be shared, if the rules allow it. The row is locked, so that the
    /// user is neither deleted nor changed before the commit.
    async fn user_to_share_with(&mut self, user: &MemberUser, owner: UserId, role: MemberRole) -> Result<User> {
        let (condition, param, field) = match user {
            MemberUser::Id(id) => ("id = $1", id.0.into(), "user_id"),
            MemberUser::Name(name) => ("name = $1", name.as_str().into(), "user_name"),
        };
        let lock = self.row_lock_with(" FOR SHARE");
        let sql = format!("SELECT {} FROM users WHERE {condition}{lock}", User::list());
        let row = self.fetch_optional(AssertSqlSafe(sql), vec![param]).await?;
        let user = row.map(|row| User::from_row(&row)).transpose()?;
        let fault = |field: &str, message: String| Err(Fault::invalid_value(field, message).into());
        match user {
            None => fault(field, format!("{field} must be an existing user.")),
            Some(user) if user.is_disabled => {
                fault(field, format!("{field}: this user is disabled. Enable the user first."))
            }
            Some(user) if user.id == owner => fault(field, format!("{field}: this user owns the server.")),
            Some(user) if !user.role.may_manage_servers() && role == MemberRole::Editor => {
                let message = "role: this user has the role viewer or member and cannot change servers. Use viewer, or ask an \
                               administrator to make the user an owner.";
                fault("role", message.to_owned())
            }
            Some(user) => Ok(user),
        }
    }

    pub(super) async fn delete_member(&mut self, server_id: ServerId, user_id: UserId) -> Result<()> {
        let sql = "DELETE FROM server_members WHERE server_id = $1 AND user_id = $2";
        self.execute(sql, params![server_id.0, user_id.0]).await
    }

    /// Writes the audit row of a change and notifies the open streams of the user. Returns the member.
    async fn record_member_change(
        &mut self,
        actor: &Actor,
        action: Action,
        server_id: ServerId,
        user_id: UserId,
        role: Option<MemberRole>,
    ) -> Result<ServerMember> {
        let member = self.find_member(server_id, user_id).await?;
        let role = role.map(|role| format!(",role={}", role.as_str())).unwrap_or_default();
        let actor = actor.with_fields(format!("user_id={user_id}{role}"));
        self.audit(&actor, action, &AuditedObject::member(&member)).await?;
        self.record_keys_change(user_id);
        Ok(member)
    }
}
