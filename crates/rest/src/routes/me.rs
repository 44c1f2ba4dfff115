//! `/me`.

use super::object_doc;
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::me::MeOut;

pub(super) fn route() -> Route {
    Operation::new("getMe", "Get the caller: the user, the key, and their combined permissions.")
        .read("/me", get)
        .reply(object_doc::<MeOut<'_>>(200))
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    ApiReply::ok(&MeOut::new(request.principal()?))
}
