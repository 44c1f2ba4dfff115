//! Redirects that cannot be followed.

use crate::upstream::MockResponse;
use crate::upstream::ReceivedRequest;

/// Redirects to the same path.
pub fn redirect_loop(request: &ReceivedRequest) -> MockResponse {
    to(request.path())
}

/// Redirects to a new path each time.
pub fn endless_chain(request: &ReceivedRequest) -> MockResponse {
    to(&format!("{}/on", request.path()))
}

/// Redirects to an invalid URL.
pub fn invalid_location() -> MockResponse {
    to("http://[::1")
}

/// Redirects to a `file:` URL.
pub fn file_url() -> MockResponse {
    to("file:///etc/passwd")
}

/// Redirects to this URL.
pub fn to(location: &str) -> MockResponse {
    MockResponse::status(302).header("location", location)
}
