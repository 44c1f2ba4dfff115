//! The store of servers in SQL.

use async_trait::async_trait;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::change::set;
use toolgate_domain::ids::{PublicId, ServerId, UserId};
use toolgate_domain::member::ServerRole;
use toolgate_domain::page::Listing;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::server::{Server, ServerPatch, ServerSpec};
use toolgate_domain::settings;
use toolgate_domain::slug::Slug;
use toolgate_domain::upstream_auth::Credentials;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::audit::AuditedObject;
use super::columns::{Columns as _, Values};
use super::hand_over::with_new_owner;
use super::row::params;
use super::secrets::SecretOwner;
use super::server_list::search_form;
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::servers::{NewServer, ServerQuery, ServerStore};

/// The highest number of a generated slug. It stops the search if an owner has set such slugs by hand.
const SLUG_NUMBER_MAX: i64 = 1 << 40;

#[async_trait]
impl ServerStore for SqlStorage {
    async fn list_servers(&self, visibility: Visibility, query: ServerQuery) -> Result<Listing<Server>> {
        self.list_matching_servers(visibility, query).await
    }

    async fn server(&self, visibility: Visibility, id: ServerId) -> Result<Server> {
        Server::from_row(&self.db.visible_server(&Server::list(), visibility, id).await?)
    }

    async fn list_open_servers(&self, limit: u32) -> Result<Listing<Server>> {
        self.find_open_servers(limit).await
    }

    async fn test_credentials(&self, id: ServerId) -> Result<Option<Credentials>> {
        Ok(self.read_secrets(SecretOwner(ObjectKind::Server, id.0)).await?.credentials)
    }

    async fn create_server(&self, actor: &Actor, new: NewServer) -> Result<Server> {
        let mut tx = self.db.begin().await?;
        let NewServer { user_id, public_id, mut spec, mut patch } = new;
        tx.lock_owner(user_id).await?;
        let slug = match patch.slug.take() {
            Some(slug) => slug,
            None => tx.free_slug(user_id, &Slug::from_name(&spec.name)).await?,
        };
        let mut secrets = Secrets::default();
        spec.apply(patch, &mut secrets)?;
        let server = tx.insert_server(actor, Action::Create, user_id, &slug, &public_id, &spec).await?;
        self.store_secrets(&mut tx, SecretOwner(ObjectKind::Server, server.id.0), server.id.0, &secrets).await?;
        tx.commit().await?;
        Ok(server)
    }

    async fn update_server(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: ServerId,
        mut patch: ServerPatch,
    ) -> Result<Server> {
        let mut tx = self.db.begin().await?;
        let mut server = tx.lock_server_for_update(visibility, id, ServerRole::Editor).await?;
        let new_owner = patch.user_id.take().filter(|user| *user != server.user_id);
        let owner = SecretOwner(ObjectKind::Server, id.0);
        let touches_secrets = patch.settings.is_sent();
        let mut secrets = if touches_secrets { self.load_secrets(&mut tx, owner).await? } else { Secrets::default() };
        match new_owner {
            Some(new_owner) => tx.lock_owners_for_hand_over(visibility, server.user_id, new_owner).await?,
            None if patch.slug.is_some() => tx.lock_owner(server.user_id).await?,
            None => {}
        }
        set(&mut server.slug, patch.slug.take());
        server.spec.apply(patch, &mut secrets)?;
        let mut values = spec_values(&server.spec);
        values.push(("slug", server.slug.as_str().into()));
        if let Some(new_owner) = new_owner {
            tx.change_owner(&mut server, new_owner, actor.at).await?;
        }
        let actor = &new_owner.map_or_else(|| actor.clone(), |user| with_new_owner(actor, user));
        let server = tx.update(actor, id.0, values).await?;
        tx.write_search_text(&server).await?;
        tx.end_forbidden_grants_of_server(id, actor.at).await?;
        if touches_secrets {
            self.store_secrets(&mut tx, owner, id.0, &secrets).await?;
        }
        tx.commit().await?;
        Ok(server)
    }

    async fn delete_server(&self, actor: &Actor, visibility: Visibility, id: ServerId) -> Result<Server> {
        let mut tx = self.db.begin().await?;
        let server = tx.lock_server_for_update(visibility, id, ServerRole::Owner).await?;
        tx.lock_member_rows("server_id", id.0).await?;
        tx.end_grants_of_server(id, actor.at).await?;
        tx.execute("DELETE FROM servers WHERE id = $1", params![id.0]).await?;
        let owner_id = Some(server.user_id.0);
        let object = AuditedObject { owner_id, ..AuditedObject::server(id, server.spec.name.clone()) };
        tx.audit(actor, Action::Delete, &object).await?;
        tx.commit().await?;
        Ok(server)
    }

