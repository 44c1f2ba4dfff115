//! `/token`: codes and refresh tokens become access tokens.

use std::sync::Arc;

use axum::Router;

use crate::context::IssuerContext;

pub(crate) fn routes(_context: &Arc<IssuerContext>) -> Router {
    Router::new()
}
