//! What came back, with the assertions that every test makes.

use std::fmt;

use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;

/// A whole reply.
#[derive(Clone)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, as it came.
    pub body: Bytes,
    /// Method and address of the request, for messages.
    pub(super) asked: String,
}

impl Reply {
    /// Goes on only when the status is the expected one.
    #[track_caller]
    #[expect(clippy::return_self_not_must_use, reason = "often the status is all that a test wants")]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "expected {status}, not this: {self:?}");
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

    /// The body as text, whatever is not UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The first header of this name, if it is there and readable.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} {}", self.asked, self.status, self.text())
    }
}
