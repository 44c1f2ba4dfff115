//! Servers.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{PublicId, ServerId, UserId};
use toolgate_domain::page::{Direction, Listing, Page};
use toolgate_domain::server::{Server, ServerPatch, ServerSort, ServerSpec, ServerStatus};
use toolgate_domain::upstream_auth::Credentials;
use toolgate_domain::user::Visibility;

use crate::Result;

/// What a list of servers is asked for.
#[derive(Clone, Debug)]
pub struct ServerQuery {
    /// Only this status.
    pub status: Option<ServerStatus>,
    /// Only servers whose name, slug or description holds this text, whatever its case.
    pub search: Option<String>,
    /// Sort field; ties are broken by id in the same direction.
    pub sort: ServerSort,
    /// Sort direction.
    pub direction: Direction,
    /// The page.
    pub page: Page,
}

/// A server to be made.
#[derive(Clone, Debug)]
pub struct NewServer {
    /// Its owner.
    pub user_id: UserId,
    /// Its public id, fresh from a random source.
    pub public_id: PublicId,
    /// Defaults, with the name.
    pub spec: ServerSpec,
    /// What the request says beyond the name. Without a slug one is made from the name, numbered when taken.
    pub patch: ServerPatch,
}

/// Servers, one atomic operation a method.
#[async_trait]
pub trait ServerStore {
    /// One page of the servers that match, and how many match in all.
    async fn list_servers(&self, visibility: Visibility, query: ServerQuery) -> Result<Listing<Server>>;

    /// One server.
    async fn server(&self, visibility: Visibility, id: ServerId) -> Result<Server>;

    /// The credentials with which the tools of a server are tested, where its settings have any.
    async fn test_credentials(&self, id: ServerId) -> Result<Option<Credentials>>;

    /// Makes a server. `Exists` when a slug was given and the owner uses it already.
    async fn create_server(&self, actor: &Actor, new: NewServer) -> Result<Server>;

    /// Changes fields of a server. `Exists` when the slug is taken.
    async fn update_server(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: ServerId,
        patch: ServerPatch,
    ) -> Result<Server>;

    /// Deletes a server with its tools, prompts, resources and keys. Returns what it was.
    async fn delete_server(&self, actor: &Actor, visibility: Visibility, id: ServerId) -> Result<Server>;

    /// Active becomes paused; anything else becomes active. One statement: concurrent toggles each count.
    async fn toggle_server(&self, actor: &Actor, visibility: Visibility, id: ServerId) -> Result<Server>;

    /// Copies a server with its tools, prompts and resources, secrets included, as a draft with a public id of its own.
    async fn duplicate_server(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: ServerId,
        public_id: PublicId,
    ) -> Result<Server>;
}
