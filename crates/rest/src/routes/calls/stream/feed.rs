//! The events of one stream as text. A reader that is too slow gets a `missed` event.

use std::sync::Arc;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use toolgate_analytics::ActivityEvent;

use super::event_filter::EventFilter;

/// Target size of a chunk when many events are pending.
const CHUNK_BYTES: usize = 32 * 1024;

/// The source of a stream's events.
pub(super) struct Feed {
    pub(super) events: Receiver<Arc<ActivityEvent>>,
    pub(super) filter: EventFilter,
}

impl Feed {
    /// Waits for the next events; `None` after the sender is closed.
    pub(super) async fn next(&mut self) -> Option<String> {
        loop {
            let mut text = String::new();
            match self.events.recv().await {
                Ok(event) => self.filter.write(&event, &mut text),
                Err(RecvError::Lagged(count)) => self.filter.write_missed(count, &mut text),
                Err(RecvError::Closed) => return None,
            }
            self.append_pending(&mut text);
            if !text.is_empty() {
                return Some(text);
            }
        }
    }

    /// Appends events that are already pending, up to the chunk size.
    fn append_pending(&mut self, text: &mut String) {
        while text.len() < CHUNK_BYTES {
            match self.events.try_recv() {
                Ok(event) => self.filter.write(&event, text),
                Err(TryRecvError::Lagged(count)) => self.filter.write_missed(count, text),
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tokio::sync::broadcast::Sender;
    use toolgate_domain::ids::{ServerId, UserId};
    use toolgate_domain::time::Timestamp;
    use toolgate_domain::user::Visibility;

    use super::*;
    use crate::routes::call_filter::CallFilter;
    use crate::routes::origin_filter::OriginFilter;
    use toolgate_analytics::ClientConnected;

    fn feed(sender: &Sender<Arc<ActivityEvent>>) -> Feed {
        feed_for(Visibility::User(UserId(1)), sender)
    }

    fn feed_for(visibility: Visibility, sender: &Sender<Arc<ActivityEvent>>) -> Feed {
        let (shared, calls) = (BTreeMap::new(), CallFilter::default());
        let filter = EventFilter { visibility, shared, calls, origin: OriginFilter::default() };
        Feed { events: sender.subscribe(), filter }
    }

    fn connect(sender: &Sender<Arc<ActivityEvent>>, user: i64, name: &str) {
        let client = ClientConnected {
            at: Timestamp::from_millis(0),
            user_id: UserId(user),
            server_id: ServerId(1),
            client_type: name.to_owned(),
            client_name: None,
            protocol_version: None,
            method: "initialize",
        };
        sender.send(Arc::new(ActivityEvent::ClientConnected(client))).unwrap();
    }

    #[tokio::test]
    async fn a_slow_reader_gets_the_number_of_missed_events_and_continues() {
        let sender = Sender::new(4);
        let mut feed = feed_for(Visibility::All, &sender);
        for number in 0..10 {
            connect(&sender, 1, &format!("c{number}"));
        }
        let text = feed.next().await.unwrap();
        assert!(text.starts_with("event: missed\ndata: {\"missed\":6}\n\nevent: client_connected\n"), "{text}");
        assert!(!text.contains("c5") && text.contains("c6") && text.contains("c9"), "{text}");
        connect(&sender, 1, "next");
        assert!(feed.next().await.unwrap().contains("next"));
    }

    #[tokio::test]
    async fn a_slow_reader_does_not_get_the_number_of_events_of_other_users() {
        let sender = Sender::new(4);
        let mut feed = feed(&sender);
        (0..10).for_each(|_| connect(&sender, 2, "foreign"));
        assert_eq!(feed.next().await.unwrap(), "event: missed\ndata: {\"missed\":null}\n\n");
    }

    #[tokio::test]
    async fn pending_events_are_sent_together_without_those_of_other_users() {
        let sender = Sender::new(16);
        let mut feed = feed(&sender);
        for (user, name) in [(2, "foreign"), (1, "first"), (2, "foreign"), (1, "second")] {
            connect(&sender, user, name);
        }
        let text = feed.next().await.unwrap();
        assert_eq!(text.matches("event: ").count(), 2, "{text}");
        assert!(!text.contains("foreign"), "{text}");
        drop(sender);
        assert_eq!(feed.next().await, None);
    }

    #[tokio::test]
    async fn many_events_are_sent_in_chunks() {
        let sender = Sender::new(1024);
        let mut feed = feed(&sender);
        let name = "x".repeat(1000);
        (0..100).for_each(|_| connect(&sender, 1, &name));
        let first = feed.next().await.unwrap();
        assert!((CHUNK_BYTES..CHUNK_BYTES + 2000).contains(&first.len()), "{}", first.len());
    }
}
