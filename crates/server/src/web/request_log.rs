//! Logs one line per request at level debug. Never logs headers, bodies or the query, because they may contain keys.

use std::time::Instant;

use axum::body::Body;
use http::{Method, Request, StatusCode, Uri};
use tracing::Level;

/// The log line of an active request; empty if debug logging is off.
pub(super) struct LogLine(Option<(Instant, Method, Uri)>);

impl LogLine {
    pub(super) fn begin(request: &Request<Body>) -> Self {
        let start = || (Instant::now(), request.method().clone(), request.uri().clone());
        Self(tracing::enabled!(Level::DEBUG).then(start))
    }

    pub(super) fn end(self, status: StatusCode) {
        let Some((started, method, uri)) = self.0 else { return };
        let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::debug!(%method, path = uri.path(), status = status.as_u16(), ms, "request handled");
    }
}