    async fn toggle_server(&self, actor: &Actor, visibility: Visibility, id: ServerId) -> Result<Server> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, id).await?;
        let sql = format!(
            "UPDATE servers SET status = CASE status WHEN 'active' THEN 'paused' ELSE 'active' END, updated_at = $2 \
             WHERE id = $1 RETURNING {}",
            Server::list()
        );
        let server: Server = tx.change(actor, Action::Toggle, sql, params![id.0, actor.at]).await?;
        tx.commit().await?;
        Ok(server)
    }

    async fn duplicate_server(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: ServerId,
        public_id: PublicId,
    ) -> Result<Server> {
        self.copy_server(actor, visibility, id, &public_id).await
    }
}

/// The columns of the spec, and the name in lower case, by which lists are sorted.
fn spec_values(spec: &ServerSpec) -> Values {
    let mut values = spec.values();
    values.push(("name_key", spec.name.to_lowercase().into()));
    values
}

impl Tx {
    /// Locks and reads a server that the transaction changes; the commit publishes the change.
    async fn lock_server_for_update(
        &mut self,
        visibility: Visibility,
        id: ServerId,
        required: ServerRole,
    ) -> Result<Server> {
        let server = self.lock_and_read_server(visibility, id, required).await?;
        self.record_server_change(server.public_id.clone());
        Ok(server)
    }

    /// Locks and reads a server without recording a change of it.
    pub(super) async fn lock_and_read_server(
        &mut self,
        visibility: Visibility,
        id: ServerId,
        required: ServerRole,
    ) -> Result<Server> {
        Server::from_row(&self.lock_visible_server(&Server::list(), visibility, id, required).await?)
    }

    pub(super) async fn insert_server(
        &mut self,
        actor: &Actor,
        action: Action,
        user_id: UserId,
        slug: &Slug,
        public_id: &PublicId,
        spec: &ServerSpec,
    ) -> Result<Server> {
        let mut values = spec_values(spec);
        values.extend([
            ("user_id", user_id.0.into()),
            ("slug", slug.as_str().into()),
            ("public_id", public_id.as_str().into()),
        ]);
        let server: Server = self.insert(actor, action, values).await?;
        self.record_server_change(server.public_id.clone());
        self.write_search_text(&server).await?;
        Ok(server)
    }

    /// Stores the text that a search matches: name, slug and description in lower case.
    async fn write_search_text(&mut self, server: &Server) -> Result<()> {
        let description = settings::description(server.spec.settings.as_ref()).unwrap_or_default();
        let text = search_form(&format!("{}\n{}\n{description}", server.spec.name, server.slug.as_str()));
        let sql = "INSERT INTO server_search (server_id, user_id, status, text) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (server_id) DO UPDATE SET text = excluded.text";
        let values = params![server.id.0, server.user_id.0, server.spec.status.as_str(), text];
        self.execute(sql, values).await
    }

    /// A slug that the locked owner does not use yet: `base`, or `base-n`.
    pub(super) async fn free_slug(&mut self, user_id: UserId, base: &Slug) -> Result<Slug> {
        if !self.is_slug_taken(user_id, base).await? {
            return Ok(base.clone());
        }
        // Doubles the number until it is free, then bisects: for a thousand servers of one name this takes 20 queries.
        let (mut taken, mut free) = (1, 2);
        while self.is_slug_taken(user_id, &base.numbered(free)).await? {
            if free > SLUG_NUMBER_MAX {
                return Err(StorageError::Exists { kind: ObjectKind::Server, field: "slug" });
            }
            (taken, free) = (free, free * 2);
        }
        while free - taken > 1 {
            let middle = i64::midpoint(taken, free);
            if self.is_slug_taken(user_id, &base.numbered(middle)).await? { taken = middle } else { free = middle }
        }
        Ok(base.numbered(free))
    }

    async fn is_slug_taken(&mut self, user_id: UserId, slug: &Slug) -> Result<bool> {
        let sql = "SELECT id FROM servers WHERE user_id = $1 AND slug = $2";
        Ok(self.fetch_optional(sql, params![user_id.0, slug.as_str()]).await?.is_some())
    }
}
