//! `/authorize`: checks the request of a client, and the decision of a person.

use std::sync::Arc;

use axum::Router;

use crate::context::IssuerContext;

pub(crate) fn routes(_context: &Arc<IssuerContext>) -> Router {
    Router::new()
}
