//! Tests of which responses are cached, for how long, and how many times the upstream is called.

use std::future::{pending, ready};
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use tokio::sync::Notify;
use tokio::task::{JoinSet, yield_now};
use toolgate_domain::call::FailureReason;

use super::*;

const TOOL: CalledObject = CalledObject::Tool(ToolId(1));
const TTL: Duration = Duration::from_mins(1);

fn request(headers: &[(&'static str, &'static str)]) -> OutboundRequest {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    OutboundRequest {
        method: Method::GET,
        uri: Uri::from_static("https://api.example/a?b=c"),
        headers: map,
        body: Bytes::new(),
    }
}

fn key(revision: i64) -> CacheKey {
    CacheKey::new(TOOL, revision, &request(&[]))
}

fn response(status: u16, body: impl Into<Bytes>) -> UpstreamResponse {
    UpstreamResponse {
        status: StatusCode::from_u16(status).unwrap(),
        headers: HeaderMap::new(),
        body: body.into(),
        sent_tokens: Vec::new(),
    }
}

/// Makes one call. Returns the body and whether it was a cache hit.
async fn call(cache: &ResponseCache, key: CacheKey, ttl: Duration, fetched: UpstreamResponse) -> (Bytes, bool) {
    let FetchedResponse { response, is_cached, .. } = cache.get_or_fetch(key, ttl, ready(Ok(fetched))).await.unwrap();
    (response.body.clone(), is_cached)
}

