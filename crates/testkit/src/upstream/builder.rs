//! Configures an [`Upstream`](super::Upstream).

use std::collections::HashMap;
use std::fmt;

use super::received_request::ReceivedRequest;
use super::response::MockResponse;

type FallbackHandler = dyn Fn(&ReceivedRequest) -> MockResponse + Send + Sync;

/// The responses of an [`Upstream`](super::Upstream) that is not started yet.
#[must_use = "nothing is served until it is started"]
pub struct UpstreamBuilder {
    routes: HashMap<String, MockResponse>,
    fallback: Box<FallbackHandler>,
}

impl UpstreamBuilder {
    pub(super) fn new() -> Self {
        let not_found =
            |request: &ReceivedRequest| MockResponse::status(404).body(format!("no route for {}", request.target));
        Self { routes: HashMap::new(), fallback: Box::new(not_found) }
    }

    /// Responds to every request for this path, independent of method and query.
    pub fn route(mut self, path: &str, response: MockResponse) -> Self {
        self.routes.insert(path.to_owned(), response);
        self
    }

    /// Responds to requests that no route matches.
    pub fn fallback(mut self, handler: impl Fn(&ReceivedRequest) -> MockResponse + Send + Sync + 'static) -> Self {
        self.fallback = Box::new(handler);
        self
    }

    pub(super) fn respond(&self, request: &ReceivedRequest) -> MockResponse {
        match self.routes.get(request.path()) {
            Some(response) => response.clone(),
            None => (self.fallback)(request),
        }
    }
}

impl fmt::Debug for UpstreamBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpstreamBuilder").field("routes", &self.routes).finish_non_exhaustive()
    }
}
