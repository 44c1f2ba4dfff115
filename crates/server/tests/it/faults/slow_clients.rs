//! Clients that take all the time there is. Each loses its connection when its time is over, and those beside them never
//! notice. The deadlines are real, so this takes as long as they do.

use std::ops::Range;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use toolgate_testkit::{Client, McpClient, MockResponse, RunningService, Upstream};

/// As many with a head that does not end as with a body, over each way in.
const SLOW_OF_A_KIND: usize = 75;
const HEALTHY: usize = 8;
/// The deadline of 10 seconds for a head, of 30 for a body, and what a busy machine may add.
const HEAD_ENDS: Range<Duration> = Duration::from_secs(9)..Duration::from_secs(14);
const BODY_ENDS: Range<Duration> = Duration::from_secs(29)..Duration::from_secs(34);
const HEALTHY_P99: Duration = Duration::from_millis(1_500);
/// Often enough that a limit on silence would never end it.
const DROPS: Duration = Duration::from_millis(500);
/// Of each healthy client, between two requests.
const PAUSE: Duration = Duration::from_millis(50);

/// A slow client from its first byte to its end.
#[derive(Debug)]
struct ClosedConnection {
    after: Duration,
    received: String,
}

/// Says `opening`, then `drop` now and then, until the service has closed the connection.
async fn drip(address: String, opening: String, drop: &'static str) -> ClosedConnection {
    let began = Instant::now();
    let mut stream = TcpStream::connect(&address).await.unwrap();
    stream.write_all(opening.as_bytes()).await.unwrap();
    let (mut reader, mut writer) = stream.split();
    let (mut received, mut ticks) = (Vec::new(), interval(DROPS));
    loop {
        tokio::select! {
            read = reader.read_buf(&mut received) => if !matches!(read, Ok(read) if read > 0) { break },
            _ = ticks.tick() => if writer.write_all(drop.as_bytes()).await.is_err() { break },
        }
        assert!(began.elapsed() < BODY_ENDS.end, "it goes on and on");
    }
    ClosedConnection { after: began.elapsed(), received: String::from_utf8_lossy(&received).into_owned() }
}

/// A service with one tool, and where its clients go.
struct SlowClientFixture {
    app: RunningService,
    caller: McpClient,
    _upstream: Upstream,
}

impl SlowClientFixture {
    async fn new() -> Self {
        let upstream = Upstream::with_handler(|_| MockResponse::text("Sunny"));
        let app = RunningService::start(env!("CARGO_BIN_EXE_toolgate"));
        let server = json!({"name": "Weather", "rate_limit_per_min": 0});
        let server = app.client().post("/servers").json(server).send().await.expect(201).json();
        let tool = json!({"name": "weather", "endpoint_url": upstream.url("/")});
        app.client().post(&format!("/servers/{}/tools", server["id"])).json(tool).send().await.expect(201);
        let caller = McpClient::new(server["endpoint_url"].as_str().unwrap());
        Self { app, caller, _upstream: upstream }
    }

    /// The beginnings of requests over each way in, up to where their own headers end.
    fn beginnings(&self) -> [String; 2] {
        let (origin, key) = (self.app.origin(), self.app.key());
        let paths = [format!("{}/servers", self.app.api_base()), self.caller.url().to_owned()];
        paths.map(|url| {
            let path = url.strip_prefix(&origin).unwrap();
            let host = self.app.address();
            format!(
                "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\
                 Content-Type: application/json\r\n"
            )
        })
    }

    /// Slow clients of a kind, at both ways in.
    fn slow(&self, rest: &str, drop: &'static str) -> JoinSet<ClosedConnection> {
        let mut slow = JoinSet::new();
        for beginning in self.beginnings() {
            for _ in 0..SLOW_OF_A_KIND {
                slow.spawn(drip(self.app.address().to_owned(), format!("{beginning}{rest}"), drop));
            }
        }
        slow
    }
}

/// Calls the tool and reads the API in turn until it is dropped; how long each took goes to the list.
async fn stay_healthy(api: Client, caller: McpClient, took: tokio::sync::mpsc::UnboundedSender<Duration>) {
    let mut ticks = interval(PAUSE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let began = Instant::now();
        assert_eq!(caller.text("weather", json!({})).await, "Sunny");
        let _ = took.send(began.elapsed());
        let began = Instant::now();
        api.get("/servers").send().await.expect(200);
        let _ = took.send(began.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_hundred_slow_clients_are_closed_in_their_time_and_delay_nobody() {
    let fixture = SlowClientFixture::new().await;
    let heads = fixture.slow("", "x: y\r\n");
    let bodies = fixture.slow("Content-Length: 1000000\r\n\r\n{", " ");
    let (took, mut times) = tokio::sync::mpsc::unbounded_channel();
    let mut healthy = JoinSet::new();
    for _ in 0..HEALTHY {
        healthy.spawn(stay_healthy(fixture.app.client(), McpClient::new(fixture.caller.url()), took.clone()));
    }
    let ended = async { tokio::join!(heads.join_all(), bodies.join_all()) };
    let (heads, bodies) = tokio::select! {
        ended = ended => ended,
        failed = healthy.join_next() => panic!("a healthy client failed: {failed:?}"),
    };
    for slow in &heads {
        assert!(HEAD_ENDS.contains(&slow.after), "{slow:?}");
    }
    for slow in &bodies {
        assert!(BODY_ENDS.contains(&slow.after), "{slow:?}");
        assert!(
            slow.received.starts_with("HTTP/1.1 408 ") && slow.received.contains("did not arrive in time"),
            "{slow:?}"
        );
    }
    assert_eq!(heads.len() + bodies.len(), 300);
    let mut took: Vec<Duration> = std::iter::from_fn(|| times.try_recv().ok()).collect();
    took.sort();
    let p99 = took[took.len() * 99 / 100];
    eprintln!(
        "{} healthy requests beside 300 slow clients, p99 {p99:?}, slowest {:?}",
        took.len(),
        took[took.len() - 1]
    );
    assert!(p99 < HEALTHY_P99, "{p99:?}");
}
