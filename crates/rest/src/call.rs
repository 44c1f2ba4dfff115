//! A request that has passed routing, authentication and the checks of its arguments.

use std::sync::Arc;
use std::time::Duration;

use toolgate_auth::Principal;
use toolgate_domain::audit::Actor;
use toolgate_domain::call::CallId;
use toolgate_domain::ids::{ApiKeyId, EndpointKeyId, PromptId, ResourceId, ServerId, ToolId, UserId};
use toolgate_domain::user::Visibility;
use toolgate_storage::Storage;

use crate::context::Context;
use crate::credential::Credential;
use crate::error::RestError;
use crate::lasting::Lasting;
use crate::params::Args;

/// What a handler gets.
pub(crate) struct Call {
    pub(crate) context: Arc<Context>,
    /// Who calls; only public routes have nobody.
    pub(crate) principal: Option<Principal>,
    /// What the caller is known by.
    pub(crate) credential: Option<Credential>,
    pub(crate) ids: Vec<(&'static str, i64)>,
    pub(crate) args: Args,
    /// Public address of the service, for links.
    pub(crate) base_url: String,
    /// Path below `api_base`, for links.
    pub(crate) path: String,
    /// The query as sent, for links.
    pub(crate) query: String,
}

impl Call {
    pub(crate) fn storage(&self) -> &dyn Storage {
        &*self.context.storage
    }

    pub(crate) fn principal(&self) -> Result<&Principal, RestError> {
        self.principal.as_ref().ok_or_else(RestError::unauthorized)
    }

    /// The caller's key, for a reply that may outlast it.
    pub(crate) fn lasting(&self, look_every: Duration) -> Result<Lasting, RestError> {
        let credential = self.credential.ok_or_else(RestError::unauthorized)?;
        let changes = self.context.key_changes.of(self.principal()?.user_id());
        Ok(Lasting::new(credential, Arc::clone(&self.context), changes, look_every))
    }

    /// Whose objects this call may touch; nobody's, when nobody calls.
    pub(crate) fn visibility(&self) -> Visibility {
        self.principal.as_ref().map_or(Visibility::OwnedBy(UserId(0)), Principal::visibility)
    }

    /// The caller as author of a change.
    pub(crate) fn actor(&self) -> Result<Actor, RestError> {
        Ok(self.principal()?.actor(self.context.clock.now(), self.args.names().join(",")))
    }

    /// Whether a table was asked for.
    pub(crate) fn wants_csv(&self) -> bool {
        self.args.text("format") == Some("csv")
    }

    fn id(&self, name: &str) -> i64 {
        self.ids.iter().find(|(known, _)| *known == name).map_or(0, |(_, id)| *id)
    }

    /// The server of the path, on routes of the server itself: `/servers/{id}`.
    pub(crate) fn own_server_id(&self) -> ServerId {
        ServerId(self.id("id"))
    }

    /// The server of the path, on routes of what belongs to it: `/servers/{server_id}/…`.
    pub(crate) fn server_id(&self) -> ServerId {
        ServerId(self.id("server_id"))
    }

    pub(crate) fn tool_id(&self) -> ToolId {
        ToolId(self.id("id"))
    }

    pub(crate) fn prompt_id(&self) -> PromptId {
        PromptId(self.id("id"))
    }

    pub(crate) fn resource_id(&self) -> ResourceId {
        ResourceId(self.id("id"))
    }

    pub(crate) fn user_id(&self) -> UserId {
        UserId(self.id("id"))
    }

    pub(crate) fn api_key_id(&self) -> ApiKeyId {
        ApiKeyId(self.id("id"))
    }

    pub(crate) fn call_id(&self) -> CallId {
        CallId(self.id("id"))
    }

    pub(crate) fn endpoint_key_id(&self) -> EndpointKeyId {
        EndpointKeyId(self.id("key_id"))
    }

    /// Public address of something below `api_base`.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("{}{}{path}", self.base_url, self.context.config.root())
    }
}
