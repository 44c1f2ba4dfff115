//! Limits the number of events in a period of time, per key and in total.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The limits of a [`SlidingWindow`].
#[derive(Clone, Copy, Debug)]
pub struct WindowLimits {
    /// Length of the window.
    pub window: Duration,
    /// Most events of one key.
    pub per_key_max: usize,
    /// Most events of all keys. It also bounds the memory.
    pub total_max: usize,
}

/// The events of the last window, the oldest first. Refused events are not counted.
#[derive(Debug)]
pub struct SlidingWindow<K> {
    limits: WindowLimits,
    events: VecDeque<(Instant, K)>,
}

impl<K: PartialEq> SlidingWindow<K> {
    /// A window without events.
    pub const fn new(limits: WindowLimits) -> Self {
        Self { limits, events: VecDeque::new() }
    }

    /// Counts an event at `now`. If a limit is reached, nothing is counted, and the error is the time to wait before
    /// the next event can be admitted.
    pub fn admit(&mut self, key: K, now: Instant) -> Result<(), Duration> {
        let WindowLimits { window, per_key_max, total_max } = self.limits;
        let age = |at: Instant| now.saturating_duration_since(at);
        while self.events.front().is_some_and(|(at, _)| age(*at) >= window) {
            self.events.pop_front();
        }
        let until_admitted =
            |oldest: Option<&(Instant, K)>| oldest.map_or(window, |(at, _)| window.saturating_sub(age(*at)));
        if self.events.len() >= total_max {
            return Err(until_admitted(self.events.front()));
        }
        let mut own = self.events.iter().filter(|(_, other)| *other == key);
        let oldest = own.next();
        if usize::from(oldest.is_some()) + own.count() >= per_key_max {
            return Err(until_admitted(oldest));
        }
        self.events.push_back((now, key));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: WindowLimits = WindowLimits { window: Duration::from_mins(1), per_key_max: 2, total_max: 3 };

    #[test]
    fn events_are_limited_per_key_and_in_total() {
        let (mut window, start) = (SlidingWindow::new(LIMITS), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(window.admit("a", at(0)), Ok(()));
        assert_eq!(window.admit("a", at(10)), Ok(()));
        assert_eq!(window.admit("a", at(20)), Err(Duration::from_secs(40)));
        assert_eq!(window.admit("b", at(20)), Ok(()));
        assert_eq!(window.admit("c", at(30)), Err(Duration::from_secs(30)), "three events are the total limit");
        assert_eq!(window.admit("a", at(59)), Err(Duration::from_secs(1)));
        assert_eq!(window.admit("a", at(60)), Ok(()), "the first event has left the window");
        assert_eq!(window.admit("c", at(61)), Err(Duration::from_secs(9)));
    }

    #[test]
    fn a_limit_of_zero_admits_nothing() {
        let mut window = SlidingWindow::new(WindowLimits { per_key_max: 0, ..LIMITS });
        assert_eq!(window.admit("a", Instant::now()), Err(LIMITS.window));
    }
}
