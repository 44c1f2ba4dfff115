//! The system clock jumps one day ahead and two days back: durations do not change, and timestamps follow the clock.

use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;
use toolgate_domain::time::{DAY_MS, Timestamp};
use toolgate_testkit::{Client, McpClient, MockResponse, Upstream};

use super::*;
use crate::settings::from_flags;
use crate::workers::WorkersGuard;

const KEY: &str = "tg_a_key_of_a_test";
const NOON: &str = "2026-10-14T12:00:00";
/// Offsets from noon in milliseconds, and the time that the clock shows then.
const JUMPS: [(i64, &str); 3] =
    [(DAY_MS, "2026-10-15T12:00:00"), (-DAY_MS, "2026-10-13T12:00:00"), (DAY_MS, "2026-10-15T12:00:00")];

/// A clock that the test sets.
#[derive(Debug)]
struct AdjustableClock(AtomicI64);

impl Clock for AdjustableClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

impl AdjustableClock {
    fn at_noon() -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(Timestamp::parse(NOON).unwrap().as_millis())))
    }

    /// Sets the clock to noon plus this offset.
    fn jump(&self, millis: i64) {
        self.0.store(Timestamp::parse(NOON).unwrap().plus_millis(millis).as_millis(), Ordering::SeqCst);
    }
}

/// A running service with an adjustable clock.
struct ServiceWithClock {
    api: Client,
    _tasks: JoinSet<()>,
    _workers: WorkersGuard,
    _folder: TempDir,
}

impl ServiceWithClock {
    async fn start(clock: Arc<AdjustableClock>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = format!("--data-dir={}", folder.path().join("data").display());
        let settings = from_flags(&[&data_dir, "--listen=127.0.0.1:0", &format!("--api-key={KEY}")]);
        let socket = bind(settings.listen).await.unwrap();
        let bound = socket.local_addr().unwrap();
        let data = DataDir::new(&settings.data_dir);
        data.prepare().unwrap();
        let (storage, _) = open_storage(&settings, &data, &*clock).await.unwrap();
        let demo = demo::open(&settings, bound).unwrap();
        let (workers, guard) = Workers::start().unwrap();
        let monitored = MonitoredNode::new(&settings, Arc::new(workers), Telemetry::default());
        let stopping = CancellationToken::new();
        let assembled = assemble(&settings, bound, &storage, clock, demo, &stopping, &monitored).await.unwrap();
        let mut listener = listener::Listener::new(socket, assembled.app, monitored.workers, stopping);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move { match listener.accept_forever().await {} });
        let api = Client::new(&format!("http://{bound}{}", settings.api_path()), Some(KEY));
        Self { api, _tasks: tasks, _workers: guard, _folder: folder }
    }

    async fn create(&self, path: &str, fields: Value) -> Value {
        self.api.post(path).json(fields).send().await.expect(201).json()
    }

    /// Creates a server with this rate limit and this tool. Returns a client of its endpoint.
    async fn create_endpoint(&self, limit_per_min: u32, tool: Value) -> McpClient {
        let server = self.create("/servers", json!({"name": "S", "rate_limit_per_min": limit_per_min})).await;
        self.create(&format!("/servers/{}/tools", server["id"]), tool).await;
        McpClient::new(server["endpoint_url"].as_str().unwrap())
    }
}

fn tool(upstream: &Upstream, cache_ttl: u32) -> Value {
    json!({"name": "tool", "endpoint_url": upstream.url("/"), "cache_ttl": cache_ttl, "timeout": 1})
}

#[tokio::test]
async fn a_clock_jump_does_not_change_rate_limits_or_cached_responses() {
    let clock = AdjustableClock::at_noon();
    let service = ServiceWithClock::start(Arc::clone(&clock)).await;
    let upstream = Upstream::with_handler(|_| MockResponse::text("answer"));
    let (cached, limited) =
        (service.create_endpoint(0, tool(&upstream, 300)).await, service.create_endpoint(2, tool(&upstream, 0)).await);
    cached.text("tool", json!({})).await;
    for _ in 0..2 {
        limited.text("tool", json!({})).await;
    }
    for (millis, _) in JUMPS {
        clock.jump(millis);
        cached.text("tool", json!({})).await;
        let refused = limited.send("tools/call", json!({"name": "tool", "arguments": {}})).await.expect(429);
        let retry_after_secs: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=61).contains(&retry_after_secs), "{retry_after_secs}");
        // One cached call and two calls within the limit.
        assert_eq!(upstream.request_count(), 3);
    }
}

#[tokio::test]
async fn a_clock_jump_during_a_call_does_not_change_its_timeout() {
    let clock = AdjustableClock::at_noon();
    let service = ServiceWithClock::start(Arc::clone(&clock)).await;
    // The gate is never opened, so the upstream never responds.
    let upstream =
        Upstream::with_handler(|_| MockResponse::status(200).held_by(&toolgate_testkit::ResponseGate::new()));
    let mcp = service.create_endpoint(0, tool(&upstream, 0)).await;
    for (index, (millis, _)) in JUMPS.into_iter().enumerate() {
        let started = Instant::now();
        let jump = async {
            upstream.wait_for_requests(index + 1).await;
            clock.jump(millis);
        };
        let (result, ()) = tokio::join!(mcp.call("tool", json!({})), jump);
        assert_eq!(result["isError"], true, "{result}");
        // The timeout of the tool is one second; a busy machine may add several.
        assert!((900..10_000).contains(&started.elapsed().as_millis()), "{:?}", started.elapsed());
    }
}

#[tokio::test]
async fn timestamps_days_and_expiry_of_keys_follow_the_clock() {
    let clock = AdjustableClock::at_noon();
    let service = ServiceWithClock::start(Arc::clone(&clock)).await;
    let upstream = Upstream::with_handler(|_| MockResponse::text("answer"));
    let mcp = service.create_endpoint(0, tool(&upstream, 0)).await;
    let fields = json!({"user_id": 1, "name": "k", "scopes": ["read"], "expires_at": "2026-10-14T13:00:00"});
    let key = service.create("/api-keys", fields).await["key"].clone();
    let expiring_client = Client::new(service.api.api_base(), key.as_str());
    for (calls, (millis, shown)) in (1..).zip(JUMPS) {
        clock.jump(millis);
        assert_eq!(service.create("/servers", json!({"name": "S"})).await["created_at"], shown);
        expiring_client.get("/servers").send().await.expect(if millis > 0 { 401 } else { 200 });
        for _ in 0..calls {
            mcp.text("tool", json!({})).await;
        }
        // The third jump leads to the same day as the first, so the call after the first jump is counted too.
        let calls_today = if calls == 3 { 4 } else { calls };
        let overview = service.api.get("/analytics/overview").send().await.expect(200).json();
        assert_eq!(overview["calls_today"], calls_today, "{overview}");
        let times = service.api.get("/calls").send().await.expect(200).text();
        assert_eq!(times.matches(&format!("\"{shown}.")).count(), calls_today, "{times}");
    }
}
