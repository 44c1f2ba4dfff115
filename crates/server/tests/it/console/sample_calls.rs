//! Sixty days of calls in an office pattern: few at night and on weekends, more in the last thirty days, some failed.

use toolgate_domain::call::{CallRecord, FailureReason};
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::{Clock as _, DAY_MS, SystemClock, Timestamp};

use super::populated::SampleToolUsage;

const DAYS: i64 = 60;
const HOUR_MS: i64 = DAY_MS / 24;
const CLIENTS: [(&str, &str); 6] = [
    ("claude-desktop", "claude-ai"),
    ("claude-desktop", "claude-ai"),
    ("cursor", "cursor-vscode"),
    ("claude-code", "claude-code"),
    ("vscode", "Visual Studio Code"),
    ("unknown", "nightly-report"),
];
const FAILURES: [(FailureReason, Option<u16>); 4] = [
    (FailureReason::Upstream5xx, Some(503)),
    (FailureReason::Upstream5xx, Some(502)),
    (FailureReason::Timeout, None),
    (FailureReason::Upstream4xx, Some(404)),
];

/// A fixed sequence of numbers, so that pages of two runs differ only in their dates.
struct SampleRng(u64);

/// Generates the calls, ordered by time.
pub(super) fn calls(usage: &[SampleToolUsage]) -> Vec<CallRecord> {
    let mut rng = SampleRng(0x5eed);
    let now_ms = SystemClock.now().as_millis();
    let mut calls = Vec::new();
    for hour in (0..DAYS * 24).rev() {
        let begin_ms = now_ms - (hour + 1) * HOUR_MS;
        // Days before the last thirty have fewer calls.
        let reduction = if hour < 24 * 30 { 0 } else { 3 };
        for _ in 0..rng.below(max_calls(begin_ms)).saturating_sub(reduction) {
            let at_ms = begin_ms + i64::try_from(rng.below(HOUR_MS.unsigned_abs())).unwrap();
            calls.push(call(at_ms, pick_tool(usage, &mut rng), &mut rng));
        }
    }
    calls.sort_by_key(|call| call.at);
    calls
}

/// The maximum number of calls in the hour that begins at `begin_ms`.
fn max_calls(begin_ms: i64) -> u64 {
    let (day, hour) = (begin_ms / DAY_MS, begin_ms % DAY_MS / HOUR_MS);
    // Day 0 (1970-01-01) was a Thursday.
    let is_weekend = matches!(day % 7, 2 | 3);
    match (hour, is_weekend) {
        (_, true) => 3,
        (8..=17, false) => 14,
        _ => 4,
    }
}

fn pick_tool<'a>(usage: &'a [SampleToolUsage], rng: &mut SampleRng) -> &'a SampleToolUsage {
    let mut position = rng.below(usage.iter().map(|tool| tool.share).sum());
    usage
        .iter()
        .find(|tool| {
            let is_picked = position < tool.share;
            position = position.saturating_sub(tool.share);
            is_picked
        })
        .expect("the position is below the sum of the shares")
}

fn call(at_ms: i64, usage: &SampleToolUsage, rng: &mut SampleRng) -> CallRecord {
    let (client_type, client_name) = *rng.choose(&CLIENTS);
    let failure = (rng.below(100) < usage.failures_percent).then(|| *rng.choose(&FAILURES));
    // 18 to 331 ms; short durations are the most frequent.
    let upstream_us = 18_000 + rng.below(60) * rng.below(60) * 90;
    CallRecord {
        at: Timestamp::from_millis(at_ms),
        client_name: Some(client_name.to_owned()),
        protocol_version: Some("2025-11-25".into()),
        failure: failure.map(|(reason, _)| reason),
        upstream_status: failure.map_or(Some(200), |(_, status)| status),
        duration_us: upstream_us + 400,
        upstream_us,
        request_bytes: 20 + rng.below(80),
        response_bytes: 200 + rng.below(4_000),
        cache_hit: rng.below(10) == 0,
        request_id: format!("{:016x}-1", rng.below(u64::MAX >> 33)),
        ..CallRecord::new(UserId(1), ServerId(usage.server), ToolId(usage.tool), client_type.to_owned())
    }
}

impl SampleRng {
    /// A number below `bound`, from a linear congruential generator with the constants of MMIX.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let index = self.below(u64::try_from(items.len()).unwrap_or(u64::MAX));
        &items[usize::try_from(index).unwrap_or(0)]
    }
}
