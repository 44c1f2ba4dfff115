//! The first path segments of the service's routes. No path of the console begins with one, and the management API
//! cannot be moved to one.

/// Sign-in, consent, and the endpoints of the built-in issuer.
const OAUTH: [&str; 9] =
    ["authorize", "connect", "connections", "register", "revoke", "signin", "signin.css", "signout", "token"];

/// Everything else.
const OTHER: [&str; 10] =
    ["assets", "demo", "healthz", "index.html", "livez", "mcp", "metrics", "readyz", "startupz", "welcome.css"];

/// Whether a route of the service begins with this segment.
pub(crate) fn is_reserved(segment: &str) -> bool {
    OTHER.contains(&segment) || OAUTH.contains(&segment)
}

/// Whether a path belongs to the built-in issuer. Metadata documents are below `/.well-known`.
pub(crate) fn is_oauth_path(path: &str) -> bool {
    let first = path.strip_prefix('/').and_then(|path| path.split('/').next());
    first.is_some_and(|segment| segment == ".well-known" || OAUTH.contains(&segment))
}
