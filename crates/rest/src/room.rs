//! Room for replies that last: so many at once, and so many of one user, for each holds a connection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use toolgate_domain::ids::UserId;

/// Room, and who takes how much of it.
#[derive(Debug)]
pub(crate) struct Room {
    all_max: usize,
    of_one_max: usize,
    taken: Mutex<HashMap<UserId, usize>>,
}

/// A place in a room, given back when the reply ends.
#[derive(Debug)]
pub(crate) struct Place {
    room: Arc<Room>,
    user: UserId,
}

impl Room {
    pub(crate) fn new(all_max: usize, of_one_max: usize) -> Arc<Self> {
        Arc::new(Self { all_max, of_one_max, taken: Mutex::default() })
    }

    /// A place for a user; none where there is no room for anybody, or no more for this one.
    pub(crate) fn take(self: &Arc<Self>, user: UserId) -> Option<Place> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.get(&user).copied().unwrap_or(0);
        if own >= self.of_one_max || taken.values().sum::<usize>() >= self.all_max {
            return None;
        }
        taken.insert(user, own + 1);
        Some(Place { room: Arc::clone(self), user })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.room.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.user) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_all_the_room_and_places_come_back() {
        let room = Room::new(5, 2);
        let take = |user| room.take(UserId(user));
        let (first, second) = (take(1), take(1));
        assert!(first.is_some() && second.is_some() && take(1).is_none());
        let others = [take(2), take(2), take(3)];
        assert!(others.iter().all(Option::is_some) && take(3).is_none(), "five is all there is");
        drop(first);
        assert!(take(1).is_some() && take(3).is_some());
        drop((second, others));
        assert!(room.taken.lock().unwrap().is_empty());
    }
}
