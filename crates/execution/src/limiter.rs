//! How many requests a server takes per minute. The rule is [`Window`]'s; this file keeps one window per server
//! and kind, for as long as it holds anything.
//!
//! Two locks, neither across an await: a shard's, held to find a window, and the window's own, held to count.
//! A busy server thus never makes another one wait.

mod limits;
mod window;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ahash::HashMap;
use tokio::time::Instant;
use toolgate_domain::ids::ServerId;

pub use limits::Limits;
pub use window::{RetryAfter, Window};

/// Enough that a sweep, which looks at every window of one shard, is short even with 100,000 active servers.
const SHARDS: u8 = 16;

/// How often a shard forgets the idle. They cost a few hundred bytes each, so there is no hurry.
const SWEEP_MS: u64 = 60_000;

/// What is counted apart, so that listing tools never eats the budget of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestKind {
    /// `tools/call`.
    Call,
    /// Every other request that is counted.
    Other,
}

type Key = (ServerId, RequestKind);

/// The windows of all servers that were asked something within about a minute.
#[derive(Debug)]
pub struct Limiter {
    start: Instant,
    shards: [Mutex<Shard>; SHARDS as usize],
}

#[derive(Debug, Default)]
struct Shard {
    windows: HashMap<Key, Arc<Mutex<Window>>>,
    sweep_at_ms: u64,
}

impl Default for Limiter {
    fn default() -> Self {
        Self::new()
    }
}

impl Limiter {
    /// Nothing counted yet. Time is counted from here, and only forwards.
    pub fn new() -> Self {
        Self { start: Instant::now(), shards: std::array::from_fn(|_| Mutex::default()) }
    }

    /// Counts one request, or says when to come again. A `limit` of 0 is none.
    pub fn admit(&self, server: ServerId, kind: RequestKind, limit: u32) -> Result<(), RetryAfter> {
        if limit == 0 {
            return Ok(());
        }
        let window = self.window((server, kind));
        let mut window = lock(&window);
        // Read under the lock: whoever counts later also has the later time.
        window.admit(self.now_ms(), limit)
    }

    /// Counts a request that was admitted elsewhere.
    fn record(&self, server: ServerId, kind: RequestKind) {
        let window = self.window((server, kind));
        let mut window = lock(&window);
        window.record(self.now_ms());
    }

    /// Forgets a request that was admitted a moment ago, and then refused elsewhere.
    fn take_back(&self, server: ServerId, kind: RequestKind) {
        lock(&self.window((server, kind))).take_back();
    }

    fn window(&self, key: Key) -> Arc<Mutex<Window>> {
        let now_ms = self.now_ms();
        let mut shard = lock(self.shard(key.0));
        if now_ms >= shard.sweep_at_ms {
            shard.sweep(now_ms);
        }
        Arc::clone(shard.windows.entry(key).or_default())
    }

    fn shard(&self, server: ServerId) -> &Mutex<Shard> {
        // Ids count upwards, so their last bits spread evenly.
        let index = usize::try_from(server.0.rem_euclid(i64::from(SHARDS))).unwrap_or_default();
        &self.shards[index]
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Shard {
    /// Forgets windows that hold nothing. One that somebody has in hand is about to hold something: windows are
    /// handed out under this shard's lock only, so nobody can take one while it is looked at.
    fn sweep(&mut self, now_ms: u64) {
        self.windows.retain(|_, window| Arc::strong_count(window) > 1 || !lock(window).is_idle(now_ms));
        if self.windows.capacity() / 4 > self.windows.len() {
            self.windows.shrink_to_fit();
        }
        self.sweep_at_ms = now_ms.saturating_add(SWEEP_MS);
    }
}

/// A panic cannot leave a window half counted, so a poisoned lock is as good as any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