#[tokio::test]
async fn five_hundred_equal_calls_make_one_upstream_call() {
    let cache = Arc::new(ResponseCache::new(None));
    let (fetches, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let mut callers = JoinSet::new();
    for _ in 0..500 {
        let (cache, fetches, gate) = (Arc::clone(&cache), Arc::clone(&fetches), Arc::clone(&gate));
        callers.spawn(async move {
            let fetch = async {
                fetches.fetch_add(1, Ordering::Relaxed);
                gate.notified().await;
                Ok(response(200, "body"))
            };
            cache.get_or_fetch(key(0), TTL, fetch).await.unwrap()
        });
    }
    yield_now().await;
    gate.notify_one();
    let responses = callers.join_all().await;
    assert_eq!(fetches.load(Ordering::Relaxed), 1);
    assert!(responses.iter().all(|fetched| fetched.response.body == "body"));
    let misses = responses.iter().filter(|fetched| !fetched.is_cached).count();
    assert_eq!(misses, 1, "only the call that fetched is not a hit");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn threads_that_race_make_one_upstream_call() {
    let cache = Arc::new(ResponseCache::new(None));
    let fetches = Arc::new(AtomicUsize::new(0));
    let mut callers = JoinSet::new();
    for _ in 0..500 {
        let (cache, fetches) = (Arc::clone(&cache), Arc::clone(&fetches));
        callers.spawn(async move {
            let fetch = async {
                fetches.fetch_add(1, Ordering::Relaxed);
                Ok(response(200, "body"))
            };
            cache.get_or_fetch(key(0), TTL, fetch).await.unwrap().response.body.clone()
        });
    }
    assert!(callers.join_all().await.iter().all(|body| body == "body"));
    assert_eq!(fetches.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_success_is_cached() {
    let cache = ResponseCache::new(None);
    assert_eq!(call(&cache, key(0), TTL, response(201, "first")).await, ("first".into(), false));
    assert_eq!(call(&cache, key(0), TTL, response(200, "second")).await, ("first".into(), true));
}

#[tokio::test]
async fn only_a_cached_response_says_until_when_it_is_cached() {
    let (cache, began) = (ResponseCache::new(None), Instant::now());
    let fetched = cache.get_or_fetch(key(0), TTL, ready(Ok(response(200, "")))).await.unwrap();
    assert_eq!(fetched.cached_until, None);
    let stored_by = Instant::now();
    let cached = cache.get_or_fetch(key(0), TTL, ready(Ok(response(200, "")))).await.unwrap();
    assert!((began + TTL..=stored_by + TTL).contains(&cached.cached_until.unwrap()));
}

#[tokio::test]
async fn errors_and_failures_are_not_cached() {
    let cache = ResponseCache::new(None);
    for status in [199, 302, 404, 429, 503] {
        assert_eq!(call(&cache, key(0), TTL, response(status, "no")).await, ("no".into(), false));
    }
    let failure = Failure::new(FailureReason::Timeout, "too late");
    assert_eq!(cache.get_or_fetch(key(0), TTL, ready(Err(failure.clone()))).await.unwrap_err(), failure);
    assert_eq!(call(&cache, key(0), TTL, response(200, "yes")).await, ("yes".into(), false));
}

#[tokio::test]
async fn an_oversized_response_is_returned_but_not_cached() {
    let cache = ResponseCache::new(None);
    let oversized = usize::try_from(ENTRY_BYTES_MAX).unwrap();
    for _ in 0..2 {
        let (body, is_hit) = call(&cache, key(0), TTL, response(200, vec![0; oversized])).await;
        assert_eq!((body.len(), is_hit), (oversized, false));
    }
}

#[tokio::test]
async fn the_cache_stays_below_its_capacity() {
    let cache = ResponseCache::new(None);
    for revision in 0..100 {
        call(&cache, key(revision), TTL, response(200, vec![0; 1024 * 1024])).await;
    }
    cache.entries.run_pending_tasks().await;
    assert!((1..=CACHE_BYTES_MAX).contains(&cache.entries.weighted_size()));
}

#[tokio::test]
async fn after_a_cancelled_leader_another_caller_fetches() {
    let cache = Arc::new(ResponseCache::new(None));
    let mut tasks = JoinSet::new();
    let leader_cache = Arc::clone(&cache);
    let leader =
        tasks.spawn(async move { leader_cache.get_or_fetch(key(0), TTL, pending()).await.map(|_| Bytes::new()) });
    yield_now().await;
    let waiter_cache = Arc::clone(&cache);
    tasks.spawn(async move {
        let fetch = ready(Ok(response(200, "mine")));
        waiter_cache.get_or_fetch(key(0), TTL, fetch).await.map(|fetched| fetched.response.body.clone())
    });
    yield_now().await;
    leader.abort();
    let mut bodies = Vec::new();
    while let Some(outcome) = tasks.join_next().await {
        bodies.extend(outcome.ok());
    }
    assert_eq!(bodies, [Ok(Bytes::from("mine"))]);
    assert!(call(&cache, key(0), TTL, response(200, "other")).await.1, "the response of the second caller is cached");
}

#[tokio::test]
async fn an_expired_response_is_fetched_again() {
    let cache = ResponseCache::new(None);
    let short_ttl = Duration::from_nanos(1);
    call(&cache, key(0), short_ttl, response(200, "old")).await;
    assert_eq!(call(&cache, key(0), TTL, response(200, "new")).await, ("new".into(), false));
    assert_eq!(call(&cache, key(0), TTL, response(200, "newer")).await, ("new".into(), true));
}

#[test]
fn the_order_of_headers_does_not_matter() {
    let one = CacheKey::new(TOOL, 1, &request(&[("accept", "a"), ("x-key", "b"), ("x-key", "c")]));
    assert_eq!(one, CacheKey::new(TOOL, 1, &request(&[("x-key", "b"), ("x-key", "c"), ("accept", "a")])));
    assert_ne!(one, CacheKey::new(TOOL, 1, &request(&[("x-key", "c"), ("x-key", "b"), ("accept", "a")])));
}

#[test]
fn requests_that_differ_have_different_keys() {
    let base = request(&[("accept", "a")]);
    let mut others = [base.clone(), base.clone(), base.clone(), request(&[("accept", "b")]), request(&[])];
    others[0].method = Method::POST;
    others[1].uri = Uri::from_static("https://api.example/a?b=d");
    others[2].body = Bytes::from("{}");
    let mut keys: Vec<_> = others.iter().map(|other| CacheKey::new(TOOL, 1, other)).collect();
    let resource = CalledObject::Resource(ResourceId(1));
    let other_tool = CalledObject::Tool(ToolId(2));
    let revisions = [(TOOL, 1), (resource, 1), (other_tool, 1), (TOOL, 2)];
    keys.extend(revisions.map(|(called, revision)| CacheKey::new(called, revision, &base)));
    let distinct: std::collections::HashSet<_> = keys.iter().collect();
    assert_eq!(distinct.len(), keys.len());
}
