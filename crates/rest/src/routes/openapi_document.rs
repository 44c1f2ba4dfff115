//! `/openapi.json`: the OpenAPI document.

use serde_json::json;

use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, ReplyDoc, Route};

pub(super) fn route() -> Route {
    Operation::new("getOpenApi", "Get the OpenAPI document of this API.")
        .read("/openapi.json", get)
        .reply(ReplyDoc::json(200, json!({"type": "object"})))
        .public()
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    ApiReply::ok(&*request.context.openapi)
}
