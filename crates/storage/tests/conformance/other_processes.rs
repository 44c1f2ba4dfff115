//! Two storages on one database, like those of two processes: each reports the writes of the other.

use std::sync::Arc;

use tokio::sync::mpsc;
use toolgate_domain::api_key::{NewApiKey, Scope};
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::user::Visibility;
use toolgate_storage::{ApiKeyStore as _, ChangeEvent, ChangeRelay, ServerStore as _, SqlStorage, Storage as _};

use crate::builders::digest;
use crate::change_recorder::{ChangeRecorder, WAIT_TIMEOUT};
use crate::fixture::StorageFixture;

async fn open_other(fixture: &StorageFixture) -> SqlStorage {
    fixture.open_again(&fixture.keys).await.unwrap()
}

/// The event for a change by another process: SQLite does not report what changed.
fn expected_event(fixture: &StorageFixture, change: ChangeEvent) -> ChangeEvent {
    if fixture.raw.is_sqlite() { ChangeEvent::Everything } else { change }
}

fn api_key(user_id: UserId) -> NewApiKey {
    let scopes = [Scope::Mcp].into_iter().collect();
    NewApiKey { user_id, name: "k".to_owned(), scopes, expires_at: None, digest: digest() }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn changes_by_another_process_are_reported(fixture) {
        let server = fixture.server("S").await;
        let other = open_other(fixture).await;
        let mut recorder = ChangeRecorder::start(&fixture.storage).await;
        for expected in ["paused", "active"] {
            other.toggle_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
            assert_eq!(recorder.next().await, expected_event(fixture, ChangeEvent::Server(server.public_id.clone())));
            let published = fixture.published_server(&server.public_id).await.unwrap();
            assert_eq!(published.server.spec.status.as_str(), expected);
        }
    }

    async fn a_key_that_a_command_creates_or_revokes_is_reported(fixture) {
        let mut recorder = ChangeRecorder::start(&fixture.storage).await;
        let command = open_other(fixture).await;
        let key = command.create_api_key(&fixture.next_actor(), api_key(fixture.alice)).await.unwrap();
        command.close().await;
        assert_eq!(recorder.next().await, expected_event(fixture, ChangeEvent::OwnerKeys(fixture.alice)));
        let command = open_other(fixture).await;
        command.delete_api_key(&fixture.next_actor(), Visibility::All, key.id).await.unwrap();
        command.close().await;
        assert_eq!(recorder.next().await, expected_event(fixture, ChangeEvent::OwnerKeys(fixture.alice)));
    }

    async fn each_storage_reports_the_other_s_changes_and_its_own_only_once(fixture) {
        let (here, there) = (fixture.server("Here").await, fixture.server("There").await);
        let other = open_other(fixture).await;
        let mut recorders = [ChangeRecorder::start(&fixture.storage).await, ChangeRecorder::start(&other).await];
        let (one, two) = (ChangeEvent::Server(here.public_id), ChangeEvent::Server(there.public_id));
        fixture.storage.toggle_server(&fixture.next_actor(), fixture.as_alice(), here.id).await.unwrap();
        assert_eq!(recorders[0].drain(), std::slice::from_ref(&one));
        assert_eq!(recorders[1].next().await, expected_event(fixture, one));
        other.toggle_server(&fixture.next_actor(), fixture.as_alice(), there.id).await.unwrap();
        assert_eq!(recorders[1].drain(), std::slice::from_ref(&two));
        // Events arrive in order: a second report of the first change would have arrived before this one.
        assert_eq!(recorders[0].next().await, expected_event(fixture, two));
    }

    async fn a_closed_storage_reports_nothing_and_listeners_do_not_delay_closing(fixture) {
        let server = fixture.server("S").await;
        let other = open_other(fixture).await;
        let mut recorder = ChangeRecorder::start(&fixture.storage).await;
        tokio::time::timeout(WAIT_TIMEOUT, fixture.storage.close()).await.unwrap();
        other.toggle_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        assert_eq!(recorder.drain(), []);
    }

    async fn a_dropped_storage_stops_watching(fixture) {
        let other = open_other(fixture).await;
        let recorder = ChangeRecorder::start(&other).await;
        drop(other);
        // The watcher holds the listener, so the recorder is closed only when the watcher has stopped.
        recorder.wait_until_closed().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_an_unknown_notification_is_reported_as_a_change_of_everything() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let mut recorder = ChangeRecorder::start(&fixture.storage).await;
    fixture.raw.execute("SELECT pg_notify('toolgate_changes', 'from the future')").await;
    assert_eq!(recorder.next().await, ChangeEvent::Everything);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_lost_connection_is_reported_as_a_change_of_everything() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let server = fixture.server("S").await;
    let other = open_other(&fixture).await;
    let mut recorder = ChangeRecorder::start(&fixture.storage).await;
    for _ in 0..3 {
        let kill = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity \
            WHERE datname = current_database() AND query LIKE 'LISTEN %'";
        assert_eq!(fixture.raw.int(kill).await, 1);
        assert_eq!(recorder.next().await, ChangeEvent::Everything);
        other.toggle_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        assert_eq!(recorder.next().await, ChangeEvent::Server(server.public_id.clone()));
    }
}

struct ChannelRelay(mpsc::UnboundedSender<String>);

impl ChangeRelay for ChannelRelay {
    fn send(&self, notification: String) {
        self.0.send(notification).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_committed_change_is_relayed_and_reported_once() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let servers = [fixture.server("A").await, fixture.server("B").await];
    let other = open_other(&fixture).await;
    let (sender, mut relayed) = mpsc::unbounded_channel();
    other.set_change_relay(Arc::new(ChannelRelay(sender)));
    let mut recorder = ChangeRecorder::start(&fixture.storage).await;
    assert!(other.toggle_server(&fixture.next_actor(), fixture.as_alice(), ServerId(i64::MAX)).await.is_err());
    assert!(relayed.is_empty(), "only commits are relayed");
    for server in servers.iter().cycle().take(6) {
        other.toggle_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        let notification = relayed.try_recv().expect("the write has returned");
        fixture.storage.receive_relayed(&notification);
        fixture.storage.receive_relayed(&notification);
        other.receive_relayed(&notification);
        // A second report of the change before would have arrived first.
        assert_eq!(recorder.next().await, ChangeEvent::Server(server.public_id.clone()));
    }
    let counts = fixture.storage.notification_counts();
    assert_eq!(counts.relay.applied + counts.database.applied, 6);
    assert_eq!(other.notification_counts().relay.applied, 0, "a storage ignores its own notifications");
}
