//! `/demo`.

use super::one;
use crate::call::Call;
use crate::error::RestError;
use crate::reply::Reply;
use crate::route::{Route, handler};
use crate::wire::ServerOut;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::create(
            "/demo",
            "addDemo",
            "Add the demo: a server with tools over an API that the service has inside. Once; after that it is returned.",
            handler!(add),
        )
        .reply(one::<ServerOut<'_>>(201).or_existing())
        .errors(&[409])
        .admin(),
    ]
}

async fn add(call: Call) -> Result<Reply, RestError> {
    let owner = call.principal()?.user_id();
    let context = &call.context;
    let added = context.demo.add(call.storage(), &context.config.egress, &call.actor()?, owner).await?;
    let body = ServerOut::new(&added.server, &call.base_url);
    if !added.is_new {
        return Reply::ok(&body);
    }
    Reply::created(&body, &call.link(&format!("/servers/{}", added.server.id)))
}
