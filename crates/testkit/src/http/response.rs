//! A response, with the assertions that every test makes.

use std::fmt;

use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;

/// A complete response.
#[derive(Clone)]
pub struct TestResponse {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// Method and URL of the request, for messages.
    pub(super) request_line: String,
}

impl TestResponse {
    /// Panics unless the response has this status.
    #[track_caller]
    #[expect(clippy::return_self_not_must_use, reason = "often the status is all that a test checks")]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "expected {status}, got: {self:?}");
        self
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_slice(&self.body) {
            Ok(value) => value,
            Err(error) => panic!("the body is not JSON ({error}): {self:?}"),
        }
    }

    /// The body as text, with invalid UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The first header of this name, if it is valid text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl fmt::Debug for TestResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} {}", self.request_line, self.status, self.text())
    }
}
