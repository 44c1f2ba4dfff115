//! Events as they come, written down for one reader; one who is too slow is told that some passed by.

use std::sync::Arc;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use toolgate_analytics::Event;

use super::wanted::Wanted;

/// What is sent at once when much happens.
const PIECE: usize = 32 * 1024;

pub(super) struct Feed {
    pub(super) events: Receiver<Arc<Event>>,
    pub(super) wanted: Wanted,
}

impl Feed {
    /// What there is to tell, as soon as there is something; none when nothing will come any more.
    pub(super) async fn next(&mut self) -> Option<String> {
        loop {
            let mut text = String::new();
            match self.events.recv().await {
                Ok(event) => self.wanted.tell(&event, &mut text),
                Err(RecvError::Lagged(count)) => self.wanted.tell_missed(count, &mut text),
                Err(RecvError::Closed) => return None,
            }
            self.add(&mut text);
            if !text.is_empty() {
                return Some(text);
            }
        }
    }

    /// What is there already goes along.
    fn add(&mut self, text: &mut String) {
        while text.len() < PIECE {
            match self.events.try_recv() {
                Ok(event) => self.wanted.tell(&event, text),
                Err(TryRecvError::Lagged(count)) => self.wanted.tell_missed(count, text),
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast::Sender;
    use toolgate_domain::ids::{ServerId, UserId};
    use toolgate_domain::time::Timestamp;
    use toolgate_domain::user::Visibility;

    use super::*;
    use crate::routes::call_filter::CallFilter;
    use toolgate_analytics::ClientConnected;

    fn feed(sender: &Sender<Arc<Event>>) -> Feed {
        feed_of(Visibility::OwnedBy(UserId(1)), sender)
    }

    fn feed_of(visibility: Visibility, sender: &Sender<Arc<Event>>) -> Feed {
        Feed { events: sender.subscribe(), wanted: Wanted { visibility, filter: CallFilter::default() } }
    }

    fn come(sender: &Sender<Arc<Event>>, user: i64, name: &str) {
        let client = ClientConnected {
            at: Timestamp::from_millis(0),
            user_id: UserId(user),
            server_id: ServerId(1),
            client_type: name.to_owned(),
            client_name: None,
            protocol_version: None,
            method: "initialize",
        };
        sender.send(Arc::new(Event::ClientConnected(client))).unwrap();
    }

    #[tokio::test]
    async fn a_slow_reader_is_told_how_many_were_missed_and_goes_on() {
        let sender = Sender::new(4);
        let mut feed = feed_of(Visibility::All, &sender);
        for number in 0..10 {
            come(&sender, 1, &format!("c{number}"));
        }
        let text = feed.next().await.unwrap();
        assert!(text.starts_with("event: missed\ndata: {\"missed\":6}\n\nevent: client_connected\n"), "{text}");
        assert!(!text.contains("c5") && text.contains("c6") && text.contains("c9"), "{text}");
        come(&sender, 1, "next");
        assert!(feed.next().await.unwrap().contains("next"));
    }

    #[tokio::test]
    async fn how_much_others_do_is_not_told_to_a_slow_reader_either() {
        let sender = Sender::new(4);
        let mut feed = feed(&sender);
        (0..10).for_each(|_| come(&sender, 2, "foreign"));
        assert_eq!(feed.next().await.unwrap(), "event: missed\ndata: {\"missed\":null}\n\n");
    }

    #[tokio::test]
    async fn what_came_together_is_told_together_and_nothing_of_others() {
        let sender = Sender::new(16);
        let mut feed = feed(&sender);
        for (user, name) in [(2, "foreign"), (1, "first"), (2, "foreign"), (1, "second")] {
            come(&sender, user, name);
        }
        let text = feed.next().await.unwrap();
        assert_eq!(text.matches("event: ").count(), 2, "{text}");
        assert!(!text.contains("foreign"), "{text}");
        drop(sender);
        assert_eq!(feed.next().await, None);
    }

    #[tokio::test]
    async fn much_is_told_in_pieces() {
        let sender = Sender::new(1024);
        let mut feed = feed(&sender);
        let name = "x".repeat(1000);
        (0..100).for_each(|_| come(&sender, 1, &name));
        let first = feed.next().await.unwrap();
        assert!((PIECE..PIECE + 2000).contains(&first.len()), "{}", first.len());
    }
}
