//! The store of resources in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{ResourceId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::resource::{RESOURCES_MAX, Resource, ResourcePatch, ResourceSpec};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::{Columns as _, insert, update};
use super::locks::{check_capacity, limit_and_offset};
use super::row::params;
use super::secrets::SecretOwner;
use crate::error::{Result, StorageError};
use crate::resources::ResourceStore;

const NOT_FOUND: StorageError = StorageError::NotFound(ObjectKind::Resource);

fn select_one() -> AssertSqlSafe<String> {
    AssertSqlSafe(format!("SELECT {} FROM resources WHERE server_id = $1 AND id = $2", Resource::list()))
}

#[async_trait]
impl ResourceStore for SqlStorage {
    async fn list_resources(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Resource>> {
        let total = self.db.server_counts(visibility, server_id).await?.resources;
        let sql =
            format!("SELECT {} FROM resources WHERE server_id = $1 ORDER BY id LIMIT $2 OFFSET $3", Resource::list());
        let mut params = params![server_id.0];
        params.extend(limit_and_offset(page));
        let rows = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
        Ok(Listing { items: Resource::from_rows(&rows)?, total })
    }

    async fn resource(&self, visibility: Visibility, server_id: ServerId, id: ResourceId) -> Result<Resource> {
        self.db.server_counts(visibility, server_id).await?;
        let row = self.db.fetch_optional(select_one(), params![server_id.0, id.0]).await?;
        Resource::from_row(&row.ok_or(NOT_FOUND)?)
    }

    async fn resource_secrets(&self, id: ResourceId) -> Result<Secrets> {
        self.read_secrets(SecretOwner::Resource(id.0)).await
    }

    async fn create_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        mut spec: ResourceSpec,
        patch: ResourcePatch,
    ) -> Result<Resource> {
        let mut tx = self.db.begin().await?;
        let counts = tx.lock_server(visibility, server_id).await?;
        check_capacity(counts.resources, RESOURCES_MAX, "resources")?;
        let mut secrets = Secrets::default();
        spec.apply(patch, &mut secrets)?;
        let mut values = spec.values();
        values.extend([
            ("server_id", server_id.0.into()),
            ("created_at", actor.at.into()),
            ("updated_at", actor.at.into()),
        ]);
        let (sql, params) = insert::<Resource>("resources", values);
        let row = tx.fetch_one(sql, params).await;
        let resource = Resource::from_row(&row.map_err(|error| error.or_exists(ObjectKind::Resource, "uri"))?)?;
        self.store_secrets(&mut tx, SecretOwner::Resource(resource.id.0), server_id.0, &secrets).await?;
        tx.audit(actor, Action::Create, ObjectKind::Resource, resource.id.0).await?;
        tx.commit().await?;
        Ok(resource)
    }

    async fn update_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ResourceId,
        patch: ResourcePatch,
    ) -> Result<Resource> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        let row = tx.fetch_optional(select_one(), params![server_id.0, id.0]).await?;
        let mut resource = Resource::from_row(&row.ok_or(NOT_FOUND)?)?;
        let touches_secrets = patch.data_source_type.is_some() || patch.data_source_config.is_some();
        let owner = SecretOwner::Resource(id.0);
        let mut secrets = if touches_secrets { self.load_secrets(&mut tx, owner).await? } else { Secrets::default() };
        resource.spec.apply(patch, &mut secrets)?;
        let mut values = resource.spec.values();
        values.push(("updated_at", actor.at.into()));
        let (sql, params) = update::<Resource>("resources", id.0, values);
        let row = tx.fetch_one(sql, params).await;
        let resource = Resource::from_row(&row.map_err(|error| error.or_exists(ObjectKind::Resource, "uri"))?)?;
        if touches_secrets {
            self.store_secrets(&mut tx, owner, server_id.0, &secrets).await?;
        }
        tx.audit(actor, Action::Update, ObjectKind::Resource, id.0).await?;
        tx.commit().await?;
        Ok(resource)
    }

    async fn delete_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ResourceId,
    ) -> Result<Resource> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        let sql = format!("DELETE FROM resources WHERE server_id = $1 AND id = $2 RETURNING {}", Resource::list());
        let row = tx.fetch_optional(AssertSqlSafe(sql), params![server_id.0, id.0]).await?;
        let resource = Resource::from_row(&row.ok_or(NOT_FOUND)?)?;
        self.store_secrets(&mut tx, SecretOwner::Resource(id.0), server_id.0, &Secrets::default()).await?;
        tx.audit(actor, Action::Delete, ObjectKind::Resource, id.0).await?;
        tx.commit().await?;
        Ok(resource)
    }
}
