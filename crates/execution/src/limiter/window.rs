//! A sliding window: it never admits more than the limit in any 60 seconds, and admits exactly the limit after an idle
//! minute. A token bucket admits nearly twice the limit within one minute, and a log of every request grows with the
//! limit. This window is a log with slots of 100 ms. Its size is bounded for every limit. It may refuse requests for up
//! to one slot too long, but never admits more than the limit.

use std::collections::VecDeque;
use std::time::Duration;

/// The length of one slot. Times are counted in ticks of this length.
const SLOT_MS: u64 = 100;

/// A slot counts until all of it is older than 60 seconds: during its own tick and this many more.
const WINDOW_SLOTS: u64 = 600;

/// The number of slots, with the current one, from which [`Window::recent`] counts requests.
const RECENT_SLOTS: u64 = 5;

/// A refused request. It can be retried after this time, unless other requests have used up the limit again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimited(
    /// Whole seconds, at least one.
    pub Duration,
);

impl RateLimited {
    /// Rounds the wait up.
    pub(super) fn after(wait: Duration) -> Self {
        let secs = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).div_ceil(1000);
        Self(Duration::from_secs(secs.max(1)))
    }
}

/// The requests admitted within the last minute, by slot of 100 ms.
///
/// Only non-empty slots are stored, oldest first: a server with 60 requests a minute needs half a kilobyte, the busiest
/// one eight, and an idle one nothing.
#[derive(Debug, Default)]
pub struct Window {
    slots: VecDeque<WindowSlot>,
    /// The sum of the counts in `slots`.
    admitted: u32,
    /// The tick of the latest request, refused ones included.
    latest_tick: u64,
}

#[derive(Debug)]
struct WindowSlot {
    /// The low 32 bits of its tick, which halves the size. Ages within a window are far below the wrap-around.
    tick: u32,
    count: u32,
}

impl Window {
    /// Counts one request at `now_ms`, or returns when to retry. Refused requests are not counted. A limit of 0 admits
    /// every request and counts none. If the clock goes back, the latest time is used.
    pub fn admit(&mut self, now_ms: u64, limit: u32) -> Result<(), RateLimited> {
        if limit == 0 {
            return Ok(());
        }
        self.advance(now_ms / SLOT_MS);
        if self.admitted >= limit {
            return Err(self.retry_after(now_ms, limit));
        }
        self.add_request();
        Ok(())
    }

    /// Counts one request at `now_ms` without checking a limit.
    pub fn record(&mut self, now_ms: u64) {
        self.advance(now_ms / SLOT_MS);
        self.add_request();
    }

    /// Reverts the count of the newest request.
    pub fn uncount(&mut self) {
        let Some(slot) = self.slots.back_mut() else { return };
        slot.count -= 1;
        self.admitted -= 1;
        if slot.count == 0 {
            self.slots.pop_back();
        }
    }

    /// Whether all counted requests have expired, so that the window is equal to a new one.
    pub fn is_idle(&self, now_ms: u64) -> bool {
        self.slots
            .back()
            .is_none_or(|slot| self.age(slot) + (now_ms / SLOT_MS).saturating_sub(self.latest_tick) > WINDOW_SLOTS)
    }

    /// The requests admitted in the last half second.
    pub(super) fn recent(&self, now_ms: u64) -> u32 {
        let idle = (now_ms / SLOT_MS).saturating_sub(self.latest_tick);
        let recent = self.slots.iter().rev().take_while(|slot| self.age(slot) + idle < RECENT_SLOTS);
        recent.map(|slot| slot.count).sum()
    }

    /// Removes slots that lie completely before the last 60 seconds.
    fn advance(&mut self, tick: u64) {
        let step = tick.saturating_sub(self.latest_tick);
        self.latest_tick += step;
        if step > WINDOW_SLOTS {
            self.slots.clear();
            self.admitted = 0;
        }
        while let Some(slot) = self.slots.front().filter(|slot| self.age(slot) > WINDOW_SLOTS) {
            self.admitted -= slot.count;
            self.slots.pop_front();
        }
    }

    /// Adds one request to the slot of the latest tick.
    fn add_request(&mut self) {
        let tick = low_bits(self.latest_tick);
        self.admitted += 1;
        match self.slots.back_mut() {
            Some(slot) if slot.tick == tick => slot.count += 1,
            _ => self.slots.push_back(WindowSlot { tick, count: 1 }),
        }
    }

    /// The time until fewer than `limit` requests remain. More than one slot may have to expire first, because the
    /// limit may have been lowered.
    fn retry_after(&self, now_ms: u64, limit: u32) -> RateLimited {
        let mut remaining = self.admitted;
        let expiring = self.slots.iter().find(|slot| {
            remaining -= slot.count;
            remaining < limit
        });
        let ticks = expiring.map_or(0, |slot| WINDOW_SLOTS + 1 - self.age(slot));
        let free_at_ms = (self.latest_tick + ticks).saturating_mul(SLOT_MS);
        RateLimited::after(Duration::from_millis(free_at_ms.saturating_sub(now_ms)))
    }

    /// The age of a slot in ticks, relative to the latest request.
    fn age(&self, slot: &WindowSlot) -> u64 {
        u64::from(low_bits(self.latest_tick).wrapping_sub(slot.tick))
    }
}

fn low_bits(tick: u64) -> u32 {
    u32::try_from(tick & u64::from(u32::MAX)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
