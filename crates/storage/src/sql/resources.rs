//! The store of resources in SQL.

use async_trait::async_trait;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{ResourceId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::resource::{RESOURCES_MAX, Resource, ResourcePatch, ResourceSpec};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::Columns as _;
use super::locks::check_capacity;
use super::secrets::SecretOwner;
use crate::error::Result;
use crate::resources::ResourceStore;

#[async_trait]
impl ResourceStore for SqlStorage {
    async fn list_resources(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Resource>> {
        let total = self.db.server_counts(visibility, server_id).await?.resources;
        Ok(Listing { items: self.db.list_in_server(server_id, page).await?, total })
    }

    async fn resource(&self, visibility: Visibility, server_id: ServerId, id: ResourceId) -> Result<Resource> {
        self.db.server_counts(visibility, server_id).await?;
        self.db.find_in_server(server_id, id.0).await
    }

    async fn resource_secrets(&self, id: ResourceId) -> Result<Secrets> {
        self.read_secrets(SecretOwner(ObjectKind::Resource, id.0)).await
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
        values.push(("server_id", server_id.0.into()));
        let resource: Resource = tx.insert(actor, Action::Create, values).await?;
        self.store_secrets(&mut tx, SecretOwner(ObjectKind::Resource, resource.id.0), server_id.0, &secrets).await?;
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
        let mut resource: Resource = tx.find_in_server(server_id, id.0).await?;
        let touches_secrets = patch.data_source_type.is_some() || patch.data_source_config.is_some();
        let owner = SecretOwner(ObjectKind::Resource, id.0);
        let mut secrets = if touches_secrets { self.load_secrets(&mut tx, owner).await? } else { Secrets::default() };
        resource.spec.apply(patch, &mut secrets)?;
        let resource = tx.update(actor, id.0, resource.spec.values()).await?;
        if touches_secrets {
            self.store_secrets(&mut tx, owner, server_id.0, &secrets).await?;
        }
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
        let resource = tx.delete_in_server(actor, server_id, id.0).await?;
        self.store_secrets(&mut tx, SecretOwner(ObjectKind::Resource, id.0), server_id.0, &Secrets::default()).await?;
        tx.commit().await?;
        Ok(resource)
    }
}
