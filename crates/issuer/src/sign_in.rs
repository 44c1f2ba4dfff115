//! `/signin` and `/signout`: the browser session of a person.

use std::sync::Arc;

use axum::Router;

use crate::context::IssuerContext;

pub(crate) fn routes(_context: &Arc<IssuerContext>) -> Router {
    Router::new()
}
