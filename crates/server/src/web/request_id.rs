//! A name for every request, to find its log lines by. A caller may bring one, so that one name follows a
//! request through several services.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::anyhow;
use http::{HeaderMap, HeaderName, HeaderValue};

pub(super) const HEADER: HeaderName = HeaderName::from_static("x-request-id");
const MAX_LENGTH: usize = 64;

/// Makes names: random for each start, counted within it. Unique without asking for randomness each time.
#[derive(Debug)]
pub(super) struct RequestIds {
    boot: String,
    count: AtomicU64,
}

impl RequestIds {
    pub(super) fn new() -> anyhow::Result<Self> {
        let boot = getrandom::u64().map_err(|error| anyhow!("the system gave no random numbers: {error}"))?;
        Ok(Self { boot: format!("{boot:016x}"), count: AtomicU64::new(1) })
    }

    /// The caller's name for this request where it is harmless, else one of our own.
    pub(super) fn name(&self, headers: &HeaderMap) -> HeaderValue {
        match headers.get(HEADER) {
            Some(given) if is_harmless(given) => given.clone(),
            _ => self.next(),
        }
    }

    fn next(&self) -> HeaderValue {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number:x}", self.boot);
        HeaderValue::try_from(name).unwrap_or(HeaderValue::from_static("unnamed"))
    }
}

/// Whether a name can go into a log line and a reply as it is.
fn is_harmless(name: &HeaderValue) -> bool {
    let name = name.as_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    (1..=MAX_LENGTH).contains(&name.len()) && name.iter().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(value: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(HEADER, HeaderValue::from_str(value).unwrap());
        RequestIds::new().unwrap().name(&headers).to_str().unwrap().to_owned()
    }

    #[test]
    fn harmless_names_are_kept() {
        let longest = "x".repeat(64);
        for name in ["a", "3f2b-77.A_z", longest.as_str()] {
            assert_eq!(named(name), name);
        }
    }

    #[test]
    fn other_names_are_replaced() {
        let too_long = "x".repeat(65);
        for name in ["", "a b", "a\"b", "<script>", too_long.as_str()] {
            assert_ne!(named(name), name);
        }
    }

    #[test]
    fn own_names_differ() {
        let ids = RequestIds::new().unwrap();
        let none = HeaderMap::new();
        assert_ne!(ids.name(&none), ids.name(&none));
        assert_ne!(ids.name(&none), RequestIds::new().unwrap().name(&none));
    }
}
