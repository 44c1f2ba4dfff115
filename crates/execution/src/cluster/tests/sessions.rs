//! The shared state of sessions, and its events.

use tokio::sync::mpsc;
use toolgate_domain::session::{SessionIdentity, SessionNonce};
use toolgate_domain::time::Timestamp;

use super::*;

const NONCE: SessionNonce = [7; 12];
const TTL: Duration = Duration::from_mins(1);

fn subscribe(uri: &str) -> SessionChange {
    SessionChange::Subscribe(uri.to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_state_is_shared_until_the_session_expires() {
    let Some(redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    assert_eq!(two.load_session(&NONCE).await, Some(SharedSession::default()));
    let changes = [SessionChange::Level("info"), subscribe("a"), subscribe("b")];
    let number = one.change_session(&NONCE, &changes, TTL).await;
    assert!(number.is_some());
    assert_eq!(two.change_session(&NONCE, &[SessionChange::Unsubscribe("a".to_owned())], TTL).await, number);
    let expected = SharedSession {
        is_stored: true,
        number,
        has_ended: false,
        level: Some("info".to_owned()),
        subscriptions: vec!["b".to_owned()],
        newest_stream: 0,
    };
    assert_eq!(two.load_session(&NONCE).await, Some(expected));
    assert_eq!(one.change_session(&NONCE, &[SessionChange::Unsubscribe("b".to_owned())], TTL).await, number);
    let shared = two.load_session(&NONCE).await.unwrap();
    assert!(shared.is_stored && shared.subscriptions.is_empty(), "{shared:?}");
    one.end_session(&SessionIdentity { nonce: NONCE, expires_at: Timestamp::from_millis(1) }, TTL).await;
    assert!(two.load_session(&NONCE).await.unwrap().has_ended);
    let name = redis.keys().into_iter().find(|name| name.contains(":session:")).unwrap();
    let ttl_ms: u64 = redis.cli(&["PTTL", &name]).parse().unwrap();
    assert!(ttl_ms <= 60_000, "{ttl_ms}");
    let other_installation = cluster_state(&redis.url(), GENEROUS_TIMEOUT, [2; 32], 3);
    other_installation.connect_at_start().await;
    assert_eq!(other_installation.load_session(&NONCE).await, Some(SharedSession::default()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_state_that_redis_has_forgotten_gets_another_number() {
    let Some(redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    let number = one.change_session(&NONCE, &[subscribe("a")], TTL).await;
    redis.cli(&["FLUSHALL"]);
    let later = two.change_session(&NONCE, &[subscribe("b")], TTL).await;
    assert!(number.is_some() && later.is_some() && number != later, "{number:?} {later:?}");
    assert_eq!(one.load_session(&NONCE).await.unwrap().number, later);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_receive_the_events_of_others_and_learn_when_some_may_be_lost() {
    let Some(mut redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    let (sender, mut events) = mpsc::channel(16);
    let receiver = Arc::clone(&two);
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { receiver.run_subscription(&sender).await });
    assert_eq!(events.recv().await, Some(SessionEvent::Subscribed));
    let ended = SessionIdentity { nonce: NONCE, expires_at: Timestamp::from_millis(1_792_000_000_000) };
    two.announce_stream(&NONCE, 3).await; // a node ignores its own events
    one.change_session(&NONCE, &[subscribe("a")], TTL).await;
    one.end_session(&ended, TTL).await;
    one.announce_stream(&NONCE, 4).await;
    assert_eq!(events.recv().await, Some(SessionEvent::Changed(NONCE)));
    assert_eq!(events.recv().await, Some(SessionEvent::Ended(ended)));
    assert_eq!(events.recv().await, Some(SessionEvent::StreamOpened(NONCE, 4)));
    redis.cli(&["PUBLISH", &two.keys.plain_key(format_args!("sessions")), "forged"]);
    redis.stop();
    assert_eq!(events.recv().await, Some(SessionEvent::Unsubscribed));
    redis.restart();
    while events.recv().await != Some(SessionEvent::Subscribed) {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_subscription_ends_if_redis_stops_responding_and_is_restored_later() {
    let Some(redis) = Redis::start() else { return };
    let two = node(&redis, 2).await;
    let (sender, mut events) = mpsc::channel(16);
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { two.run_subscription(&sender).await });
    assert_eq!(events.recv().await, Some(SessionEvent::Subscribed));
    redis.pause();
    assert_eq!(events.recv().await, Some(SessionEvent::Unsubscribed));
    redis.resume();
    while events.recv().await != Some(SessionEvent::Subscribed) {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_of_a_session_have_increasing_numbers_on_all_nodes_even_if_redis_forgets_them() {
    let Some(redis) = Redis::start() else { return };
    let (one, two) = (node(&redis, 1).await, node(&redis, 2).await);
    let mut numbers = Vec::new();
    for _ in 0..3 {
        numbers.push(one.next_stream(&NONCE, TTL).await.unwrap());
        numbers.push(two.next_stream(&NONCE, TTL).await.unwrap());
        redis.cli(&["FLUSHALL"]);
    }
    numbers.push(one.next_stream(&NONCE, TTL).await.unwrap());
    assert!(numbers.is_sorted_by(|earlier, later| earlier < later), "{numbers:?}");
    let expected = SharedSession { newest_stream: numbers[6], ..SharedSession::default() };
    assert_eq!(two.load_session(&NONCE).await, Some(expected), "a stream alone does not make the state stored");
    let name = redis.keys().into_iter().find(|name| name.contains(":session:")).unwrap();
    assert!(redis.cli(&["PTTL", &name]).parse::<u64>().is_ok());
}
