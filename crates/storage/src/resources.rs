//! The store of resources.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{ResourceId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::resource::{Resource, ResourcePatch, ResourceSpec};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// Stores the resources of servers. A resource that belongs to another server than `server_id` is `NotFound`.
#[async_trait]
pub trait ResourceStore {
    /// Resources of a server ordered by id: all, or one page.
    async fn list_resources(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Resource>>;

    /// One resource.
    async fn resource(&self, visibility: Visibility, server_id: ServerId, id: ResourceId) -> Result<Resource>;

    /// Credentials and secret headers of a resource's data source.
    async fn resource_secrets(&self, id: ResourceId) -> Result<Secrets>;

    /// Creates a resource: `spec` contains the defaults, `patch` the values from the request. `Exists` if the URI is
    /// taken.
    async fn create_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        spec: ResourceSpec,
        patch: ResourcePatch,
    ) -> Result<Resource>;

    /// Changes fields of a resource. `Exists` if the URI is taken.
    async fn update_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ResourceId,
        patch: ResourcePatch,
    ) -> Result<Resource>;

    /// Deletes a resource and returns it.
    async fn delete_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ResourceId,
    ) -> Result<Resource>;
}
