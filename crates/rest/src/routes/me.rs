//! `/me`.

use super::one;
use crate::call::Call;
use crate::error::RestError;
use crate::reply::Reply;
use crate::route::{Route, handler};
use crate::wire::MeOut;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read("/me", "getMe", "Who calls: the user, the key, and what both together may do.", handler!(get))
            .reply(one::<MeOut<'_>>(200)),
    ]
}

async fn get(call: Call) -> Result<Reply, RestError> {
    Reply::ok(&MeOut::from(call.principal()?))
}
