//! The notifications that arrived last. Two channels deliver each of them, in any order and at almost the same time;
//! only the first delivery is a change.

use std::collections::{HashSet, VecDeque};

use super::notification::NotificationId;

/// More notifications than arrive between the two deliveries of one. A notification that is forgotten too early is
/// published again, which costs a read.
const RECENT_MAX: usize = 8192;

#[derive(Debug, Default)]
pub(super) struct RecentNotifications {
    known: HashSet<NotificationId>,
    /// The oldest first.
    order: VecDeque<NotificationId>,
}

impl RecentNotifications {
    /// Adds a notification. Returns `false` if it was added before.
    pub(super) fn insert(&mut self, id: NotificationId) -> bool {
        if !self.known.insert(id) {
            return false;
        }
        self.order.push_back(id);
        if self.order.len() > RECENT_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_is_new_once_and_memory_is_bounded() {
        let mut recent = RecentNotifications::default();
        let id = |sender, number| NotificationId { sender, number };
        assert!(recent.insert(id(1, 0)) && !recent.insert(id(1, 0)));
        assert!(recent.insert(id(2, 0)), "numbers of several senders are independent");
        for number in 1..=RECENT_MAX as u64 {
            assert!(recent.insert(id(1, number)));
        }
        assert_eq!((recent.known.len(), recent.order.len()), (RECENT_MAX, RECENT_MAX));
        assert!(!recent.insert(id(1, 1)), "the latest are known");
        assert!(recent.insert(id(1, 0)), "the oldest is forgotten");
    }
}
