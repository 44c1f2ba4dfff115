//! Audit rows. Each is written in the transaction of the change that it records.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, AuditEntry, ObjectKind};
use toolgate_domain::ids::ServerId;
use toolgate_domain::member::ServerMember;
use toolgate_domain::page::Listing;

use super::SqlStorage;
use super::columns::Columns as _;
use super::conditions::Conditions;
use super::row::params;
use super::server_access::{VISIBLE_SERVERS, caller_param};
use super::tx::Tx;
use crate::audit::{AuditQuery, AuditReader};
use crate::error::Result;

/// The object that an audit row is about.
pub(super) struct AuditedObject {
    pub(super) kind: ObjectKind,
    pub(super) id: i64,
    pub(super) name: String,
    /// The server that the object is or belongs to.
    pub(super) server_id: Option<i64>,
    /// The owner of a server that is deleted.
    pub(super) owner_id: Option<i64>,
}

impl AuditedObject {
    pub(super) fn server(id: ServerId, name: String) -> Self {
        Self { kind: ObjectKind::Server, id: id.0, name, server_id: Some(id.0), owner_id: None }
    }

    pub(super) fn member(member: &ServerMember) -> Self {
        let (id, name, server_id) = (member.user_id.0, member.user_name.clone(), Some(member.server_id.0));
        Self { kind: ObjectKind::Member, id, name, server_id, owner_id: None }
    }

    pub(super) fn without_server(kind: ObjectKind, id: i64, name: String) -> Self {
        Self { kind, id, name, server_id: None, owner_id: None }
    }
}

impl Tx {
    pub(super) async fn audit(&mut self, actor: &Actor, action: Action, object: &AuditedObject) -> Result<()> {
        self.execute(
            "INSERT INTO audit (at, user_id, user_name, key_id, key_name, action, object_kind, object_id, \
             object_name, server_id, owner_id, fields) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
            params![
                actor.at,
                actor.user_id.map(|id| id.0),
                actor.user_name.as_deref(),
                actor.key_id.map(|id| id.0),
                actor.key_name.as_deref(),
                action.as_str(),
                object.kind.as_str(),
                object.id,
                object.name.as_str(),
                object.server_id,
                object.owner_id,
                actor.fields.as_str(),
            ],
        )
        .await
    }
}

#[async_trait]
impl AuditReader for SqlStorage {
    async fn audit_entries(&self, query: &AuditQuery) -> Result<Listing<AuditEntry>> {
        let mut conditions = audit_conditions(query);
        let count = format!("SELECT COUNT(*) AS total FROM audit {}", conditions.to_where_clause());
        let total = self.db.fetch_one(AssertSqlSafe(count), conditions.params.clone()).await?.int("total")?;
        let (limit, offset) = (conditions.bind(i64::from(query.page.size)), conditions.bind(query.page.offset()));
        let sql = format!(
            "SELECT {} FROM audit {} ORDER BY id DESC LIMIT {limit} OFFSET {offset}",
            AuditEntry::list(),
            conditions.to_where_clause()
        );
        let rows = self.db.fetch_all(AssertSqlSafe(sql), conditions.params).await?;
        Ok(Listing { items: AuditEntry::from_rows(&rows)?, total })
    }
}

fn audit_conditions(query: &AuditQuery) -> Conditions {
    let mut conditions = Conditions::default();
    if let Some(user) = caller_param(query.visibility) {
        // The rows of visible servers, and of deleted servers that were the user's.
        let deleted = "SELECT d.object_id FROM audit d WHERE d.owner_id = $";
        let sql = format!("server_id IN (SELECT v.id FROM {VISIBLE_SERVERS} v UNION ALL {deleted})");
        conditions.add(&sql, user);
    }
    if let Some(user) = query.user {
        conditions.add("user_id = $", user.0);
    }
    if let Some(server) = query.server {
        conditions.add("server_id = $", server.0);
    }
    if let Some(kind) = query.object_kind {
        conditions.add("object_kind = $", kind.as_str());
    }
    if let Some(id) = query.object_id {
        conditions.add("object_id = $", id);
    }
    if let Some(action) = query.action {
        conditions.add("action = $", action.as_str());
    }
    if let Some(from) = query.from {
        conditions.add("at >= $", from);
    }
    if let Some(until) = query.until {
        conditions.add("at < $", until);
    }
    conditions
}
