//! Idle connections are sharded by the thread that opened them: that thread's runtime polls their sockets, and its core
//! has them in its caches. A thread without an idle connection borrows one from another shard and returns it there.

use std::sync::atomic::{AtomicUsize, Ordering};

/// With more threads than this, several share a shard.
const THREAD_SHARDS: usize = 16;

/// The index of a thread's shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ThreadShard(usize);

impl ThreadShard {
    /// The shard of the current thread.
    pub(super) fn current() -> Self {
        static THREAD_COUNT: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static CURRENT: ThreadShard = ThreadShard(THREAD_COUNT.fetch_add(1, Ordering::Relaxed) % THREAD_SHARDS);
        }
        CURRENT.with(|current| *current)
    }
}

/// One value per shard.
pub(super) struct ThreadShards<T>([T; THREAD_SHARDS]);

impl<T: Default> Default for ThreadShards<T> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| T::default()))
    }
}

impl<T> ThreadShards<T> {
    pub(super) fn get(&self, shard: ThreadShard) -> &T {
        &self.0[shard.0]
    }

    /// All values, starting with that of the current thread.
    pub(super) fn current_first(&self) -> impl Iterator<Item = &T> {
        let (before_current, from_current) = self.0.split_at(ThreadShard::current().0);
        from_current.iter().chain(before_current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shard_is_visited_once_and_the_current_one_first() {
        let mut shards = ThreadShards::<usize>::default();
        shards.0.iter_mut().enumerate().for_each(|(number, shard)| *shard = number);
        let mut visited: Vec<usize> = shards.current_first().copied().collect();
        assert_eq!(visited.first(), Some(shards.get(ThreadShard::current())));
        visited.sort_unstable();
        assert_eq!(visited, (0..THREAD_SHARDS).collect::<Vec<_>>());
    }

    #[test]
    fn a_thread_keeps_its_shard_and_other_threads_have_other_shards() {
        let current = ThreadShard::current();
        assert_eq!(ThreadShard::current(), current);
        let other_thread = || std::thread::spawn(ThreadShard::current).join().unwrap();
        assert!([other_thread(), other_thread()].iter().any(|other| *other != current));
    }
}
