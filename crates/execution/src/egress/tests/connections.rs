//! Tests of connections: opened, pooled, stale, and closed at the deadline.

use std::time::Duration;

use super::*;

const KEEP_ALIVE_OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

#[test]
fn a_client_can_be_created_without_a_runtime() {
    let client = EgressClient::new(EgressRule::none());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let refused = runtime.block_on(client.send(&get("http://127.0.0.1:9/"), Instant::now()));
    assert!(matches!(refused, Err(EgressError::Blocked(_))));
}

#[tokio::test]
async fn a_port_without_a_listener_refuses_the_connection() {
    let url = ScriptedUpstream::new().url("/");
    let error = client("loopback").send(&get(&url), generous_deadline()).await.unwrap_err();
    assert_eq!(error, EgressError::Refused);
    assert!(error.is_connection_error() && !error.to_string().contains("127.0.0.1"));
}

#[tokio::test]
async fn a_name_without_addresses_does_not_resolve() {
    let client = client_with_name("loopback", "nowhere.test", &[]);
    assert_eq!(client.send(&get("http://nowhere.test/"), generous_deadline()).await.unwrap_err(), EgressError::Dns);
}

#[tokio::test]
async fn the_next_address_of_a_name_is_tried() {
    let upstream = ScriptedUpstream::new();
    let client = client_with_name("loopback", "two.test", &["127.0.0.3", "127.0.0.1"]);
    let (request, deadline) = (get(&format!("http://two.test:{}/", upstream.port())), generous_deadline());
    let (response, _) = tokio::join!(client.send(&request, deadline), upstream.serve_once("HTTP/1.1 200 OK\r\n\r\n"));
    assert_eq!(response.unwrap().status, 200);
}

#[tokio::test]
async fn localhost_is_reached_without_a_resolver() {
    let upstream = ScriptedUpstream::new();
    for host in ["localhost", "api.localhost"] {
        let (client, request) = (client("127.0.0.1"), get(&format!("http://{host}:{}/", upstream.port())));
        let deadline = generous_deadline();
        let (response, _) =
            tokio::join!(client.send(&request, deadline), upstream.serve_once("HTTP/1.1 200 OK\r\n\r\n"));
        assert_eq!(response.unwrap().status, 200);
    }
}

#[tokio::test]
async fn consecutive_calls_share_a_connection() {
    let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
    let request = post(&upstream.url("/"), "x");
    let calls = async {
        for _ in 0..3 {
            assert_eq!(client.clone().send(&request, generous_deadline()).await.unwrap().body, "ok");
        }
    };
    tokio::join!(calls, async {
        let mut connection = upstream.accept().await;
        for _ in 0..3 {
            connection.read_request().await;
            connection.reply(KEEP_ALIVE_OK).await;
        }
    });
}

#[tokio::test]
async fn a_thread_without_an_idle_connection_uses_one_of_another_thread() {
    let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
    let request = post(&upstream.url("/"), "x");
    let calls = async {
        client.send(&request, generous_deadline()).await.unwrap();
        let (client, request) = (client.clone(), request.clone());
        let other_thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(client.send(&request, generous_deadline())).unwrap();
            runtime.block_on(client.send(&request, generous_deadline())).unwrap();
        });
        tokio::task::spawn_blocking(move || other_thread.join().unwrap()).await.unwrap();
    };
    let serving = async {
        let mut connection = upstream.accept().await;
        for _ in 0..4 {
            connection.read_request().await;
            connection.reply(KEEP_ALIVE_OK).await;
        }
    };
    let calls_on_both_threads = async {
        calls.await;
        // The connection was returned to the thread that opened it, so it survives the end of the other thread's
        // runtime.
        assert_eq!(client.idle_count_on_this_thread(), 1);
        client.send(&request, generous_deadline()).await.unwrap();
    };
    tokio::join!(calls_on_both_threads, serving);
}

#[tokio::test]
async fn concurrent_calls_have_separate_connections_and_may_run_on_any_thread() {
    let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..3 {
        let (client, request) = (client.clone(), get(&upstream.url("/")));
        calls.spawn(async move { client.send(&request, generous_deadline()).await });
    }
    let mut connections = [upstream.accept().await, upstream.accept().await, upstream.accept().await];
    for connection in &mut connections {
        connection.read_request().await;
        connection.reply(KEEP_ALIVE_OK).await;
    }
    assert!(calls.join_all().await.into_iter().all(|response| response.is_ok()));
}

/// The upstream's end of a connection that has carried one response and is now idle.
async fn idle_connection(client: &EgressClient, upstream: &ScriptedUpstream) -> upstream::ScriptedConnection {
    let request = post(&upstream.url("/"), "x");
    let (response, connection) = tokio::join!(client.send(&request, generous_deadline()), async {
        let mut connection = upstream.accept().await;
        connection.read_request().await;
        connection.reply(KEEP_ALIVE_OK).await;
        connection
    });
    response.unwrap();
    connection
}

