//! A request that has passed routing, authentication and argument validation.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use toolgate_auth::Principal;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{EndpointKeyId, GrantId, IdentityId, ServerId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;
use toolgate_storage::Storage;

use crate::context::ApiContext;
use crate::credential::RequestCredential;
use crate::error::RestError;
use crate::key_revalidation::KeyRevalidation;

/// The input of a route handler.
pub(crate) struct ApiRequest {
    pub(crate) context: Arc<ApiContext>,
    /// The authenticated caller; `None` only on public routes.
    pub(crate) principal: Option<Principal>,
    /// The credential that the caller sent, for later revalidation.
    pub(crate) credential: Option<RequestCredential>,
    /// The ids in the path, with the names of their placeholders.
    pub(crate) ids: Vec<(&'static str, i64)>,
    /// The names of the arguments that were sent, for the audit log.
    pub(crate) argument_names: Vec<&'static str>,
    /// Public URL of the service, for links.
    pub(crate) base_url: String,
    /// Path below `api_base`, for links.
    pub(crate) path: String,
    /// The raw query string, for links.
    pub(crate) query: String,
    /// The document in the body of an import.
    pub(crate) upload: Option<Bytes>,
}

impl ApiRequest {
    pub(crate) fn storage(&self) -> &dyn Storage {
        &*self.context.services.storage
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.context.services.clock.now()
    }

    pub(crate) fn principal(&self) -> Result<&Principal, RestError> {
        self.principal.as_ref().ok_or_else(RestError::unauthorized)
    }

    /// Looks the caller up again after a wait, in which the key may have been revoked.
    pub(crate) async fn renew_principal(&mut self) -> Result<(), RestError> {
        if let Some(credential) = self.credential {
            self.principal = Some(credential.principal(&self.context).await?);
        }
        Ok(())
    }

    /// Revalidates the caller's key during a reply that may outlast the key.
    pub(crate) fn key_revalidation(&self, interval: Duration) -> Result<KeyRevalidation, RestError> {
        let credential = self.credential.ok_or_else(RestError::unauthorized)?;
        let changes = self.context.key_changes.subscribe(self.principal()?.user_id());
        Ok(KeyRevalidation::new(credential, Arc::clone(&self.context), changes, interval))
    }

    /// The objects this request may access; none on public routes, because no user has the id 0.
    pub(crate) fn visibility(&self) -> Visibility {
        self.principal.as_ref().map_or(Visibility::User(UserId(0)), Principal::visibility)
    }

    /// The caller as the actor in the audit log.
    pub(crate) fn actor(&self) -> Result<Actor, RestError> {
        Ok(self.principal()?.actor(self.now(), self.argument_names.join(",")))
    }

    /// The id of the object that the request is about, `{id}` in the path, as a `T`.
    pub(crate) fn id<T>(&self, to_id: fn(i64) -> T) -> T {
        to_id(self.path_id("id"))
    }

    /// The server of the tools, prompts or resources that the request is about: `/servers/{server_id}/…`.
    pub(crate) fn parent_server_id(&self) -> ServerId {
        ServerId(self.path_id("server_id"))
    }

    pub(crate) fn endpoint_key_id(&self) -> EndpointKeyId {
        EndpointKeyId(self.path_id("key_id"))
    }

    pub(crate) fn grant_id(&self) -> GrantId {
        GrantId(self.path_id("grant_id"))
    }

    pub(crate) fn identity_id(&self) -> IdentityId {
        IdentityId(self.path_id("identity_id"))
    }

    /// The user of a member route: `/servers/{id}/members/{user_id}`.
    pub(crate) fn member_id(&self) -> UserId {
        UserId(self.path_id("user_id"))
    }

    fn path_id(&self, name: &str) -> i64 {
        self.ids.iter().find(|(id_name, _)| *id_name == name).map_or(0, |(_, id)| *id)
    }

    /// Public URL of a path below `api_base`.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("{}{}{path}", self.base_url, self.context.config.root_path())
    }
}
