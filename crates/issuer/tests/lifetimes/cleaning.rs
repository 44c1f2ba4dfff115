//! The task that deletes what has expired.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_domain::oauth::client::{ClientKind, ClientStatus, NewOAuthClient};
use toolgate_domain::time::{Clock as _, DAY_MS, HOUR_MS};

use crate::fixture::{IssuerFixture, new_client};

/// A client with a metadata document.
fn document(name: &str) -> NewOAuthClient {
    NewOAuthClient { kind: ClientKind::MetadataDocument, ..new_client(&format!("https://client.example/{name}")) }
}

/// Runs the task once: it cleans before it waits, and ends when the service stops.
async fn clean(fixture: &IssuerFixture) {
    let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
    let cleaning = tasks.spawn(issuer::delete_expired_rows(Arc::clone(&fixture.context), stopping.clone()));
    // Cleaning again changes nothing, so it does not matter which of the two has done it.
    issuer::delete_expired_rows_once(&fixture.context).await.unwrap();
    stopping.cancel();
    cleaning.await.unwrap();
}

on_both_databases! {
    for IssuerFixture;

    async fn unused_clients_are_forgotten_after_a_day(fixture) {
        fixture.allow("tgc_1").await;
        fixture.storage.register_client(new_client("tgx_unused"), 10, fixture.clock.now()).await.unwrap();
        let is_known = async |id: &str| fixture.storage.client_by_identifier(id).await.unwrap().is_some();
        fixture.clock.advance(DAY_MS - HOUR_MS);
        clean(fixture).await;
        assert!(is_known("tgx_unused").await);
        fixture.clock.advance(2 * HOUR_MS);
        clean(fixture).await;
        assert!(!is_known("tgx_unused").await);
        assert!(is_known("tgx_1").await, "a person has allowed it access");
    }

    async fn documents_of_clients_without_access_are_forgotten(fixture) {
        let is_known = async |name: &str| fixture.storage.client_by_identifier(&document(name).client_id).await.unwrap().is_some();
        for name in ["unused", "blocked", "allowed"] {
            fixture.storage.save_client_document(document(name), fixture.clock.now()).await.unwrap();
        }
        let id = async |name: &str| fixture.storage.client_by_identifier(&document(name).client_id).await.unwrap().unwrap().id;
        fixture.storage.set_client_status(&fixture.actor(), id("blocked").await, ClientStatus::Blocked).await.unwrap();
        fixture.allow_client(id("allowed").await, "tgc_1").await;
        fixture.clock.advance(DAY_MS - HOUR_MS);
        clean(fixture).await;
        assert!(is_known("unused").await);
        fixture.clock.advance(2 * HOUR_MS);
        clean(fixture).await;
        assert!(!is_known("unused").await);
        assert!(is_known("allowed").await, "its copy serves while the host of the document is away");
        fixture.clock.advance(6 * DAY_MS);
        clean(fixture).await;
        assert!(!is_known("allowed").await, "the copy is too old, and the grant has ended");
        assert!(is_known("blocked").await);
    }

    async fn expired_grants_are_deleted(fixture) {
        let token = fixture.first_refresh_token().await;
        fixture.clock.advance(29 * DAY_MS);
        clean(fixture).await;
        assert_eq!(fixture.grants().await, 1);
        fixture.refresh(&token).await.unwrap();
        fixture.clock.advance(31 * DAY_MS);
        clean(fixture).await;
        assert_eq!(fixture.grants().await, 0);
    }
}
