//! An id for every request, which is part of its log lines. A caller may send one, so that the same id identifies a
//! request across several services.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use http::{HeaderMap, HeaderName, HeaderValue};

pub(super) const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");
const ID_LENGTH_MAX: usize = 64;

/// Generates ids from a random prefix per process and a counter: unique without a random number per request.
#[derive(Debug)]
pub(super) struct RequestIds {
    process_prefix: String,
    count: AtomicU64,
}

impl RequestIds {
    pub(super) fn new() -> anyhow::Result<Self> {
        let random = getrandom::u64().context("the operating system provided no random bytes")?;
        Ok(Self { process_prefix: format!("{random:016x}"), count: AtomicU64::new(1) })
    }

    /// The caller's id for this request if it is safe to log, else a generated one.
    pub(super) fn for_request(&self, headers: &HeaderMap) -> HeaderValue {
        match headers.get(REQUEST_ID_HEADER) {
            Some(id) if is_safe(id) => id.clone(),
            _ => {
                let number = self.count.fetch_add(1, Ordering::Relaxed);
                let id = format!("{}-{number:x}", self.process_prefix);
                HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("unnamed"))
            }
        }
    }
}

/// Whether an id can be written unescaped to a log line and a response header.
fn is_safe(id: &HeaderValue) -> bool {
    let id = id.as_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    (1..=ID_LENGTH_MAX).contains(&id.len()) && id.iter().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_for(value: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(REQUEST_ID_HEADER, HeaderValue::from_str(value).unwrap());
        RequestIds::new().unwrap().for_request(&headers).to_str().unwrap().to_owned()
    }

    #[test]
    fn safe_ids_are_kept() {
        let longest = "x".repeat(64);
        for id in ["a", "3f2b-77.A_z", longest.as_str()] {
            assert_eq!(id_for(id), id);
        }
    }

    #[test]
    fn unsafe_ids_are_replaced() {
        let too_long = "x".repeat(65);
        for id in ["", "a b", "a\"b", "<script>", too_long.as_str()] {
            assert_ne!(id_for(id), id);
        }
    }

    #[test]
    fn generated_ids_differ() {
        let ids = RequestIds::new().unwrap();
        let no_headers = HeaderMap::new();
        assert_ne!(ids.for_request(&no_headers), ids.for_request(&no_headers));
        assert_ne!(ids.for_request(&no_headers), RequestIds::new().unwrap().for_request(&no_headers));
    }
}
