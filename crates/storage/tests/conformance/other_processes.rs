//! Two storages on one database, as two processes have them: each hears of what the other writes.

use toolgate_domain::api_key::{NewApiKey, Scope};
use toolgate_domain::ids::UserId;
use toolgate_storage::{ApiKeyStore as _, ChangeEvent, ServerStore as _, SqlStorage, Storage as _};

use crate::builders::digest;
use crate::change_recorder::{ChangeRecorder, WAIT_TIMEOUT};
use crate::fixture::StorageFixture;

async fn other(fixture: &StorageFixture) -> SqlStorage {
    fixture.open_again(&fixture.keys).await.unwrap()
}

/// SQLite does not say what changed.
fn expected_event(fixture: &StorageFixture, change: ChangeEvent) -> ChangeEvent {
    if fixture.raw.is_sqlite() { ChangeEvent::Everything } else { change }
}

fn api_key(user_id: UserId) -> NewApiKey {
    let scopes = [Scope::Mcp].into_iter().collect();
    NewApiKey { user_id, name: "k".to_owned(), scopes, expires_at: None, secret: digest() }
}

on_both_databases! {
    async fn what_another_process_changes_is_heard(fixture) {
        let server = fixture.server("S").await;
        let other = other(fixture).await;
        let mut recorder = ChangeRecorder::start(&fixture.storage).await;
        for expected in ["paused", "active"] {
            other.toggle_server(&fixture.actor(), fixture.as_alice(), server.id).await.unwrap();
            assert_eq!(recorder.next().await, expected_event(fixture, ChangeEvent::Server(server.public_id.clone())));
            let published = fixture.published(&server.public_id).await.unwrap();
            assert_eq!(published.server.spec.status.as_str(), expected);
        }
    }

    async fn a_command_that_makes_or_revokes_a_key_is_heard(fixture) {
        let mut recorder = ChangeRecorder::start(&fixture.storage).await;
        let command = other(fixture).await;
        let key = command.create_api_key(&fixture.actor(), api_key(fixture.alice)).await.unwrap();
        command.close().await;
        assert_eq!(recorder.next().await, expected_event(fixture, ChangeEvent::OwnerKeys(fixture.alice)));
        let command = other(fixture).await;
        command.delete_api_key(&fixture.actor(), key.id).await.unwrap();
        command.close().await;
        assert_eq!(recorder.next().await, expected_event(fixture, ChangeEvent::OwnerKeys(fixture.alice)));
    }

    async fn both_hear_each_other_and_nobody_an_echo(fixture) {
        let (here, there) = (fixture.server("Here").await, fixture.server("There").await);
        let other = other(fixture).await;
        let mut recorders = [ChangeRecorder::start(&fixture.storage).await, ChangeRecorder::start(&other).await];
        let (one, two) = (ChangeEvent::Server(here.public_id), ChangeEvent::Server(there.public_id));
        fixture.storage.toggle_server(&fixture.actor(), fixture.as_alice(), here.id).await.unwrap();
        assert_eq!(recorders[0].drain(), std::slice::from_ref(&one));
        assert_eq!(recorders[1].next().await, expected_event(fixture, one));
        other.toggle_server(&fixture.actor(), fixture.as_alice(), there.id).await.unwrap();
        assert_eq!(recorders[1].drain(), std::slice::from_ref(&two));
        // What was said first comes first: an echo of the first change would have come before this.
        assert_eq!(recorders[0].next().await, expected_event(fixture, two));
    }

    async fn a_closed_storage_tells_no_more_and_closing_takes_no_longer_for_the_listeners(fixture) {
        let server = fixture.server("S").await;
        let other = other(fixture).await;
        let mut recorder = ChangeRecorder::start(&fixture.storage).await;
        tokio::time::timeout(WAIT_TIMEOUT, fixture.storage.close()).await.unwrap();
        other.toggle_server(&fixture.actor(), fixture.as_alice(), server.id).await.unwrap();
        assert_eq!(recorder.drain(), []);
    }

    async fn a_dropped_storage_stops_watching(fixture) {
        let other = other(fixture).await;
        let recorder = ChangeRecorder::start(&other).await;
        drop(other);
        // The watcher holds the listener: when it is gone, nobody is left who could say anything.
        recorder.wait_until_closed().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_notification_that_is_not_understood_may_mean_anything() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let mut recorder = ChangeRecorder::start(&fixture.storage).await;
    fixture.raw.execute("SELECT pg_notify('toolgate_changes', 'from the future')").await;
    assert_eq!(recorder.next().await, ChangeEvent::Everything);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_after_a_lost_connection_everything_may_have_changed() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let server = fixture.server("S").await;
    let other = other(&fixture).await;
    let mut recorder = ChangeRecorder::start(&fixture.storage).await;
    for _ in 0..3 {
        let kill = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity \
            WHERE datname = current_database() AND query LIKE 'LISTEN %'";
        assert_eq!(fixture.raw.int(kill).await, 1);
        assert_eq!(recorder.next().await, ChangeEvent::Everything);
        other.toggle_server(&fixture.actor(), fixture.as_alice(), server.id).await.unwrap();
        assert_eq!(recorder.next().await, ChangeEvent::Server(server.public_id.clone()));
    }
}
