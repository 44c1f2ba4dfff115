//! Tests of how many times names are looked up, and how many lookups run concurrently.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::{JoinSet, yield_now};

use super::*;

const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A name server that does not respond until `silence` is dropped.
struct SilentNameServer {
    resolver: Arc<Resolver>,
    /// The names of the queries it received.
    queries: UnboundedReceiver<String>,
    silence: mpsc::Sender<()>,
}

impl SilentNameServer {
    fn new() -> Self {
        let (query, queries) = unbounded_channel();
        let (silence, released) = mpsc::channel();
        let released = Mutex::new(released);
        let resolver = Resolver::with_lookup(move |name| {
            query.send(name.to_owned()).unwrap();
            released.lock().unwrap().recv().unwrap_err();
            Ok(vec![ADDRESS])
        });
        Self { resolver: Arc::new(resolver), queries, silence }
    }

    fn resolve(&self, name: &str) -> impl Future<Output = LookupResult> + Send + 'static {
        let (resolver, name) = (Arc::clone(&self.resolver), name.to_owned());
        async move { resolver.resolve(&name).await }
    }
}

#[tokio::test]
async fn names_are_cached_and_can_be_invalidated() {
    let resolver = Resolver::new();
    let addresses = resolver.resolve("localhost").await.unwrap();
    assert!(!addresses.is_empty() && addresses.iter().all(IpAddr::is_loopback));
    assert!(Arc::ptr_eq(&addresses, &resolver.resolve("localhost").await.unwrap()));
    resolver.invalidate("localhost");
    assert!(!Arc::ptr_eq(&addresses, &resolver.resolve("localhost").await.unwrap()));
}

#[tokio::test]
async fn an_invalid_name_does_not_resolve() {
    let label_too_long = "x".repeat(300);
    assert_eq!(Resolver::new().resolve(&label_too_long).await.unwrap_err(), EgressError::Dns);
}

#[tokio::test]
async fn a_name_without_addresses_is_looked_up_again() {
    let results = Mutex::new(vec![Ok(vec![ADDRESS]), Ok(vec![]), Err(io::Error::other("no such name"))]);
    let resolver = Resolver::with_lookup(move |_| results.lock().unwrap().pop().unwrap());
    for _ in 0..2 {
        assert_eq!(resolver.resolve("name.test").await.unwrap_err(), EgressError::Dns);
    }
    assert_eq!(*resolver.resolve("name.test").await.unwrap(), [ADDRESS]);
}

#[tokio::test]
async fn cancelled_callers_neither_fail_the_last_one_nor_cause_further_lookups() {
    let mut server = SilentNameServer::new();
    let mut callers = JoinSet::new();
    let cancelled: Vec<_> = (0..500).map(|_| callers.spawn(server.resolve("name.test"))).collect();
    yield_now().await;
    callers.spawn(server.resolve("name.test"));
    for caller in cancelled {
        caller.abort();
        yield_now().await;
    }
    drop(server.silence);
    let mut results = Vec::new();
    while let Some(result) = callers.join_next().await {
        results.extend(result.ok());
    }
    assert_eq!(results, [Ok(Arc::from([ADDRESS]))]);
    assert_eq!(server.queries.recv().await.as_deref(), Some("name.test"));
    assert!(server.queries.try_recv().is_err(), "one lookup is enough");
}

#[tokio::test]
async fn a_lookup_whose_callers_were_cancelled_serves_the_next_caller() {
    let mut server = SilentNameServer::new();
    let mut callers = JoinSet::new();
    callers.spawn(server.resolve("name.test"));
    server.queries.recv().await.unwrap();
    callers.shutdown().await;
    callers.spawn(server.resolve("name.test"));
    yield_now().await;
    drop(server.silence);
    assert!(callers.join_next().await.unwrap().unwrap().is_ok());
    assert!(server.queries.try_recv().is_err(), "there was no second lookup");
    assert!(lock(&server.resolver.names.in_progress).is_empty());
}

#[tokio::test]
async fn lookups_without_a_response_occupy_a_limited_number_of_threads() {
    let mut server = SilentNameServer::new();
    let mut callers = JoinSet::new();
    for number in 0..LOOKUPS_MAX + 20 {
        callers.spawn(server.resolve(&format!("{number}.test")));
    }
    for _ in 0..LOOKUPS_MAX {
        server.queries.recv().await.unwrap();
    }
    callers.shutdown().await;
    assert_eq!(lock(&server.resolver.names.in_progress).len(), LOOKUPS_MAX, "lookups without a permit are cancelled");
    assert_eq!(server.resolver.permits.available_permits(), 0, "lookups in progress hold their permits");
    let late_lookup = server.resolve("late.test");
    drop(server.silence);
    assert!(late_lookup.await.is_ok());
}

#[tokio::test]
async fn a_lookup_that_panics_releases_its_entry_and_permit() {
    let is_first = AtomicBool::new(true);
    let resolver = Resolver::with_lookup(move |_| {
        if is_first.swap(false, Ordering::Relaxed) {
            std::panic::resume_unwind(Box::new(()));
        }
        Ok(vec![ADDRESS])
    });
    assert_eq!(resolver.resolve("name.test").await.unwrap_err(), EgressError::Dns);
    assert!(lock(&resolver.names.in_progress).is_empty());
    assert_eq!(resolver.permits.available_permits(), LOOKUPS_MAX);
    assert!(resolver.resolve("name.test").await.is_ok());
}
