//! Two storages on one database, as two processes have them: each hears of what the other writes.

use toolgate_domain::api_key::{NewApiKey, Scope};
use toolgate_domain::ids::UserId;
use toolgate_storage::{ApiKeys as _, Change, Servers as _, SqlStorage, Storage as _};

use crate::bench::Bench;
use crate::ear::{Ear, PATIENCE};
use crate::make::digest;

async fn other(bench: &Bench) -> SqlStorage {
    bench.open_again(&bench.keys).await.unwrap()
}

/// SQLite does not say what changed.
fn as_told(bench: &Bench, change: Change) -> Change {
    if bench.raw.is_sqlite() { Change::Everything } else { change }
}

fn api_key(user_id: UserId) -> NewApiKey {
    let scopes = [Scope::Mcp].into_iter().collect();
    NewApiKey { user_id, name: "k".to_owned(), scopes, expires_at: None, secret: digest() }
}

on_both_databases! {
    async fn what_another_process_changes_is_heard(bench) {
        let server = bench.server("S").await;
        let other = other(bench).await;
        let mut ear = Ear::at(&bench.storage).await;
        for expected in ["paused", "active"] {
            other.toggle_server(&bench.actor(), bench.mine(), server.id).await.unwrap();
            assert_eq!(ear.next().await, as_told(bench, Change::Server(server.public_id.clone())));
            let published = bench.published(&server.public_id).await.unwrap();
            assert_eq!(published.server.spec.status.as_str(), expected);
        }
    }

    async fn a_command_that_makes_or_revokes_a_key_is_heard(bench) {
        let mut ear = Ear::at(&bench.storage).await;
        let command = other(bench).await;
        let key = command.create_api_key(&bench.actor(), api_key(bench.alice)).await.unwrap();
        command.close().await;
        assert_eq!(ear.next().await, as_told(bench, Change::OwnerKeys(bench.alice)));
        let command = other(bench).await;
        command.delete_api_key(&bench.actor(), key.id).await.unwrap();
        command.close().await;
        assert_eq!(ear.next().await, as_told(bench, Change::OwnerKeys(bench.alice)));
    }

    async fn both_hear_each_other_and_nobody_an_echo(bench) {
        let (here, there) = (bench.server("Here").await, bench.server("There").await);
        let other = other(bench).await;
        let mut ears = [Ear::at(&bench.storage).await, Ear::at(&other).await];
        let (one, two) = (Change::Server(here.public_id), Change::Server(there.public_id));
        bench.storage.toggle_server(&bench.actor(), bench.mine(), here.id).await.unwrap();
        assert_eq!(ears[0].heard(), std::slice::from_ref(&one));
        assert_eq!(ears[1].next().await, as_told(bench, one));
        other.toggle_server(&bench.actor(), bench.mine(), there.id).await.unwrap();
        assert_eq!(ears[1].heard(), std::slice::from_ref(&two));
        // What was said first comes first: an echo of the first change would have come before this.
        assert_eq!(ears[0].next().await, as_told(bench, two));
    }

    async fn a_closed_storage_tells_no_more_and_closing_takes_no_longer_for_the_listeners(bench) {
        let server = bench.server("S").await;
        let other = other(bench).await;
        let mut ear = Ear::at(&bench.storage).await;
        tokio::time::timeout(PATIENCE, bench.storage.close()).await.unwrap();
        other.toggle_server(&bench.actor(), bench.mine(), server.id).await.unwrap();
        assert_eq!(ear.heard(), []);
    }

    async fn a_dropped_storage_stops_watching(bench) {
        let other = other(bench).await;
        let ear = Ear::at(&other).await;
        drop(other);
        // The watcher holds the listener: when it is gone, nobody is left who could say anything.
        ear.falls_silent().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_notification_that_is_not_understood_may_mean_anything() {
    let Some(bench) = Bench::postgres().await else { return };
    let mut ear = Ear::at(&bench.storage).await;
    bench.raw.execute("SELECT pg_notify('toolgate_changes', 'from the future')").await;
    assert_eq!(ear.next().await, Change::Everything);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_after_a_lost_connection_everything_may_have_changed() {
    let Some(bench) = Bench::postgres().await else { return };
    let server = bench.server("S").await;
    let other = other(&bench).await;
    let mut ear = Ear::at(&bench.storage).await;
    for _ in 0..3 {
        let kill = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity \
            WHERE datname = current_database() AND query LIKE 'LISTEN %'";
        assert_eq!(bench.raw.int(kill).await, 1);
        assert_eq!(ear.next().await, Change::Everything);
        other.toggle_server(&bench.actor(), bench.mine(), server.id).await.unwrap();
        assert_eq!(ear.next().await, Change::Server(server.public_id.clone()));
    }
}
