//! Keys for the management API.

use std::io;

use toolgate_domain::api_key::{KeyDigest, NewApiKey, Scope};
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::ids::{ApiKeyId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::{NewUser, Role, Visibility};
use toolgate_storage::StorageError::NotFound;
use toolgate_storage::{ApiKeyStore as _, FirstKeyOutcome, UserStore as _};

use crate::builders::{digest, page};

pub(crate) fn new_key(user_id: UserId, name: &str, digest: KeyDigest) -> NewApiKey {
    let scopes = [Scope::Write, Scope::Mcp].into_iter().collect();
    NewApiKey { user_id, name: name.to_owned(), scopes, expires_at: Some(Timestamp::from_millis(5)), digest }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_key_is_found_by_its_hash_with_its_user_even_when_expired(fixture) {
        let (actor, key_digest) = (fixture.next_actor(), digest());
        let created =
            fixture.storage.create_api_key(&actor, new_key(fixture.alice, "ci", key_digest.clone())).await.unwrap();
        let found = fixture.storage.find_api_key(key_digest.hash).await.unwrap().unwrap();
        assert_eq!((found.key.id, found.key.name.as_str(), found.key.hint.as_str()), (created.id, "ci", "tg_abc"));
        assert_eq!(found.key.scopes.names(), ["write", "mcp"]);
        assert_eq!((found.key.created_at, found.key.expires_at), (actor.at, Some(Timestamp::from_millis(5))));
        assert_eq!((found.user.id, found.user.name.as_str(), found.user.role), (fixture.alice, "alice", Role::Owner));
        assert!(fixture.storage.find_api_key(digest().hash).await.unwrap().is_none());
    }

    async fn a_key_without_an_expiry_never_expires(fixture) {
        let new = NewApiKey { expires_at: None, ..new_key(fixture.alice, "k", digest()) };
        let created = fixture.storage.create_api_key(&fixture.next_actor(), new).await.unwrap();
        assert_eq!(created.expires_at, None);
    }

    async fn a_revoked_key_is_not_found(fixture) {
        let key_digest = digest();
        let key = fixture
            .storage
            .create_api_key(&fixture.next_actor(), new_key(fixture.alice, "k", key_digest.clone()))
            .await
            .unwrap();
        let deleted = fixture.storage.delete_api_key(&fixture.next_actor(), Visibility::All, key.id).await.unwrap();
        assert_eq!(deleted.id, key.id);
        assert!(fixture.storage.find_api_key(key_digest.hash).await.unwrap().is_none());
        assert_fails!(fixture.storage.delete_api_key(&fixture.next_actor(), Visibility::All, key.id).await, NotFound(ObjectKind::ApiKey));
    }

    async fn a_missing_user_or_key_is_not_found(fixture) {
        let created = fixture.storage.create_api_key(&fixture.next_actor(), new_key(UserId(4711), "k", digest())).await;
        assert_fails!(created, NotFound(ObjectKind::User));
        let deleted = fixture.storage.delete_api_key(&fixture.next_actor(), Visibility::All, ApiKeyId(4711)).await;
        assert_fails!(deleted, NotFound(ObjectKind::ApiKey));
    }

    async fn a_key_is_read_by_its_id(fixture) {
        let created =
            fixture.storage.create_api_key(&fixture.next_actor(), new_key(fixture.bob, "k", digest())).await.unwrap();
        assert_eq!(fixture.storage.api_key(Visibility::All, created.id).await.unwrap().name, "k");
        assert_fails!(fixture.storage.api_key(Visibility::All, ApiKeyId(4711)).await, NotFound(ObjectKind::ApiKey));
    }

    async fn a_database_with_users_gets_no_first_bootstrap_key(fixture) {
        assert!(!fixture.storage.has_no_users().await.unwrap());
        let (actor, key_digest) = (fixture.next_actor(), digest());
        let prepare = || panic!("a key is not prepared if it cannot be stored");
        let outcome = fixture.storage.set_first_bootstrap_key(&actor, key_digest.clone(), "here", &prepare).await;
        assert!(matches!(outcome.unwrap(), FirstKeyOutcome::HasUsers));
        assert!(fixture.storage.find_api_key(key_digest.hash).await.unwrap().is_none());
        assert_eq!(fixture.storage.bootstrap_key_location().await.unwrap(), None);
    }

    async fn a_first_bootstrap_key_is_stored_with_its_location_after_it_is_prepared(fixture) {
        for user in [fixture.alice, fixture.bob] {
            fixture.storage.delete_user(&fixture.next_actor(), user).await.unwrap();
        }
        let (actor, key_digest) = (fixture.next_actor(), digest());
        let fail = || Err(io::Error::from(io::ErrorKind::StorageFull));
        let outcome = fixture.storage.set_first_bootstrap_key(&actor, key_digest.clone(), "here", &fail).await;
        assert!(matches!(outcome.unwrap(), FirstKeyOutcome::NotPrepared(_)));
        assert!(fixture.storage.has_no_users().await.unwrap());
        let outcome = fixture.storage.set_first_bootstrap_key(&actor, key_digest.clone(), "here", &|| Ok(())).await;
        assert!(matches!(outcome.unwrap(), FirstKeyOutcome::Stored));
        assert_eq!(fixture.storage.bootstrap_key_location().await.unwrap().as_deref(), Some("here"));
        assert!(fixture.storage.find_api_key(key_digest.hash).await.unwrap().is_some());
        fixture.storage.set_bootstrap_key(&actor, digest()).await.unwrap();
        assert_eq!(fixture.storage.bootstrap_key_location().await.unwrap(), None);
    }

    async fn a_bootstrap_key_can_be_set_without_replacing_another(fixture) {
        let (first, second) = (digest(), digest());
        assert!(fixture.storage.ensure_bootstrap_key(&fixture.next_actor(), first.clone()).await.unwrap());
        assert!(!fixture.storage.ensure_bootstrap_key(&fixture.next_actor(), second.clone()).await.unwrap());
        assert!(fixture.storage.ensure_bootstrap_key(&fixture.next_actor(), first.clone()).await.unwrap());
        assert!(fixture.storage.find_api_key(first.hash).await.unwrap().is_some());
        assert!(fixture.storage.find_api_key(second.hash).await.unwrap().is_none());
    }

    async fn keys_are_listed_by_id_in_pages(fixture) {
        for (user, name) in [(fixture.bob, "z"), (fixture.alice, "y"), (fixture.bob, "x")] {
            fixture.storage.create_api_key(&fixture.next_actor(), new_key(user, name, digest())).await.unwrap();
        }
        let names = async |page| {
            let listing = fixture.storage.list_api_keys(Visibility::All, page).await.unwrap();
            (listing.items.into_iter().map(|key| key.name).collect::<Vec<_>>().join(" "), listing.total)
        };
        assert_eq!(names(None).await, ("z y x".to_owned(), 3));
        assert_eq!(names(Some(page(1, 2))).await, ("z y".to_owned(), 3));
    }

    async fn the_bootstrap_key_creates_an_administrator(fixture) {
        let key_digest = digest();
        fixture.storage.set_bootstrap_key(&fixture.next_actor(), key_digest.clone()).await.unwrap();
        let found = fixture.storage.find_api_key(key_digest.hash).await.unwrap().unwrap();
        assert_eq!((found.user.name.as_str(), found.user.role), ("admin", Role::Admin));
        assert_eq!((found.key.name.as_str(), found.key.scopes.names()), ("bootstrap", vec!["admin"]));
        assert_eq!(found.key.expires_at, None);
    }

    async fn the_bootstrap_key_belongs_to_the_first_existing_administrator(fixture) {
        for name in ["root", "second"] {
            let new = NewUser { name: name.to_owned(), role: Role::Admin };
            fixture.storage.create_user(&fixture.next_actor(), new).await.unwrap();
        }
        let key_digest = digest();
        fixture.storage.set_bootstrap_key(&fixture.next_actor(), key_digest.clone()).await.unwrap();
        assert_eq!(fixture.storage.find_api_key(key_digest.hash).await.unwrap().unwrap().user.name, "root");
    }

    async fn the_same_bootstrap_key_again_changes_nothing(fixture) {
        let key_digest = digest();
        fixture.storage.set_bootstrap_key(&fixture.next_actor(), key_digest.clone()).await.unwrap();
        let before = fixture.storage.find_api_key(key_digest.hash).await.unwrap().unwrap();
        fixture.storage.set_bootstrap_key(&fixture.next_actor(), key_digest.clone()).await.unwrap();
        let after = fixture.storage.find_api_key(key_digest.hash).await.unwrap().unwrap();
        assert_eq!((before.key.id, before.key.created_at), (after.key.id, after.key.created_at));
    }

    async fn another_bootstrap_key_replaces_the_earlier_one_and_no_other(fixture) {
        let (regular, first, second) = (digest(), digest(), digest());
        let new = new_key(fixture.alice, "regular", regular.clone());
        fixture.storage.create_api_key(&fixture.next_actor(), new).await.unwrap();
        fixture.storage.set_bootstrap_key(&fixture.next_actor(), first.clone()).await.unwrap();
        fixture.storage.set_bootstrap_key(&fixture.next_actor(), second.clone()).await.unwrap();
        assert!(fixture.storage.find_api_key(first.hash).await.unwrap().is_none());
        assert!(fixture.storage.find_api_key(second.hash).await.unwrap().is_some());
        assert!(fixture.storage.find_api_key(regular.hash).await.unwrap().is_some());
        assert_eq!(fixture.storage.list_users(None).await.unwrap().total, 3);
    }
}
