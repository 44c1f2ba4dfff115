//! The cost of counting a call for metrics, compared with one counter that all threads share and with one reading of
//! the clock.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use divan::{AllocProfiler, Bencher, black_box};
use toolgate_analytics::Recorder;
use toolgate_domain::call::CallRecord;
use toolgate_domain::counters::{DurationHistogram, ShardedCounters};
use toolgate_domain::ids::{ServerId, ToolId, UserId};

/// Shows allocations: counting must not allocate.
#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

/// Threads that count at the same time.
const THREADS: [usize; 2] = [1, 2];

fn main() {
    divan::main();
}

/// The counters that a call with a rate limit and a cached tool changes, from the request to the response.
#[derive(Default)]
struct RequestCounting {
    responses: ShardedCounters<40>,
    durations: DurationHistogram,
    decisions: ShardedCounters<4>,
    lookups: ShardedCounters<4>,
}

static REQUESTS: LazyLock<RequestCounting> = LazyLock::new(RequestCounting::default);
static SHARED: AtomicU64 = AtomicU64::new(0);

#[divan::bench(threads = THREADS)]
fn count_call(bencher: Bencher<'_, '_>) {
    // A disabled recorder counts and does not write.
    let recorder = Recorder::disabled();
    let record = CallRecord {
        failure: None,
        duration_us: 1_800,
        upstream_us: 1_700,
        request_bytes: 120,
        response_bytes: 900,
        ..CallRecord::new(UserId(1), ServerId(1), ToolId(1), "client".to_owned())
    };
    bencher.bench(|| {
        let started = Instant::now();
        recorder.record(black_box(&record));
        REQUESTS.decisions.add(0, 1);
        REQUESTS.lookups.add(3, 1);
        REQUESTS.responses.add(1, 1);
        REQUESTS.durations.observe_us(u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX));
    });
}

#[divan::bench(threads = THREADS)]
fn reference_one_shared_atomic(bencher: Bencher<'_, '_>) {
    bencher.bench(|| SHARED.fetch_add(black_box(1), Ordering::Relaxed));
}

#[divan::bench(threads = THREADS)]
fn reference_clock(bencher: Bencher<'_, '_>) {
    bencher.bench(Instant::now);
}
