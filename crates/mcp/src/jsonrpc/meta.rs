//! The `_meta` of a request. Most clients send the same `_meta` with every request, so each thread caches the last ones
//! that it parsed.

use std::cell::RefCell;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// Number of cached values in a thread: enough for the clients that use a thread at the same time.
const CACHED_MAX: usize = 4;
/// Longest text that is cached, in bytes.
const CACHED_TEXT_MAX: usize = 1024;

/// The known members of `_meta`. Their types are checked where they are used.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) protocol_version: Option<Value>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(crate) client_capabilities: Option<Box<RawValue>>,
    #[serde(rename = "io.modelcontextprotocol/clientInfo")]
    pub(crate) client_info: Option<Value>,
    #[serde(rename = "io.modelcontextprotocol/logLevel")]
    pub(crate) log_level: Option<Value>,
    #[serde(rename = "progressToken")]
    pub(crate) progress_token: Option<Value>,
}

/// A parsed value and its text.
struct CachedMeta {
    text: Box<str>,
    meta: Arc<Meta>,
}

thread_local! {
    /// The last values that this thread parsed, newest first.
    static CACHE: RefCell<Vec<CachedMeta>> = const { RefCell::new(Vec::new()) };
}

impl Meta {
    /// Parses a value, or takes it from the cache; `None` if it is not an object.
    pub(super) fn parse(text: &str) -> Option<Arc<Self>> {
        if !text.starts_with('{') {
            return None;
        }
        CACHE.with_borrow_mut(|cache| {
            if let Some(cached) = cache.iter().find(|cached| *cached.text == *text) {
                return Some(Arc::clone(&cached.meta));
            }
            let meta: Arc<Self> = serde_json::from_str(text).ok().map(Arc::new)?;
            // The progress token of each request is a new one.
            if text.len() <= CACHED_TEXT_MAX && meta.progress_token.is_none() {
                cache.truncate(CACHED_MAX - 1);
                cache.insert(0, CachedMeta { text: text.into(), meta: Arc::clone(&meta) });
            }
            Some(meta)
        })
    }

    /// The name of the client, which clients of any era may send.
    pub(crate) fn client_name(&self) -> Option<&str> {
        self.client_info.as_ref()?.get("name")?.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_value_is_parsed_once() {
        let parse = |name: usize| {
            Meta::parse(&format!(r#"{{"io.modelcontextprotocol/clientInfo":{{"name":"{name}"}}}}"#)).unwrap()
        };
        let first = parse(0);
        for name in 1..CACHED_MAX {
            assert_eq!(parse(name).client_name(), Some(name.to_string().as_str()));
        }
        // Values with a progress token do not replace others.
        for token in 0..CACHED_MAX {
            let meta = Meta::parse(&format!(r#"{{"progressToken":{token}}}"#)).unwrap();
            assert_eq!(meta.progress_token, Some(token.into()));
        }
        assert!(Arc::ptr_eq(&first, &parse(0)));
        parse(CACHED_MAX);
        let parsed_again = parse(0);
        assert!(!Arc::ptr_eq(&first, &parsed_again), "the oldest value was replaced");
        assert_eq!(parsed_again.client_name(), Some("0"));
    }

    #[test]
    fn a_long_value_is_not_cached() {
        let text = format!(r#"{{"io.modelcontextprotocol/logLevel":"{}"}}"#, "x".repeat(CACHED_TEXT_MAX));
        let [first, second] = [0, 1].map(|_| Meta::parse(&text).unwrap());
        assert!(!Arc::ptr_eq(&first, &second));
        assert_eq!(first.log_level, second.log_level);
    }

    #[test]
    fn only_objects_are_values() {
        for text in ["[]", "1", r#""{""#, "{", r#"{"progressToken":1,"progressToken":2}"#] {
            assert!(Meta::parse(text).is_none(), "{text}");
        }
    }
}
