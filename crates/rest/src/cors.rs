//! CORS headers: only origins that the operator configures are allowed, and never with cookies.

use http::header::{ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN};
use http::header::{ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ORIGIN, VARY};
use http::{HeaderMap, HeaderValue};

/// Adds the CORS headers to the reply to `request`; `OPTIONS` requests get the preflight headers, too.
pub(crate) fn add_headers(request: &HeaderMap, reply: &mut HeaderMap, allowed_origins: &[String], is_options: bool) {
    let exposed = HeaderValue::from_static("X-WP-Total, X-WP-TotalPages, Link, X-Next-Before, X-Toolgate-Ignored");
    reply.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    if is_options {
        let methods = HeaderValue::from_static("OPTIONS, GET, POST, PUT, PATCH, DELETE");
        reply.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
        let headers = "Authorization, Content-Type, X-HTTP-Method-Override, X-Request-Id";
        reply.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(headers));
        // Browsers cache the preflight for ten minutes.
        reply.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
    if allowed_origins.is_empty() {
        return;
    }
    reply.insert(VARY, HeaderValue::from_static("Origin"));
    let origin = request
        .get(ORIGIN)
        .filter(|origin| allowed_origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes()));
    if let Some(origin) = origin {
        reply.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
}
