//! The shared window, step by step with a simulated clock.

use redis::{AsyncConnectionConfig, Script};
use toolgate_testkit::Redis;

use crate::cluster::SlotRequest;
use crate::limiter::window::Window;

/// The window script with a simulated time instead of the time of Redis.
struct TimedWindow {
    script: Script,
    connection: redis::aio::MultiplexedConnection,
}

impl TimedWindow {
    async fn new(redis: &Redis) -> Self {
        let source = include_str!("../window.lua").replace("redis.call('TIME')", "{ARGV[7], ARGV[8]}");
        let client = redis::Client::open(redis.url()).unwrap();
        // Without the default timeout of half a second, which a busy machine can exceed.
        let config = AsyncConnectionConfig::new().set_response_timeout(None);
        let connection = client.get_multiplexed_async_connection_with_config(&config).await.unwrap();
        Self { script: Script::new(&source), connection }
    }

    /// 0 if a request at this time is admitted, else the seconds to wait.
    async fn admit(&mut self, now_ms: u64, limit: u32) -> u64 {
        let request = SlotRequest { limit, wanted: 1, ..SlotRequest::default() };
        let (admitted, _, _, wait_ms) = self.request(now_ms, &request).await;
        assert_eq!(admitted, u32::from(wait_ms == 0));
        wait_ms.div_ceil(1000)
    }

    /// The admitted requests, the leased slots, those held before, and the milliseconds to wait.
    async fn request(&mut self, now_ms: u64, request: &SlotRequest) -> (u32, u32, u32, u64) {
        let account = request.account.map(|account| account.to_string()).unwrap_or_default();
        let mut invocation = self.script.key("window");
        invocation.key("leases").arg(request.limit).arg(request.wanted).arg(request.ahead);
        invocation.arg(account).arg(request.used).arg(request.returned);
        invocation.arg(now_ms / 1000).arg(now_ms % 1000 * 1000);
        invocation.invoke_async(&mut self.connection).await.unwrap()
    }
}

const NOW_MS: u64 = 1_700_000_000_000;

#[tokio::test]
async fn the_script_and_the_window_in_memory_agree_step_by_step() {
    let Some(redis) = Redis::start() else { return };
    let mut script = TimedWindow::new(&redis).await;
    let (mut window, mut now_ms, mut refused) = (Window::default(), NOW_MS, 0);
    let mut seed = 1_u64;
    for step in 0..4_000_u32 {
        // A linear congruential generator; its high bits are the random ones.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        now_ms += match (seed >> 60, step % 500) {
            // Empties the window.
            (_, 499) => 61_000,
            (0, _) => (seed >> 32) % 9_000,
            (factor, _) => factor * 20,
        };
        let limit = [40, 40, 40, 7, 60][(seed >> 40) as usize % 5];
        let expected = window.admit(now_ms, limit).err().map_or(0, |wait| wait.0.as_secs());
        let actual = script.admit(now_ms, limit).await;
        assert_eq!(actual, expected, "step {step}, limit {limit}");
        refused += u32::from(actual > 0);
    }
    assert!((500..3_500).contains(&refused), "both outcomes must occur often: {refused} of 4000 requests were refused");
}

#[tokio::test]
async fn a_redis_clock_that_jumps_back_admits_no_more_and_blocks_no_client() {
    const DAY_MS: u64 = 86_400_000;
    let Some(redis) = Redis::start() else { return };
    let mut window = TimedWindow::new(&redis).await;
    for second in 0..3 {
        assert_eq!(window.admit(NOW_MS + second * 1000, 5).await, 0);
    }
    let back_ms = NOW_MS - DAY_MS;
    for (at_ms, expected) in [(back_ms, 0), (back_ms + 50, 0), (back_ms + 60, 59), (back_ms + 10_000, 49)] {
        assert_eq!(window.admit(at_ms, 5).await, expected, "{} ms after the jump", at_ms - back_ms);
    }
    // The first request stays two seconds older than the newest.
    assert_eq!(window.admit(back_ms + 58_000, 5).await, 1);
    assert_eq!(window.admit(back_ms + 58_100, 5).await, 0);
    assert_eq!(window.admit(back_ms + 58_100, 5).await, 1);
    assert_eq!(window.admit(NOW_MS + DAY_MS, 5).await, 0, "a day later all of them have expired");
}

#[tokio::test]
async fn leased_slots_count_until_a_minute_after_their_report_or_the_end_of_the_lease() {
    const LIMIT: u32 = 10;
    let Some(redis) = Redis::start() else { return };
    let mut window = TimedWindow::new(&redis).await;
    let lease = SlotRequest { limit: LIMIT, ahead: LIMIT, account: Some(1), ..SlotRequest::default() };
    assert_eq!(window.request(NOW_MS, &lease).await, (0, LIMIT, 0, 0));
    // The node may use them for two seconds and is killed then.
    for after_ms in [1_000, 2_000, 30_000, 62_000] {
        assert_ne!(window.admit(NOW_MS + after_ms, LIMIT).await, 0, "{after_ms} ms after the grant");
    }
    let later_ms = NOW_MS + 62_300;
    assert_eq!(window.request(later_ms, &lease).await, (0, LIMIT, 0, 0));
    let report = SlotRequest { limit: LIMIT, account: Some(1), used: 4, returned: 6, ..SlotRequest::default() };
    assert_eq!(window.request(later_ms + 500, &report).await, (0, 0, 0, 0));
    for _ in 0..6 {
        assert_eq!(window.admit(later_ms + 500, LIMIT).await, 0, "a slot that was given back");
    }
    assert_ne!(window.admit(later_ms + 60_500, LIMIT).await, 0);
    assert_eq!(window.admit(later_ms + 60_700, LIMIT).await, 0);
}
