//! Clients that send a request endlessly slowly. The service closes each connection at its deadline, and other clients
//! are not delayed. The deadlines are the real ones, so the test takes that long.

use std::ops::Range;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use toolgate_testkit::{Client, McpClient, MockResponse, ServiceFixture, Upstream, volume};

use crate::toolgate;

/// Slow clients per endpoint (REST and MCP) and per kind (endless head and endless body).
const SLOW_PER_KIND: usize = 75;
const HEALTHY_CLIENTS: usize = 8;
/// When the service may close a connection. The deadlines are 10 seconds for a head and 30 for a body; a busy machine
/// may add several seconds.
const HEAD_CLOSE_TIMES: Range<Duration> = Duration::from_secs(9)..Duration::from_secs(25);
const BODY_CLOSE_TIMES: Range<Duration> = Duration::from_secs(29)..Duration::from_secs(45);
/// Long enough for a busy machine, and less than any deadline.
const HEALTHY_P99_MAX: Duration = Duration::from_secs(5);
/// Short enough that an idle timeout never closes the connection.
const SEND_INTERVAL: Duration = Duration::from_millis(500);
/// Time between two rounds of each healthy client.
const HEALTHY_INTERVAL: Duration = Duration::from_millis(50);

/// The outcome of a slow client: after what time the service closed the connection, and the response.
#[derive(Debug)]
struct ClosedConnection {
    after: Duration,
    received: String,
}

/// Sends `opening`, then `chunk` at each interval, until the service closes the connection.
async fn send_slowly(address: String, opening: String, chunk: &'static str) -> ClosedConnection {
    let started = Instant::now();
    let mut stream = TcpStream::connect(&address).await.unwrap();
    stream.write_all(opening.as_bytes()).await.unwrap();
    let (mut reader, mut writer) = stream.split();
    let (mut received, mut ticks) = (Vec::new(), interval(SEND_INTERVAL));
    loop {
        tokio::select! {
            read = reader.read_buf(&mut received) => if !matches!(read, Ok(read) if read > 0) { break },
            _ = ticks.tick() => if writer.write_all(chunk.as_bytes()).await.is_err() { break },
        }
        assert!(started.elapsed() < BODY_CLOSE_TIMES.end, "the service did not close the connection");
    }
    ClosedConnection { after: started.elapsed(), received: String::from_utf8_lossy(&received).into_owned() }
}

/// The start of a request to the REST API and of one to the MCP endpoint, without the end of the head.
fn request_starts(service: &ServiceFixture) -> [String; 2] {
    let (origin, key) = (service.app.origin(), service.app.key());
    let urls = [format!("{}/servers", service.app.api_base()), service.url().to_owned()];
    urls.map(|url| {
        let path = url.strip_prefix(&origin).unwrap();
        let host = service.app.address();
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: application/json\r\n"
        )
    })
}

/// Starts slow clients at both endpoints. Each sends the start of a request and `next_part`, then `chunk`
/// repeatedly.
fn start_slow_clients(service: &ServiceFixture, next_part: &str, chunk: &'static str) -> JoinSet<ClosedConnection> {
    let mut clients = JoinSet::new();
    for start in request_starts(service) {
        for _ in 0..SLOW_PER_KIND {
            clients.spawn(send_slowly(service.app.address().to_owned(), format!("{start}{next_part}"), chunk));
        }
    }
    clients
}

/// Alternates between calls of the tool and reads of the API until it is dropped; sends the duration of each to
/// `durations`.
async fn run_healthy_client(api: Client, caller: McpClient, durations: tokio::sync::mpsc::UnboundedSender<Duration>) {
    let mut ticks = interval(HEALTHY_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let started = Instant::now();
        assert_eq!(caller.text("weather", json!({})).await, "Sunny");
        let _ = durations.send(started.elapsed());
        let started = Instant::now();
        api.get("/servers").send().await.expect(200);
        let _ = durations.send(started.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_are_closed_at_their_deadlines_and_delay_no_other_client() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("Sunny"));
    let service = ServiceFixture::start(toolgate(), upstream, json!({})).await;
    service.create_tool(json!({"name": "weather"})).await;
    let heads = start_slow_clients(&service, "", "x: y\r\n");
    // The deadline of a body is long, so a sample has heads only.
    let bodies = if volume::is_full() {
        start_slow_clients(&service, "Content-Length: 1000000\r\n\r\n{", " ")
    } else {
        JoinSet::new()
    };
    let (durations, mut received_durations) = tokio::sync::mpsc::unbounded_channel();
    let mut healthy = JoinSet::new();
    for _ in 0..HEALTHY_CLIENTS {
        healthy.spawn(run_healthy_client(service.app.client(), service.caller(), durations.clone()));
    }
    let ended = async { tokio::join!(heads.join_all(), bodies.join_all()) };
    let (heads, bodies) = tokio::select! {
        ended = ended => ended,
        failed = healthy.join_next() => panic!("a healthy client failed: {failed:?}"),
    };
    for slow in &heads {
        assert!(HEAD_CLOSE_TIMES.contains(&slow.after), "{slow:?}");
    }
    for slow in &bodies {
        assert!(BODY_CLOSE_TIMES.contains(&slow.after), "{slow:?}");
        assert!(
            slow.received.starts_with("HTTP/1.1 408 ") && slow.received.contains("did not arrive within 30 seconds"),
            "{slow:?}"
        );
    }
    assert_eq!(heads.len() + bodies.len(), volume::full_or_sample(300, 150));
    let mut sorted: Vec<Duration> = std::iter::from_fn(|| received_durations.try_recv().ok()).collect();
    sorted.sort();
    let p99 = sorted[sorted.len() * 99 / 100];
    eprintln!(
        "{} healthy requests during slow clients, p99 {p99:?}, slowest {:?}",
        sorted.len(),
        sorted[sorted.len() - 1]
    );
    assert!(p99 < HEALTHY_P99_MAX, "{p99:?}");
}
