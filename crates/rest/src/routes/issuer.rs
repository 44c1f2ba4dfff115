//! `/oauth/issuer`: whether this service can issue tokens for servers that require sign-in.

use super::object_doc;
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::issuer::IssuerOut;

pub(super) fn route() -> Route {
    Operation::new(
        "getIssuer",
        "Get the issuer of tokens for servers that require sign-in: this service, if it can be one.",
    )
    .read("/oauth/issuer", get)
    .reply(object_doc::<IssuerOut<'_>>(200))
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    ApiReply::ok(&IssuerOut::new(request.context.config.base_url.issuer()))
}
