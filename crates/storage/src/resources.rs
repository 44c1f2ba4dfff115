//! Resources.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{ResourceId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::resource::{Resource, ResourcePatch, ResourceSpec};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::user::Visibility;

use crate::Result;

/// Resources of a server. A resource asked for under another server than its own is not found.
#[async_trait]
pub trait ResourceStore {
    /// Resources of a server by id: all, or one page of them.
    async fn list_resources(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Resource>>;

    /// One resource.
    async fn resource(&self, visibility: Visibility, server_id: ServerId, id: ResourceId) -> Result<Resource>;

    /// Credentials and secret headers of a resource's source.
    async fn resource_secrets(&self, id: ResourceId) -> Result<Secrets>;

    /// Makes a resource from its defaults and a patch. `Exists` when the URI is taken.
    async fn create_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        spec: ResourceSpec,
        patch: ResourcePatch,
    ) -> Result<Resource>;

    /// Changes fields of a resource. `Exists` when the URI is taken.
    async fn update_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ResourceId,
        patch: ResourcePatch,
    ) -> Result<Resource>;

    /// Deletes a resource. Returns what it was.
    async fn delete_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ResourceId,
    ) -> Result<Resource>;
}
