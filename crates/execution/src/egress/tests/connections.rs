//! Connections: made, kept, gone stale, and given up when the time is over.

use std::time::Duration;

use super::*;

const KEPT: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

#[test]
fn a_client_can_be_made_before_there_is_a_runtime() {
    let client = EgressClient::new(EgressRule::none());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let refused = runtime.block_on(client.send(&get("http://127.0.0.1:9/"), Instant::now()));
    assert!(matches!(refused, Err(EgressError::Blocked(_))));
}

#[tokio::test]
async fn a_port_where_nobody_listens_refuses() {
    let url = Upstream::new().url("/");
    let error = client("loopback").send(&get(&url), soon()).await.unwrap_err();
    assert_eq!(error, EgressError::Refused);
    assert!(error.is_connection_error() && !error.to_string().contains("127.0.0.1"));
}

#[tokio::test]
async fn a_name_without_addresses_does_not_resolve() {
    let client = client_with_name("loopback", "nowhere.test", &[]);
    assert_eq!(client.send(&get("http://nowhere.test/"), soon()).await.unwrap_err(), EgressError::Dns);
}

#[tokio::test]
async fn the_next_address_of_a_name_is_tried() {
    let upstream = Upstream::new();
    let client = client_with_name("loopback", "two.test", &["127.0.0.3", "127.0.0.1"]);
    let (request, deadline) = (get(&format!("http://two.test:{}/", upstream.port())), soon());
    let (answer, _) = tokio::join!(client.send(&request, deadline), upstream.serve_once("HTTP/1.1 200 OK\r\n\r\n"));
    assert_eq!(answer.unwrap().status, 200);
}

#[tokio::test]
async fn localhost_is_reached_without_a_resolver() {
    let upstream = Upstream::new();
    for host in ["localhost", "api.localhost"] {
        let (client, request) = (client("127.0.0.1"), get(&format!("http://{host}:{}/", upstream.port())));
        let deadline = soon();
        let (answer, _) = tokio::join!(client.send(&request, deadline), upstream.serve_once("HTTP/1.1 200 OK\r\n\r\n"));
        assert_eq!(answer.unwrap().status, 200);
    }
}

#[tokio::test]
async fn calls_one_after_the_other_share_a_connection() {
    let (client, upstream) = (client("loopback"), Upstream::new());
    let request = post(&upstream.url("/"), "x");
    let calls = async {
        for _ in 0..3 {
            assert_eq!(client.clone().send(&request, soon()).await.unwrap().body, "ok");
        }
    };
    tokio::join!(calls, async {
        let mut peer = upstream.accept().await;
        for _ in 0..3 {
            peer.request().await;
            peer.reply(KEPT).await;
        }
    });
}

#[tokio::test]
async fn a_thread_without_a_connection_uses_that_of_another() {
    let (client, upstream) = (client("loopback"), Upstream::new());
    let request = post(&upstream.url("/"), "x");
    let calls = async {
        client.send(&request, soon()).await.unwrap();
        let (client, request) = (client.clone(), request.clone());
        let elsewhere = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(client.send(&request, soon())).unwrap();
            runtime.block_on(client.send(&request, soon())).unwrap();
        });
        tokio::task::spawn_blocking(move || elsewhere.join().unwrap()).await.unwrap();
    };
    let serving = async {
        let mut peer = upstream.accept().await;
        for _ in 0..4 {
            peer.request().await;
            peer.reply(KEPT).await;
        }
    };
    // It is back with the thread that opened it, whose runtime outlives the other.
    let again = async {
        calls.await;
        assert_eq!(client.waiting_here(), 1);
        client.send(&request, soon()).await.unwrap();
    };
    tokio::join!(again, serving);
}

#[tokio::test]
async fn calls_at_the_same_time_have_connections_of_their_own_and_may_run_on_any_thread() {
    let (client, upstream) = (client("loopback"), Upstream::new());
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..3 {
        let (client, request) = (client.clone(), get(&upstream.url("/")));
        calls.spawn(async move { client.send(&request, soon()).await });
    }
    let mut peers = [upstream.accept().await, upstream.accept().await, upstream.accept().await];
    for peer in &mut peers {
        peer.request().await;
        peer.reply(KEPT).await;
    }
    assert!(calls.join_all().await.into_iter().all(|answer| answer.is_ok()));
}

/// A connection that has carried an answer and is kept, as its upstream sees it.
async fn kept(client: &EgressClient, upstream: &Upstream) -> upstream::Peer {
    let request = post(&upstream.url("/"), "x");
    let (answer, peer) = tokio::join!(client.send(&request, soon()), async {
        let mut peer = upstream.accept().await;
        peer.request().await;
        peer.reply(KEPT).await;
        peer
    });
    answer.unwrap();
    peer
}