#[tokio::test]
async fn an_idle_connection_is_closed_after_30_to_45_seconds() {
    let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
    let mut connection = idle_connection(&client, &upstream).await;
    // From here on tokio advances the clock automatically.
    tokio::time::pause();
    let start = Instant::now();
    connection.wait_for_close().await;
    assert!((30..=45).contains(&start.elapsed().as_secs()), "the connection was closed after {:?}", start.elapsed());
}

#[tokio::test]
async fn an_idle_connection_that_was_closed_is_not_used() {
    let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
    drop(idle_connection(&client, &upstream).await);
    // Makes a request to another upstream, so that the runtime has time to notice that the connection was closed.
    idle_connection(&client, &ScriptedUpstream::new()).await;
    // A POST is not repeated, so this one must open a new connection immediately.
    idle_connection(&client, &upstream).await;
}

/// Replies to one request, reads a second one on the same connection and closes it.
async fn reply_once_then_close(upstream: &ScriptedUpstream) {
    let mut connection = upstream.accept().await;
    connection.read_request().await;
    connection.reply(KEEP_ALIVE_OK).await;
    connection.read_request().await;
}

#[tokio::test]
async fn idempotent_requests_are_repeated_when_a_pooled_connection_was_closed() {
    for method in [Method::GET, Method::HEAD, Method::PUT, Method::DELETE, Method::OPTIONS] {
        let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
        let (first, second) = (get(&upstream.url("/")), request(method.clone(), &upstream.url("/")));
        let calls = async {
            client.send(&first, generous_deadline()).await.unwrap();
            client.send(&second, generous_deadline()).await.unwrap()
        };
        let (response, received) = tokio::join!(calls, async {
            reply_once_then_close(&upstream).await;
            upstream.serve_once("HTTP/1.1 200 OK\r\nx-again: 1\r\n\r\n").await
        });
        assert!(response.headers.contains_key("x-again"));
        assert!(received.starts_with(method.as_str()), "{received}");
    }
}

#[tokio::test]
async fn only_a_request_on_a_pooled_connection_is_repeated_and_only_once() {
    let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
    let request = get(&upstream.url("/"));
    let calls = async {
        client.send(&request, generous_deadline()).await.unwrap();
        [
            client.send(&request, generous_deadline()).await.unwrap_err(),
            client.send(&request, generous_deadline()).await.unwrap_err(),
        ]
    };
    let (errors, ()) = tokio::join!(calls, async {
        reply_once_then_close(&upstream).await;
        upstream.serve_once("").await; // the repetition
        upstream.serve_once("").await; // the third call
    });
    assert_eq!(errors, [broken(BrokenResponse::Missing), broken(BrokenResponse::Missing)]);
}

#[tokio::test]
async fn a_post_that_may_have_arrived_is_not_repeated() {
    let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
    let request = post(&upstream.url("/"), "x");
    let calls = async {
        client.send(&request, generous_deadline()).await.unwrap();
        client.send(&request, generous_deadline()).await.unwrap_err()
    };
    let (error, ()) = tokio::join!(calls, reply_once_then_close(&upstream));
    assert_eq!(error, broken(BrokenResponse::Missing));
}

/// Asserts that the client times out and closes the connection while an upstream runs `misbehave` after a request.
async fn assert_times_out<F: Future<Output = ()>>(misbehave: impl FnOnce(upstream::ScriptedConnection) -> F) {
    let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
    let (request, deadline) = (get(&upstream.url("/")), Instant::now() + Duration::from_millis(300));
    let call = async {
        assert_eq!(client.send(&request, deadline).await.unwrap_err(), EgressError::Timeout);
        assert!(deadline.elapsed() < Duration::from_secs(10), "the call ended {:?} late", deadline.elapsed());
    };
    tokio::join!(call, async {
        let mut connection = upstream.accept().await;
        connection.read_request().await;
        misbehave(connection).await;
    });
}

#[tokio::test]
async fn a_request_without_a_response_ends_at_the_deadline() {
    assert_times_out(|mut connection| async move { connection.wait_for_close().await }).await;
}

#[tokio::test]
async fn a_slow_body_ends_at_the_deadline() {
    assert_times_out(|mut connection| async move {
        connection.reply(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n").await;
        send_slowly(&mut connection, b"x").await;
    })
    .await;
}

#[tokio::test]
async fn a_slow_head_ends_at_the_deadline() {
    assert_times_out(|mut connection| async move {
        connection.reply(b"HTTP/1.1 200 OK\r\nx: ").await;
        send_slowly(&mut connection, b"x").await;
    })
    .await;
}

/// On two threads, because the upstream's task would delay the timers of a single-threaded runtime. In the service the
/// upstream is another process; `it/execution/hostile/slow.rs` tests that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_interim_responses_ends_at_the_deadline() {
    assert_times_out(|mut connection| async move {
        connection.reply_forever(&b"HTTP/1.1 102 Processing\r\n\r\n".repeat(500)).await;
    })
    .await;
}

/// Sends `bytes` every 5 ms until the client closes the connection.
async fn send_slowly(connection: &mut upstream::ScriptedConnection, bytes: &[u8]) {
    let mut ticks = tokio::time::interval(Duration::from_millis(5));
    while tokio::io::AsyncWriteExt::write_all(&mut connection.stream, bytes).await.is_ok() {
        ticks.tick().await;
    }
}
