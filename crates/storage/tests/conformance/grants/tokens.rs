//! Codes are used once, refresh tokens are rotated.

use std::sync::Arc;

use tokio::task::JoinSet;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::audit::{Action, ObjectKind};
use toolgate_domain::ids::GrantId;
use toolgate_domain::oauth::grant::NewRefreshToken;
use toolgate_domain::time::{DAY_MS, Timestamp};
use toolgate_storage::GrantStore as _;

use super::{CODE_TTL_MS, new_grant, new_token};
use crate::fixture::StorageFixture;

/// The time within which a refresh token may be used again.
const REUSE_WINDOW_MS: i64 = 120_000;

impl StorageFixture {
    /// Uses a refresh token at `now`. Returns its successor; `None` if it was refused.
    async fn rotate(&self, token: &KeyHash, now: Timestamp) -> Option<KeyHash> {
        let (successor, since) = (new_token(now), now.plus_millis(-REUSE_WINDOW_MS));
        let is_rotated = self.storage.rotate_refresh_token(token, successor.clone(), since, now).await.unwrap();
        is_rotated.then_some(successor.hash)
    }

    /// A grant with its first refresh token, and the time of its creation.
    async fn rotating_grant(&self) -> (GrantId, KeyHash, Timestamp) {
        let server = self.oauth_server("owner").await;
        let (client, now) = (self.oauth_client().await.id, self.next_actor().at);
        let (id, token) = self.grant_with_token(new_grant(server.id, self.alice, client, now)).await;
        (id, token, now)
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_code_is_stored_with_its_request(fixture) {
        let server = fixture.oauth_server("owner").await;
        let (client, actor) = (fixture.oauth_client().await.id, fixture.next_actor());
        let grant = new_grant(server.id, fixture.alice, client, actor.at);
        let id = fixture.storage.create_grant(&actor, grant.clone()).await.unwrap();
        let code = fixture.storage.code(&grant.code.hash).await.unwrap().unwrap();
        assert_eq!((code.grant.id, code.redirect_uri, code.challenge), (id, grant.code.redirect_uri, grant.code.challenge));
        assert_eq!((code.expires_at, code.is_used), (grant.code.expires_at, false));
        assert_eq!(code.grant.expires_at, grant.code.expires_at, "the grant ends with its unused code");
        assert!(fixture.storage.code(&super::hash()).await.unwrap().is_none());
    }

    async fn a_code_that_is_used_twice_ends_the_grant(fixture) {
        let server = fixture.oauth_server("owner").await;
        let (client, actor) = (fixture.oauth_client().await.id, fixture.next_actor());
        let grant = new_grant(server.id, fixture.alice, client, actor.at);
        let id = fixture.storage.create_grant(&actor, grant.clone()).await.unwrap();
        let token = new_token(actor.at);
        assert!(fixture.storage.take_code(&grant.code.hash, token.clone(), actor.at).await.unwrap());
        assert!(fixture.storage.code(&grant.code.hash).await.unwrap().unwrap().is_used);
        // Cleaning up must not hide a late second use.
        let later = actor.at.plus_millis(10 * CODE_TTL_MS);
        fixture.storage.delete_expired_grants(later, later).await.unwrap();
        assert!(!fixture.storage.take_code(&grant.code.hash, new_token(later), later).await.unwrap());
        assert_eq!(fixture.ended().await, [id]);
        assert!(fixture.storage.refresh_token(&token.hash).await.unwrap().is_none());
        assert_eq!(fixture.audit_of(ObjectKind::Grant).await[0].0, Action::Reuse);
        assert!(!fixture.storage.take_code(&grant.code.hash, new_token(later), later).await.unwrap());
    }

    async fn one_of_several_concurrent_uses_of_a_code_succeeds_and_the_grant_ends(fixture) {
        let server = fixture.oauth_server("owner").await;
        let (client, actor) = (fixture.oauth_client().await.id, fixture.next_actor());
        let grant = new_grant(server.id, fixture.alice, client, actor.at);
        let id = fixture.storage.create_grant(&actor, grant.clone()).await.unwrap();
        let mut tasks = JoinSet::new();
        for _ in 0..8 {
            let (storage, hash, at) = (Arc::clone(&fixture.storage), grant.code.hash, actor.at);
            tasks.spawn(async move { storage.take_code(&hash, new_token(at), at).await.unwrap() });
        }
        let taken = tasks.join_all().await;
        assert_eq!(taken.into_iter().filter(|is_taken| *is_taken).count(), 1);
        assert_eq!(fixture.ended().await, [id]);
    }

    async fn an_expired_code_is_refused(fixture) {
        let server = fixture.oauth_server("owner").await;
        let (client, actor) = (fixture.oauth_client().await.id, fixture.next_actor());
        let grant = new_grant(server.id, fixture.alice, client, actor.at);
        fixture.storage.create_grant(&actor, grant.clone()).await.unwrap();
        let late = actor.at.plus_millis(CODE_TTL_MS);
        assert!(!fixture.storage.take_code(&grant.code.hash, new_token(late), late).await.unwrap());
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM oauth_refresh_tokens").await, 0);
    }

    async fn each_use_of_a_refresh_token_gives_a_successor(fixture) {
        let (id, first, now) = fixture.rotating_grant().await;
        let later = now.plus_millis(DAY_MS);
        let second = fixture.rotate(&first, later).await.unwrap();
        let stored = fixture.storage.refresh_token(&first).await.unwrap().unwrap();
        assert_eq!((stored.grant.id, stored.used_at, stored.is_successor_used), (id, Some(later), false));
        let stored = fixture.storage.refresh_token(&second).await.unwrap().unwrap();
        assert_eq!((stored.used_at, stored.expires_at), (None, later.plus_millis(30 * DAY_MS)));
        assert_eq!(stored.grant.expires_at, stored.expires_at, "a use extends the grant");
        assert!(fixture.rotate(&second, later.plus_millis(DAY_MS)).await.is_some());
        assert!(fixture.storage.refresh_token(&first).await.unwrap().unwrap().is_successor_used);
    }

    async fn a_refresh_token_can_be_used_again_for_a_while(fixture) {
        let (_, first, now) = fixture.rotating_grant().await;
        let one = fixture.rotate(&first, now).await.unwrap();
        let two = fixture.rotate(&first, now.plus_millis(REUSE_WINDOW_MS - 1)).await.unwrap();
        for token in [one, two] {
            assert!(fixture.rotate(&token, now.plus_millis(DAY_MS)).await.is_some(), "both successors work");
        }
        assert_eq!(fixture.ended().await, []);
    }

    async fn a_refresh_token_that_is_used_again_too_late_ends_the_grant(fixture) {
        let (id, first, now) = fixture.rotating_grant().await;
        let second = fixture.rotate(&first, now).await.unwrap();
        assert!(fixture.rotate(&first, now.plus_millis(REUSE_WINDOW_MS)).await.is_none());
        assert_eq!(fixture.ended().await, [id]);
        assert!(fixture.storage.refresh_token(&second).await.unwrap().is_none());
        assert_eq!(fixture.audit_of(ObjectKind::Grant).await[0].0, Action::Reuse);
    }

    async fn a_refresh_token_whose_successor_was_used_ends_the_grant(fixture) {
        let (id, first, now) = fixture.rotating_grant().await;
        let second = fixture.rotate(&first, now).await.unwrap();
        assert!(fixture.rotate(&second, now.plus_millis(1)).await.is_some());
        assert!(fixture.rotate(&first, now.plus_millis(2)).await.is_none());
        assert_eq!(fixture.ended().await, [id]);
    }

    async fn concurrent_uses_of_a_refresh_token_all_succeed(fixture) {
        let (_, first, now) = fixture.rotating_grant().await;
        let mut tasks = JoinSet::new();
        for _ in 0..8 {
            let (storage, first, since) = (Arc::clone(&fixture.storage), first, now.plus_millis(-REUSE_WINDOW_MS));
            tasks.spawn(async move { storage.rotate_refresh_token(&first, new_token(now), since, now).await.unwrap() });
        }
        assert_eq!(tasks.join_all().await, [true; 8]);
        assert_eq!(fixture.ended().await, []);
    }

    async fn a_refresh_token_expires_no_later_than_its_grant_ends(fixture) {
        let (_, first, now) = fixture.rotating_grant().await;
        let ends_at = now.plus_millis(180 * DAY_MS);
        let long = NewRefreshToken { hash: super::hash(), expires_at: now.plus_millis(400 * DAY_MS) };
        assert!(fixture.storage.rotate_refresh_token(&first, long.clone(), now, now).await.unwrap());
        assert_eq!(fixture.storage.refresh_token(&long.hash).await.unwrap().unwrap().expires_at, ends_at);
        assert!(fixture.rotate(&long.hash, ends_at).await.is_none(), "it has expired");
        assert_eq!(fixture.ended().await, [], "an expired token is not a reuse");
    }

    async fn expired_grants_and_tokens_are_deleted(fixture) {
        let (id, first, now) = fixture.rotating_grant().await;
        let server = fixture.oauth_server("owner").await;
        let client = fixture.oauth_client().await.id;
        let unused = fixture.storage.create_grant(&fixture.current_actor(), new_grant(server.id, fixture.alice, client, now)).await.unwrap();
        let soon = now.plus_millis(10 * CODE_TTL_MS);
        fixture.storage.delete_expired_grants(soon, now).await.unwrap();
        assert_eq!(fixture.ended().await, [unused], "its code was never used");
        let second = fixture.rotate(&first, now.plus_millis(20 * DAY_MS)).await.unwrap();
        fixture.storage.delete_expired_grants(now.plus_millis(31 * DAY_MS), now).await.unwrap();
        assert!(fixture.storage.refresh_token(&first).await.unwrap().is_none());
        assert!(fixture.storage.refresh_token(&second).await.unwrap().is_some());
        let end = now.plus_millis(51 * DAY_MS);
        fixture.storage.delete_expired_grants(end, soon.plus_millis(1)).await.unwrap();
        assert_eq!(fixture.ended().await, [id], "the record of the first end is deleted");
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM oauth_grants").await, 0);
    }
}
