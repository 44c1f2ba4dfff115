//! `/openapi.json`: the OpenAPI document.

use serde_json::json;

use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{ReplyDoc, Route};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read("/openapi.json", "getOpenApi", "Get the OpenAPI document of this API.", get)
            .reply(ReplyDoc::json(200, json!({"type": "object"})))
            .public(),
    ]
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    ApiReply::ok(&*request.context.openapi)
}
