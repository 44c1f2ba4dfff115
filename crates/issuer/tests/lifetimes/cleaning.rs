//! The deletion of expired rows: unused clients, outdated metadata documents, expired grants.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_domain::oauth::client::{ClientKind, ClientStatus, NewOAuthClient, OAuthClient};
use toolgate_domain::time::{Clock as _, DAY_MS, HOUR_MS};

use crate::fixture::{CLIENT_ID, CODE, IssuerFixture, new_client};

const UNUSED_CLIENT_ID: &str = "tgx_unused";

/// A client that a metadata document describes; `name` is part of the URL of the document.
fn document_client(name: &str) -> NewOAuthClient {
    NewOAuthClient { kind: ClientKind::MetadataDocument, ..new_client(&format!("https://client.example/{name}")) }
}

async fn find_document_client(fixture: &IssuerFixture, name: &str) -> Option<OAuthClient> {
    fixture.storage.client_by_identifier(&document_client(name).client_id).await.unwrap()
}

/// Deletes expired rows, with the background task running at the same time.
async fn delete_expired_rows(fixture: &IssuerFixture) {
    let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
    let task = tasks.spawn(issuer::delete_expired_rows(Arc::clone(&fixture.context), stopping.clone()));
    // Ensures that the rows are deleted even if the task is stopped before its first deletion.
    issuer::delete_expired_rows_once(&fixture.context).await.unwrap();
    stopping.cancel();
    task.await.unwrap();
}

on_both_databases! {
    for IssuerFixture;

    async fn unused_clients_are_deleted_after_a_day(fixture) {
        fixture.allow(CODE).await;
        fixture.storage.register_client(new_client(UNUSED_CLIENT_ID), 10, fixture.clock.now()).await.unwrap();
        let is_known = async |id: &str| fixture.storage.client_by_identifier(id).await.unwrap().is_some();
        fixture.clock.advance(DAY_MS - HOUR_MS);
        delete_expired_rows(fixture).await;
        assert!(is_known(UNUSED_CLIENT_ID).await);
        fixture.clock.advance(2 * HOUR_MS);
        delete_expired_rows(fixture).await;
        assert!(!is_known(UNUSED_CLIENT_ID).await);
        assert!(is_known(CLIENT_ID).await, "a person has allowed this client access");
    }

    async fn clients_with_documents_are_deleted_after_a_day_without_access_else_after_a_week_unless_blocked(fixture) {
        let is_known = async |name: &str| find_document_client(fixture, name).await.is_some();
        for name in ["unused", "blocked", "allowed"] {
            fixture.storage.save_client_document(document_client(name), fixture.clock.now()).await.unwrap();
        }
        let id = async |name: &str| find_document_client(fixture, name).await.unwrap().id;
        fixture.storage.set_client_status(&fixture.actor(), id("blocked").await, ClientStatus::Blocked).await.unwrap();
        // The code is never used, so this grant ends as soon as the code expires.
        fixture.allow_client(id("allowed").await, CODE).await;
        fixture.clock.advance(DAY_MS - HOUR_MS);
        delete_expired_rows(fixture).await;
        assert!(is_known("unused").await);
        fixture.clock.advance(2 * HOUR_MS);
        delete_expired_rows(fixture).await;
        assert!(!is_known("unused").await);
        assert!(is_known("allowed").await, "the stored document is used while its host is unavailable");
        fixture.clock.advance(6 * DAY_MS);
        delete_expired_rows(fixture).await;
        assert!(!is_known("allowed").await, "the stored document is too old, and the client has no grant");
        assert!(is_known("blocked").await, "otherwise the next request would bring the client back unblocked");
    }

    async fn expired_grants_are_deleted(fixture) {
        let token = fixture.first_refresh_token().await;
        fixture.clock.advance(29 * DAY_MS);
        delete_expired_rows(fixture).await;
        assert_eq!(fixture.grant_count().await, 1);
        fixture.refresh(&token).await.unwrap();
        fixture.clock.advance(31 * DAY_MS);
        delete_expired_rows(fixture).await;
        assert_eq!(fixture.grant_count().await, 0);
    }
}
