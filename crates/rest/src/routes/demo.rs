//! `/demo`.

use super::object_doc;
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Route, handler};
use crate::wire::ServerOut;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::create(
            "/demo",
            "addDemo",
            "Add the demo server, whose tools call a built-in API of this service. If it exists, it is returned.",
            handler!(add),
        )
        .reply(object_doc::<ServerOut<'_>>(201).or_existing())
        .errors(&[409])
        .admin(),
    ]
}

async fn add(request: ApiRequest) -> Result<ApiReply, RestError> {
    let owner = request.principal()?.user_id();
    let context = &request.context;
    let added = context.demo.add(request.storage(), &context.config.egress, &request.actor()?, owner).await?;
    let body = ServerOut::new(&added.server, &request.base_url);
    if !added.is_new {
        return ApiReply::ok(&body);
    }
    ApiReply::created(&body, &request.link(&format!("/servers/{}", added.server.id)))
}
