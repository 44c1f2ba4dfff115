//! Counters for code that runs with every call: adding takes no lock, allocates nothing and writes to memory that
//! hardly any other thread writes to. Reading adds up all shards; only reports do it.

use std::array;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::sync::lock;

/// Number of shards that are owned by one thread each. The threads that serve calls start early and run until the end,
/// so they get one.
const OWNED_SHARDS: usize = 32;
/// The shard of all threads that own none.
const SHARED_SHARD: usize = OWNED_SHARDS;

/// The shards that no thread owns.
static FREE_SHARDS: Mutex<FreeShards> = Mutex::new(FreeShards { returned: Vec::new(), next: 0 });

struct FreeShards {
    /// Shards of threads that have ended.
    returned: Vec<usize>,
    /// The first shard that was never owned.
    next: usize,
}

impl FreeShards {
    fn take(&mut self) -> usize {
        self.returned.pop().unwrap_or_else(|| {
            let next = self.next;
            self.next = (next + 1).min(SHARED_SHARD);
            next
        })
    }
}

/// The shard of a thread, until the thread ends.
struct ShardLease(usize);

impl Drop for ShardLease {
    fn drop(&mut self) {
        if self.0 != SHARED_SHARD {
            // The lock also makes the counts of this thread visible to the next owner.
            lock(&FREE_SHARDS).returned.push(self.0);
        }
    }
}

thread_local! {
    static SHARD: ShardLease = ShardLease(lock(&FREE_SHARDS).take());
}

/// The counters of one shard. The alignment keeps two shards out of one cache line, and out of the pair of lines that
/// processors fetch together.
#[derive(Debug)]
#[repr(align(128))]
struct CounterShard<const N: usize>([AtomicU64; N]);

/// `N` counters that only grow.
#[derive(Debug)]
pub struct ShardedCounters<const N: usize>(Box<[CounterShard<N>]>);

impl<const N: usize> Default for ShardedCounters<N> {
    fn default() -> Self {
        Self((0..=SHARED_SHARD).map(|_| CounterShard(array::from_fn(|_| AtomicU64::new(0)))).collect())
    }
}

impl<const N: usize> ShardedCounters<N> {
    /// Adds to the counter with this index; an index that does not exist is ignored.
    pub fn add(&self, index: usize, amount: u64) {
        // A thread that is ending may have given its shard back.
        let shard = SHARD.try_with(|lease| lease.0).unwrap_or(SHARED_SHARD);
        let Some(counter) = self.0.get(shard).and_then(|shard| shard.0.get(index)) else { return };
        // Only sums are read, so no ordering is needed.
        if shard == SHARED_SHARD {
            counter.fetch_add(amount, Ordering::Relaxed);
        } else {
            // This thread is the only writer, so it needs no atomic addition, which takes ten times as long.
            counter.store(counter.load(Ordering::Relaxed).wrapping_add(amount), Ordering::Relaxed);
        }
    }

    /// The sums of all counters.
    pub fn sums(&self) -> [u64; N] {
        array::from_fn(|index| self.0.iter().filter_map(|shard| shard.0.get(index)).map(load).sum())
    }
}

fn load(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

/// Upper bounds of the buckets of a [`DurationHistogram`], in microseconds: from a call that needs no upstream to the
/// longest timeout of a tool.
pub const BUCKET_BOUNDS_US: [u64; 17] = [
    1_000,
    2_500,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    30_000_000,
    60_000_000,
    120_000_000,
    300_000_000,
];

/// One bucket for each bound, and one for longer durations.
const BUCKETS: usize = BUCKET_BOUNDS_US.len() + 1;

/// A histogram of durations.
#[derive(Debug, Default)]
pub struct DurationHistogram {
    /// The buckets, and the sum of all durations in microseconds.
    counters: ShardedCounters<{ BUCKETS + 1 }>,
}

impl DurationHistogram {
    /// Counts a duration.
    pub fn observe_us(&self, duration_us: u64) {
        self.counters.add(BUCKET_BOUNDS_US.partition_point(|bound| *bound < duration_us), 1);
        self.counters.add(BUCKETS, duration_us);
    }

    /// The numbers so far.
    pub fn snapshot(&self) -> HistogramSnapshot {
        let sums = self.counters.sums();
        HistogramSnapshot {
            buckets: array::from_fn(|index| sums.get(index).copied().unwrap_or_default()),
            sum_us: sums.get(BUCKETS).copied().unwrap_or_default(),
        }
    }
}

/// The numbers of a histogram at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistogramSnapshot {
    /// Number of durations in each bucket: one bucket for each of [`BUCKET_BOUNDS_US`], inclusive, and one for longer
    /// durations.
    pub buckets: [u64; BUCKETS],
    /// The sum of all durations, in microseconds.
    pub sum_us: u64,
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    #[test]
    fn every_thread_counts_and_no_count_is_lost() {
        let counters = ShardedCounters::<3>::default();
        // Twice as many threads as owned shards. The second round reuses the shards of the first.
        let threads = 2 * OWNED_SHARDS;
        for _ in 0..2 {
            let barrier = Barrier::new(threads);
            thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        barrier.wait();
                        (0..1000).for_each(|number| counters.add(number % 3, 2));
                        barrier.wait();
                    });
                }
            });
        }
        let threads = 2 * threads as u64;
        assert_eq!(counters.sums(), [668 * threads, 666 * threads, 666 * threads]);
        counters.add(3, 1);
        assert_eq!(counters.sums().iter().sum::<u64>(), 2000 * threads, "there is no fourth counter");
    }

    #[test]
    fn a_duration_is_counted_in_the_first_bucket_whose_bound_is_not_lower() {
        let histogram = DurationHistogram::default();
        for duration_us in [0, 1_000, 1_001, 300_000_000, 300_000_001] {
            histogram.observe_us(duration_us);
        }
        let HistogramSnapshot { buckets, sum_us } = histogram.snapshot();
        assert_eq!((buckets[0], buckets[1], buckets[16], buckets[17]), (2, 1, 1, 1));
        assert_eq!((buckets.iter().sum::<u64>(), sum_us), (5, 600_002_002));
    }
}
