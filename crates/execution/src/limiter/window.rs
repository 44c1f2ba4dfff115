//! Never more than the limit in any 60 seconds, and exactly the limit from idle. A bucket that refills lets nearly
//! twice the limit through in one minute; a log of every request grows with the limit. This is a log in steps of
//! 100 ms: its size is bounded whatever the limit, and it errs by less than a step, towards refusing.

use std::collections::VecDeque;
use std::time::Duration;

/// Length of one slot.
const SLOT_MS: u64 = 100;

/// A slot counts until all of it is older than 60 seconds: its own tick and 600 more.
const SLOTS_KEPT: u64 = 600;

/// Refused; a request that comes after this time finds a place, if nobody else takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryAfter(
    /// Whole seconds, at least one.
    pub Duration,
);

/// The requests admitted within the last minute, by slot of 100 ms.
///
/// Only slots that hold something are kept, oldest first: a server with 60 requests a minute needs half a kilobyte,
/// the busiest needs eight, and an idle one nothing.
#[derive(Debug, Default)]
pub struct Window {
    slots: VecDeque<Slot>,
    /// The sum over `slots`.
    admitted: u32,
    /// Tick of the newest time seen.
    latest: u64,
}

#[derive(Debug)]
struct Slot {
    /// The low bits of its tick: half the size, and ages within a window are far below where they wrap.
    tick: u32,
    count: u32,
}

impl Window {
    /// Counts one request at `now_ms`, or says when there will be room. Refused requests are not counted, and
    /// without a limit (0) none is. Time that goes back stands still.
    pub fn admit(&mut self, now_ms: u64, limit: u32) -> Result<(), RetryAfter> {
        if limit == 0 {
            return Ok(());
        }
        self.advance(now_ms / SLOT_MS);
        if self.admitted >= limit {
            return Err(self.retry_after(now_ms, limit));
        }
        self.count();
        Ok(())
    }

    /// Counts one request at `now_ms`, whatever the limit.
    pub fn record(&mut self, now_ms: u64) {
        self.advance(now_ms / SLOT_MS);
        self.count();
    }

    /// Uncounts the newest request.
    pub fn take_back(&mut self) {
        let Some(slot) = self.slots.back_mut() else { return };
        slot.count -= 1;
        self.admitted -= 1;
        if slot.count == 0 {
            self.slots.pop_back();
        }
    }

    /// Whether nothing counted is younger than a minute: such a window is as good as a new one.
    pub fn is_idle(&self, now_ms: u64) -> bool {
        self.slots
            .back()
            .is_none_or(|slot| self.age(slot) + (now_ms / SLOT_MS).saturating_sub(self.latest) > SLOTS_KEPT)
    }

    /// Lets slots go that lie wholly before the last 60 seconds.
    fn advance(&mut self, tick: u64) {
        let step = tick.saturating_sub(self.latest);
        self.latest += step;
        if step > SLOTS_KEPT {
            self.slots.clear();
            self.admitted = 0;
        }
        while let Some(slot) = self.slots.front().filter(|slot| self.age(slot) > SLOTS_KEPT) {
            self.admitted -= slot.count;
            self.slots.pop_front();
        }
    }

    fn count(&mut self) {
        let tick = low_bits(self.latest);
        self.admitted += 1;
        match self.slots.back_mut() {
            Some(slot) if slot.tick == tick => slot.count += 1,
            _ => self.slots.push_back(Slot { tick, count: 1 }),
        }
    }

    /// Until so many of the oldest have left that fewer than `limit` remain. That may be more than one: the limit
    /// can have been lowered since they were admitted.
    fn retry_after(&self, now_ms: u64, limit: u32) -> RetryAfter {
        let mut remaining = self.admitted;
        let leaving = self.slots.iter().find(|slot| {
            remaining -= slot.count;
            remaining < limit
        });
        let ticks = leaving.map_or(0, |slot| SLOTS_KEPT + 1 - self.age(slot));
        let free_at_ms = (self.latest + ticks).saturating_mul(SLOT_MS);
        let secs = free_at_ms.saturating_sub(now_ms).div_ceil(1000).max(1);
        RetryAfter(Duration::from_secs(secs))
    }

    /// In ticks, as of the newest time seen.
    fn age(&self, slot: &Slot) -> u64 {
        u64::from(low_bits(self.latest).wrapping_sub(slot.tick))
    }
}

fn low_bits(tick: u64) -> u32 {
    u32::try_from(tick & u64::from(u32::MAX)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
