//! Tests of which calls get the result of an earlier one.

use std::time::Duration;

use super::*;
use crate::era::Revision;

const TTL: Duration = Duration::from_mins(1);

fn result(json: impl Into<Bytes>) -> CachedResult {
    CachedResult { json: json.into(), upstream_status: Some(200), response_bytes: 5, expires_at: Instant::now() + TTL }
}

fn key(arguments: &str) -> ResultKey {
    ResultKey { compile_id: 1, arguments: Some(arguments.into()), era: Era::Bare, coerces_arguments: false }
}

#[test]
fn only_an_equal_call_gets_the_result() {
    let (cache, stored) = (CachedResults::new(), result("{}"));
    cache.insert(key(r#"{"a":1}"#), stored.clone());
    assert_eq!(cache.get(&key(r#"{"a":1}"#)), Some(stored));
    for other in [
        key(r#"{"a":2}"#),
        ResultKey { arguments: None, ..key("") },
        ResultKey { compile_id: 2, ..key(r#"{"a":1}"#) },
        ResultKey { era: Era::Modern, ..key(r#"{"a":1}"#) },
        ResultKey { era: Era::Legacy(Revision::V2025_11_25), ..key(r#"{"a":1}"#) },
        ResultKey { coerces_arguments: true, ..key(r#"{"a":1}"#) },
    ] {
        assert_eq!(cache.get(&other), None, "{other:?}");
    }
}

#[test]
fn a_result_expires_with_its_response() {
    let cache = CachedResults::new();
    cache.insert(key(""), CachedResult { expires_at: Instant::now(), ..result("{}") });
    assert_eq!(cache.get(&key("")), None);
}

#[test]
fn the_cache_is_bounded_and_stores_no_large_results() {
    let cache = CachedResults::new();
    let size = ENTRY_BYTES_MAX - 2 * ENTRY_OVERHEAD_BYTES;
    for number in 0..100 {
        cache.insert(key(&number.to_string()), result(vec![b' '; size]));
    }
    cache.0.run_pending_tasks();
    assert!((BYTES_MAX / 2..=BYTES_MAX).contains(&cache.bytes()));
    for (arguments, json) in [(String::new(), vec![b' '; ENTRY_BYTES_MAX]), ("x".repeat(ENTRY_BYTES_MAX), Vec::new())] {
        cache.insert(key(&arguments), result(json));
        assert_eq!(cache.get(&key(&arguments)), None);
    }
}
