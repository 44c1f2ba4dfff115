//! How often a name is asked for, by whom, and how many at once.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::{JoinSet, yield_now};

use super::*;

const FOUND: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A name server that keeps silent until it is dropped.
struct Silent {
    resolver: Arc<Resolver>,
    /// The names it was asked for.
    asked: UnboundedReceiver<String>,
    silence: mpsc::Sender<()>,
}

impl Silent {
    fn new() -> Self {
        let (ask, asked) = unbounded_channel();
        let (silence, broken) = mpsc::channel();
        let broken = Mutex::new(broken);
        let resolver = Resolver::with(move |name| {
            ask.send(name.to_owned()).unwrap();
            broken.lock().unwrap().recv().unwrap_err();
            Ok(vec![FOUND])
        });
        Self { resolver: Arc::new(resolver), asked, silence }
    }

    fn resolve(&self, name: &str) -> impl Future<Output = Answer> + Send + 'static {
        let (resolver, name) = (Arc::clone(&self.resolver), name.to_owned());
        async move { resolver.resolve(&name).await }
    }
}

#[tokio::test]
async fn names_are_looked_up_once_and_can_be_forgotten() {
    let resolver = Resolver::new();
    let addresses = resolver.resolve("localhost").await.unwrap();
    assert!(!addresses.is_empty() && addresses.iter().all(IpAddr::is_loopback));
    assert!(Arc::ptr_eq(&addresses, &resolver.resolve("localhost").await.unwrap()));
    resolver.forget("localhost");
    assert!(!Arc::ptr_eq(&addresses, &resolver.resolve("localhost").await.unwrap()));
}

#[tokio::test]
async fn a_name_that_no_resolver_can_ask_for_does_not_resolve() {
    let label_too_long = "x".repeat(300);
    assert_eq!(Resolver::new().resolve(&label_too_long).await.unwrap_err(), EgressError::Dns);
}

#[tokio::test]
async fn a_name_without_addresses_is_asked_for_again() {
    let answers = Mutex::new(vec![Ok(vec![FOUND]), Ok(vec![]), Err(io::Error::other("no such name"))]);
    let resolver = Resolver::with(move |_| answers.lock().unwrap().pop().unwrap());
    for _ in 0..2 {
        assert_eq!(resolver.resolve("name.test").await.unwrap_err(), EgressError::Dns);
    }
    assert_eq!(*resolver.resolve("name.test").await.unwrap(), [FOUND]);
}

#[tokio::test]
async fn callers_that_go_away_one_after_the_other_neither_fail_the_last_nor_cost_a_lookup_each() {
    let mut server = Silent::new();
    let mut callers = JoinSet::new();
    let leaving: Vec<_> = (0..500).map(|_| callers.spawn(server.resolve("name.test"))).collect();
    yield_now().await;
    callers.spawn(server.resolve("name.test"));
    for caller in leaving {
        caller.abort();
        yield_now().await;
    }
    drop(server.silence);
    let mut answers = Vec::new();
    while let Some(answer) = callers.join_next().await {
        answers.extend(answer.ok());
    }
    assert_eq!(answers, [Ok(Arc::from([FOUND]))]);
    assert_eq!(server.asked.recv().await.as_deref(), Some("name.test"));
    assert!(server.asked.try_recv().is_err(), "one lookup is enough");
}

#[tokio::test]
async fn a_lookup_that_everybody_left_goes_on_for_whoever_comes_next() {
    let mut server = Silent::new();
    let mut callers = JoinSet::new();
    callers.spawn(server.resolve("name.test"));
    server.asked.recv().await.unwrap();
    callers.shutdown().await;
    callers.spawn(server.resolve("name.test"));
    yield_now().await;
    drop(server.silence);
    assert!(callers.join_next().await.unwrap().unwrap().is_ok());
    assert!(server.asked.try_recv().is_err(), "it was not asked again");
    assert!(server.resolver.names.lock().is_empty());
}

#[tokio::test]
async fn names_that_nobody_answers_for_occupy_a_few_threads_only() {
    let mut server = Silent::new();
    let mut callers = JoinSet::new();
    for number in 0..LOOKUPS_MAX + 20 {
        callers.spawn(server.resolve(&format!("{number}.test")));
    }
    for _ in 0..LOOKUPS_MAX {
        server.asked.recv().await.unwrap();
    }
    callers.shutdown().await;
    assert_eq!(server.resolver.names.lock().len(), LOOKUPS_MAX, "what waited for its turn is gone");
    assert_eq!(server.resolver.turns.available_permits(), 0, "and what was begun still has it");
    let late = server.resolve("late.test");
    drop(server.silence);
    assert!(late.await.is_ok());
}

#[tokio::test]
async fn a_lookup_that_panics_leaves_nothing_behind() {
    let is_first = AtomicBool::new(true);
    let resolver = Resolver::with(move |_| {
        if is_first.swap(false, Ordering::Relaxed) {
            std::panic::resume_unwind(Box::new(()));
        }
        Ok(vec![FOUND])
    });
    assert_eq!(resolver.resolve("name.test").await.unwrap_err(), EgressError::Dns);
    assert!(resolver.names.lock().is_empty());
    assert_eq!(resolver.turns.available_permits(), LOOKUPS_MAX);
    assert!(resolver.resolve("name.test").await.is_ok());
}
