//! `/openapi.json`: this API, described for machines.

use serde_json::json;

use crate::call::Call;
use crate::error::RestError;
use crate::reply::Reply;
use crate::route::{ReplyDoc, Route, handler};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read("/openapi.json", "getOpenApi", "The OpenAPI document of this API.", handler!(get))
            .reply(ReplyDoc::json(200, json!({"type": "object"})))
            .public(),
    ]
}

async fn get(call: Call) -> Result<Reply, RestError> {
    Reply::ok(&call.context.openapi)
}
