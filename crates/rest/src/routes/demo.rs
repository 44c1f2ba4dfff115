//! `/demo`: adds the demo server.

use toolgate_domain::audit::Actor;
use toolgate_domain::ids::UserId;
use toolgate_execution::egress::EgressRule;
use toolgate_storage::Storage;

use super::{blueprint, object_doc};
use crate::demo::{Demo, DemoServer};
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::server::ServerOut;

pub(super) fn route() -> Route {
    Operation::new(
        "addDemo",
        "Add the demo server, whose tools call a built-in API of this service. If it exists, it is returned.",
    )
    .create("/demo", add)
    .reply(object_doc::<ServerOut<'_>>(201).or_existing())
    .errors(&[409])
    .admin()
}

async fn add(request: ApiRequest) -> Result<ApiReply, RestError> {
    let owner = request.principal()?.user_id();
    let context = &request.context;
    let added = context.services.demo.add(request.storage(), &context.config.egress, &request.actor()?, owner).await?;
    let body = ServerOut::new(&added.server, &request.base_url);
    if !added.is_new {
        return ApiReply::ok(&body);
    }
    ApiReply::created(&body, &request.link(&format!("/servers/{}", added.server.id)))
}

impl Demo {
    /// Returns the demo server; creates it for `owner` if it does not exist.
    pub async fn add(
        &self,
        storage: &dyn Storage,
        egress: &EgressRule,
        actor: &Actor,
        owner: UserId,
    ) -> Result<DemoServer, RestError> {
        let _guard = self.add_lock.lock().await;
        self.check_destination(egress)?;
        if let Some(server) = self.server(storage).await? {
            return Ok(DemoServer { server, is_new: false });
        }
        let server = blueprint::create(storage, egress, actor, owner, &self.document).await?;
        self.marker.write(Some(server.id)).map_err(|error| RestError::internal(&error))?;
        Ok(DemoServer { server, is_new: true })
    }
}