#[tokio::test]
async fn a_connection_that_nobody_needs_is_closed_after_a_while() {
    let (client, upstream) = (client("loopback"), Upstream::new());
    let mut peer = kept(&client, &upstream).await;
    // From here on time passes as fast as it can.
    tokio::time::pause();
    let since = Instant::now();
    peer.hung_up().await;
    assert!((30..=45).contains(&since.elapsed().as_secs()), "{:?}", since.elapsed());
}

#[tokio::test]
async fn a_connection_that_was_closed_meanwhile_is_not_used() {
    let (client, upstream) = (client("loopback"), Upstream::new());
    drop(kept(&client, &upstream).await);
    // An exchange with somebody else: by then the news is here.
    kept(&client, &Upstream::new()).await;
    // A post is not repeated, so that this one has to find a new connection at once.
    kept(&client, &upstream).await;
}

/// Answers one request, reads a second on the same connection and hangs up.
async fn answer_once_then_hang_up(upstream: &Upstream) {
    let mut peer = upstream.accept().await;
    peer.request().await;
    peer.reply(KEPT).await;
    peer.request().await;
}

#[tokio::test]
async fn what_is_safe_is_repeated_when_a_kept_connection_turns_out_closed() {
    for method in [Method::GET, Method::HEAD, Method::PUT, Method::DELETE, Method::OPTIONS] {
        let (client, upstream) = (client("loopback"), Upstream::new());
        let (first, second) = (get(&upstream.url("/")), request(method.clone(), &upstream.url("/")));
        let calls = async {
            client.send(&first, soon()).await.unwrap();
            client.send(&second, soon()).await.unwrap()
        };
        let (answer, seen) = tokio::join!(calls, async {
            answer_once_then_hang_up(&upstream).await;
            upstream.serve_once("HTTP/1.1 200 OK\r\nx-again: 1\r\n\r\n").await
        });
        assert!(answer.headers.contains_key("x-again"));
        assert!(seen.starts_with(method.as_str()), "{seen}");
    }
}

#[tokio::test]
async fn nothing_is_repeated_more_than_once_nor_on_a_new_connection() {
    let (client, upstream) = (client("loopback"), Upstream::new());
    let request = get(&upstream.url("/"));
    let calls = async {
        client.send(&request, soon()).await.unwrap();
        [client.send(&request, soon()).await.unwrap_err(), client.send(&request, soon()).await.unwrap_err()]
    };
    let (errors, ()) = tokio::join!(calls, async {
        answer_once_then_hang_up(&upstream).await;
        upstream.serve_once("").await; // the repetition
        upstream.serve_once("").await; // the third call
    });
    assert_eq!(errors, [broken(BrokenAnswer::Missing), broken(BrokenAnswer::Missing)]);
}

#[tokio::test]
async fn a_post_that_may_have_arrived_is_not_repeated() {
    let (client, upstream) = (client("loopback"), Upstream::new());
    let request = post(&upstream.url("/"), "x");
    let calls = async {
        client.send(&request, soon()).await.unwrap();
        client.send(&request, soon()).await.unwrap_err()
    };
    let (error, ()) = tokio::join!(calls, answer_once_then_hang_up(&upstream));
    assert_eq!(error, broken(BrokenAnswer::Missing));
}

/// What happens when an upstream does `forever` after a request; it has to end by the client's hanging up.
async fn given_up<F: Future<Output = ()>>(forever: impl FnOnce(upstream::Peer) -> F) {
    let (client, upstream) = (client("loopback"), Upstream::new());
    let (request, deadline) = (get(&upstream.url("/")), Instant::now() + Duration::from_millis(300));
    let call = async {
        assert_eq!(client.send(&request, deadline).await.unwrap_err(), EgressError::Timeout);
        assert!(deadline.elapsed() < Duration::from_secs(1));
    };
    tokio::join!(call, async {
        let mut peer = upstream.accept().await;
        peer.request().await;
        forever(peer).await;
    });
}

#[tokio::test]
async fn silence_ends_at_the_deadline() {
    given_up(|mut peer| async move { peer.hung_up().await }).await;
}

#[tokio::test]
async fn a_dripping_body_ends_at_the_deadline() {
    given_up(|mut peer| async move {
        peer.reply(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n").await;
        drip(&mut peer, b"x").await;
    })
    .await;
}

#[tokio::test]
async fn a_dripping_head_ends_at_the_deadline() {
    given_up(|mut peer| async move {
        peer.reply(b"HTTP/1.1 200 OK\r\nx: ").await;
        drip(&mut peer, b"x").await;
    })
    .await;
}

/// On several threads, as in the service: a single one looks at the clock only now and then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_interim_answers_ends_at_the_deadline() {
    given_up(|mut peer| async move { peer.reply_forever(&b"HTTP/1.1 102 Processing\r\n\r\n".repeat(500)).await }).await;
}

async fn drip(peer: &mut upstream::Peer, drop: &[u8]) {
    let mut ticks = tokio::time::interval(Duration::from_millis(5));
    while tokio::io::AsyncWriteExt::write_all(&mut peer.stream, drop).await.is_ok() {
        ticks.tick().await;
    }
}
