//! `/revoke`: tokens are revoked (RFC 7009).

use std::sync::Arc;

use axum::Router;

use crate::context::IssuerContext;

pub(crate) fn routes(_context: &Arc<IssuerContext>) -> Router {
    Router::new()
}
