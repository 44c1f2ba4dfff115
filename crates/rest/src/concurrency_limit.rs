//! Limits concurrent long-lived replies in total and per user, because each reply holds a connection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use toolgate_domain::ids::UserId;

/// A limit on concurrent replies, with the number of permits in use per user.
#[derive(Debug)]
pub(crate) struct ConcurrencyLimit {
    total_max: usize,
    per_user_max: usize,
    in_use: Mutex<HashMap<UserId, usize>>,
}

/// The permit for one reply, released on drop.
#[derive(Debug)]
pub(crate) struct ConcurrencyPermit {
    limit: Arc<ConcurrencyLimit>,
    user: UserId,
}

impl ConcurrencyLimit {
    pub(crate) fn new(total_max: usize, per_user_max: usize) -> Arc<Self> {
        Arc::new(Self { total_max, per_user_max, in_use: Mutex::default() })
    }

    /// A permit for a user; `None` if the total or the user's limit is reached.
    pub(crate) fn try_acquire(self: &Arc<Self>, user: UserId) -> Option<ConcurrencyPermit> {
        let mut in_use = self.in_use.lock().unwrap_or_else(PoisonError::into_inner);
        let user_count = in_use.get(&user).copied().unwrap_or(0);
        if user_count >= self.per_user_max || in_use.values().sum::<usize>() >= self.total_max {
            return None;
        }
        in_use.insert(user, user_count + 1);
        Some(ConcurrencyPermit { limit: Arc::clone(self), user })
    }
}

impl Drop for ConcurrencyPermit {
    fn drop(&mut self) {
        let mut in_use = self.limit.in_use.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(user_count) = in_use.get_mut(&self.user) {
            *user_count -= 1;
            if *user_count == 0 {
                in_use.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_are_limited_per_user_and_in_total_and_released_on_drop() {
        let limit = ConcurrencyLimit::new(5, 2);
        let acquire = |user| limit.try_acquire(UserId(user));
        let (first, second) = (acquire(1), acquire(1));
        assert!(first.is_some() && second.is_some() && acquire(1).is_none());
        let others = [acquire(2), acquire(2), acquire(3)];
        assert!(
            others.iter().all(Option::is_some) && acquire(3).is_none(),
            "the sixth permit exceeds the total of five"
        );
        drop(first);
        assert!(acquire(1).is_some() && acquire(3).is_some());
        drop((second, others));
        assert!(limit.in_use.lock().unwrap().is_empty());
    }
}
