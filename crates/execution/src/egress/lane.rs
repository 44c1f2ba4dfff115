//! Idle connections are kept apart by the thread that opened them: its runtime watches their sockets, and its core has
//! them in its caches. A thread uses those of another where it has none, and gives them back there.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Threads beyond these share.
const LANES: usize = 16;

/// The place of a thread's connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lane(usize);

impl Lane {
    /// Where this thread's connections are.
    pub(super) fn own() -> Self {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static OWN: Lane = Lane(THREADS.fetch_add(1, Ordering::Relaxed) % LANES);
        }
        OWN.with(|own| *own)
    }
}

/// One of something for each lane.
pub(super) struct Lanes<T>([T; LANES]);

impl<T: Default> Default for Lanes<T> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| T::default()))
    }
}

impl<T> Lanes<T> {
    pub(super) fn of(&self, lane: Lane) -> &T {
        &self.0[lane.0]
    }

    /// All of them, a thread's own first.
    pub(super) fn own_first(&self) -> impl Iterator<Item = &T> {
        let (before, own_on) = self.0.split_at(Lane::own().0);
        own_on.iter().chain(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_is_looked_at_once_and_the_own_one_first() {
        let mut lanes = Lanes::<usize>::default();
        lanes.0.iter_mut().enumerate().for_each(|(number, lane)| *lane = number);
        let mut seen: Vec<usize> = lanes.own_first().copied().collect();
        assert_eq!(seen.first(), Some(lanes.of(Lane::own())));
        seen.sort_unstable();
        assert_eq!(seen, (0..LANES).collect::<Vec<_>>());
    }

    #[test]
    fn a_thread_keeps_its_lane_and_others_have_another() {
        let own = Lane::own();
        assert_eq!(Lane::own(), own);
        let elsewhere = || std::thread::spawn(Lane::own).join().unwrap();
        assert!([elsewhere(), elsewhere()].iter().any(|other| *other != own));
    }
}
