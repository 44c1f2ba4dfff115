//! Sessions that ended before their ids expire.

use toolgate_domain::session::SessionIdentity;
use toolgate_domain::time::Timestamp;
use toolgate_storage::{ChangeEvent, EndedSessionStore as _};

use crate::change_recorder::ChangeRecorder;

fn session(number: u8, expires_at: i64) -> SessionIdentity {
    SessionIdentity { nonce: [number; 12], expires_at: Timestamp::from_millis(expires_at) }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn ended_sessions_are_stored_once_and_the_last_to_expire_are_read_first(fixture) {
        let (one, two, three) = (session(1, 10), session(2, 30), session(3, 20));
        fixture.storage.end_sessions(&[two, one]).await.unwrap();
        fixture.storage.end_sessions(&[one, three]).await.unwrap();
        assert_eq!(fixture.storage.ended_sessions(None, 10).await.unwrap(), [two, three, one]);
        fixture.storage.delete_ended_sessions_before(Timestamp::from_millis(20)).await.unwrap();
        assert_eq!(fixture.storage.ended_sessions(None, 10).await.unwrap(), [two, three]);
    }

    async fn pages_of_ended_sessions_have_every_session_once_even_if_many_expire_at_the_same_time(fixture) {
        let sessions: Vec<_> = (0..10).map(|number| session(number, 20 + i64::from(number / 4))).collect();
        fixture.storage.end_sessions(&sessions).await.unwrap();
        let (mut read, mut pages) = (Vec::new(), 0);
        loop {
            let page = fixture.storage.ended_sessions(read.last().copied(), 3).await.unwrap();
            if page.is_empty() {
                break;
            }
            read.extend(page);
            pages += 1;
        }
        read.reverse();
        assert_eq!((read, pages), (sessions, 4));
    }

    async fn the_end_of_a_session_is_reported_to_every_node(fixture) {
        let other = fixture.open_again(&fixture.keys).await.unwrap();
        let mut recorders = [ChangeRecorder::start(&fixture.storage).await, ChangeRecorder::start(&other).await];
        let ended = session(7, 1_792_000_000_000);
        other.end_sessions(&[ended]).await.unwrap();
        assert_eq!(recorders[1].drain(), [ChangeEvent::SessionEnded(ended)]);
        let here = if fixture.raw.is_sqlite() { ChangeEvent::Everything } else { ChangeEvent::SessionEnded(ended) };
        assert_eq!(recorders[0].next().await, here);
    }
}
