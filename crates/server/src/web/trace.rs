//! One log line for each request. Never headers, bodies or the query: keys travel there.

use std::time::Instant;

use axum::body::Body;
use http::{Method, Request, StatusCode, Uri};
use tracing::Level;

/// The line of a request under way; nothing where nobody would read it.
pub(super) struct LogLine(Option<(Instant, Method, Uri)>);

impl LogLine {
    pub(super) fn begin(request: &Request<Body>) -> Self {
        let begun = || (Instant::now(), request.method().clone(), request.uri().clone());
        Self(tracing::enabled!(Level::DEBUG).then(begun))
    }

    pub(super) fn end(self, status: StatusCode) {
        let Some((began, method, uri)) = self.0 else { return };
        let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::debug!(%method, path = uri.path(), status = status.as_u16(), ms, "answered");
    }
}
