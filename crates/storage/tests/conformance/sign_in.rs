//! Browser sessions, sign-in links and passwords.

use std::sync::Arc;

use tokio::task::JoinSet;
use toolgate_domain::api_key::{KeyHash, NewApiKey, Scope};
use toolgate_domain::audit::{Action, ObjectKind};
use toolgate_domain::ids::{ApiKeyId, UserId};
use toolgate_domain::oauth::sign_in::{NewBrowserSession, NewSignInLink, SignInLinkPurpose};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::{UserPatch, Visibility};
use toolgate_storage::StorageError::{NotFound, Rejected};
use toolgate_storage::{ApiKeyStore as _, SignInStore as _, UserStore as _};

use crate::builders::digest;
use crate::fixture::StorageFixture;
use crate::grants::hash;

impl StorageFixture {
    pub(crate) async fn session(&self, user_id: UserId, key_id: Option<ApiKeyId>, ttl_ms: i64) -> KeyHash {
        let (actor, hash) = (self.current_actor(), hash());
        let session =
            NewBrowserSession { hash, user_id, key_id, identity: None, expires_at: actor.at.plus_millis(ttl_ms) };
        self.storage.create_browser_session(&actor, session).await.unwrap();
        hash
    }

    async fn link(&self, user_id: UserId, key_id: Option<ApiKeyId>, ttl_ms: i64) -> KeyHash {
        let (actor, hash, purpose) = (self.current_actor(), hash(), SignInLinkPurpose::SetPassword);
        let expires_at = actor.at.plus_millis(ttl_ms);
        let link = NewSignInLink { hash, user_id, purpose, key_id, expires_at };
        self.storage.create_sign_in_link(&actor, link).await.unwrap();
        hash
    }

    pub(crate) async fn is_signed_in(&self, session: &KeyHash) -> bool {
        self.storage.browser_session(session, self.current_actor().at).await.unwrap().is_some()
    }

    async fn has_link(&self, link: &KeyHash) -> bool {
        self.storage.sign_in_link(link, self.current_actor().at).await.unwrap().is_some()
    }

    pub(crate) async fn key_until(&self, user_id: UserId, expires_at: Option<Timestamp>) -> ApiKeyId {
        let scopes = [Scope::Mcp].into_iter().collect();
        let new = NewApiKey { user_id, name: "k".to_owned(), scopes, expires_at, digest: digest() };
        self.storage.create_api_key(&self.current_actor(), new).await.unwrap().id
    }

    async fn set_disabled(&self, user: UserId, is_disabled: bool) {
        let patch = UserPatch { is_disabled: Some(is_disabled), ..UserPatch::default() };
        self.storage.update_user(&self.current_actor(), user, patch).await.unwrap();
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_session_is_valid_until_it_expires_or_is_deleted(fixture) {
        let (key, now) = (fixture.key_until(fixture.bob, None).await, fixture.current_actor().at);
        let session = fixture.session(fixture.bob, Some(key), 1000).await;
        let found = fixture.storage.browser_session(&session, now.plus_millis(999)).await.unwrap().unwrap();
        assert_eq!((found.user.id, found.user.name.as_str(), found.key_id()), (fixture.bob, "bob", Some(key)));
        assert_eq!(found.expires_at, now.plus_millis(1000));
        assert!(fixture.storage.browser_session(&session, now.plus_millis(1000)).await.unwrap().is_none());
        assert_eq!(fixture.audit_of(ObjectKind::Session).await, [(Action::SignIn, fixture.bob.0, String::new())]);
        fixture.storage.delete_browser_session(&session).await.unwrap();
        fixture.storage.delete_browser_session(&session).await.unwrap();
        assert!(!fixture.is_signed_in(&session).await);
    }

    async fn a_session_and_a_link_end_with_their_key(fixture) {
        let soon = fixture.current_actor().at.plus_millis(500);
        let (deleted, expiring) = (fixture.key_until(fixture.bob, None).await, fixture.key_until(fixture.bob, Some(soon)).await);
        let (one, two) = (fixture.session(fixture.bob, Some(deleted), 1000).await, fixture.session(fixture.bob, Some(expiring), 1000).await);
        let link = fixture.link(fixture.bob, Some(deleted), 1000).await;
        assert!(fixture.is_signed_in(&one).await && fixture.has_link(&link).await);
        fixture.storage.delete_api_key(&fixture.current_actor(), Visibility::All, deleted).await.unwrap();
        assert!(!fixture.is_signed_in(&one).await && !fixture.has_link(&link).await);
        assert!(fixture.is_signed_in(&two).await);
        assert!(fixture.storage.browser_session(&two, soon).await.unwrap().is_none(), "the key has expired");
    }

    async fn a_disabled_user_loses_sessions_and_links_for_good(fixture) {
        let (session, link) = (fixture.session(fixture.bob, None, 1000).await, fixture.link(fixture.bob, None, 1000).await);
        fixture.set_disabled(fixture.bob, true).await;
        assert!(!fixture.is_signed_in(&session).await && !fixture.has_link(&link).await);
        fixture.set_disabled(fixture.bob, false).await;
        assert!(!fixture.is_signed_in(&session).await && !fixture.has_link(&link).await);
    }

    async fn a_disabled_or_missing_user_cannot_sign_in(fixture) {
        fixture.set_disabled(fixture.bob, true).await;
        let actor = fixture.current_actor();
        let link = |user_id| NewSignInLink { hash: hash(), user_id, purpose: SignInLinkPurpose::SignIn, key_id: None, expires_at: actor.at };
        assert_fails!(fixture.storage.create_sign_in_link(&actor, link(fixture.bob)).await, Rejected(_));
        assert_fails!(fixture.storage.create_sign_in_link(&actor, link(UserId(4711))).await, NotFound(ObjectKind::User));
        let session = |user_id| NewBrowserSession { hash: hash(), user_id, key_id: None, identity: None, expires_at: actor.at };
        assert_fails!(fixture.storage.create_browser_session(&actor, session(fixture.bob)).await, Rejected(_));
        assert_fails!(fixture.storage.create_browser_session(&actor, session(UserId(4711))).await, NotFound(ObjectKind::User));
    }

    async fn exactly_one_of_several_concurrent_uses_of_a_link_succeeds(fixture) {
        let (link, now) = (fixture.link(fixture.bob, None, 1000).await, fixture.current_actor().at);
        let found = fixture.storage.sign_in_link(&link, now).await.unwrap().unwrap();
        assert_eq!((found.user.id, found.purpose, found.key_id), (fixture.bob, SignInLinkPurpose::SetPassword, None));
        let mut tasks = JoinSet::new();
        for _ in 0..8 {
            let (storage, link) = (Arc::clone(&fixture.storage), link);
            tasks.spawn(async move { storage.take_sign_in_link(&link, now).await.unwrap().is_some() });
        }
        assert_eq!(tasks.join_all().await.into_iter().filter(|is_taken| *is_taken).count(), 1);
        let expired = fixture.link(fixture.bob, None, 1000).await;
        assert!(fixture.storage.take_sign_in_link(&expired, now.plus_millis(1000)).await.unwrap().is_none());
    }

    async fn a_new_password_replaces_the_old_one_and_ends_the_sessions(fixture) {
        let storage = &fixture.storage;
        for user in ["bob", "unknown"] {
            assert!(storage.password(user).await.unwrap().is_none(), "{user}");
        }
        storage.set_password(&fixture.next_actor(), fixture.bob, "$argon2id$one").await.unwrap();
        let (session, link) = (fixture.session(fixture.bob, None, 1000).await, fixture.link(fixture.bob, None, 1000).await);
        let of_alice = fixture.session(fixture.alice, None, 1000).await;
        storage.set_password(&fixture.current_actor(), fixture.bob, "$argon2id$two").await.unwrap();
        let stored = storage.password("bob").await.unwrap().unwrap();
        assert_eq!((stored.user.id, stored.phc.as_str()), (fixture.bob, "$argon2id$two"));
        assert!(!format!("{stored:?}").contains("argon2"));
        assert!(!fixture.is_signed_in(&session).await && !fixture.has_link(&link).await);
        assert!(fixture.is_signed_in(&of_alice).await);
        assert_eq!(fixture.audit_of(ObjectKind::User).await[0], (Action::Update, fixture.bob.0, "password".to_owned()));
        fixture.set_disabled(fixture.bob, true).await;
        assert!(storage.password("bob").await.unwrap().is_none());
        assert_fails!(storage.set_password(&fixture.next_actor(), UserId(4711), "x").await, NotFound(ObjectKind::User));
    }

    async fn failed_sign_ins_are_in_the_audit_log(fixture) {
        fixture.storage.record_failed_sign_in(&fixture.next_actor(), fixture.bob).await.unwrap();
        assert_eq!(fixture.audit_of(ObjectKind::Session).await, [(Action::SignInFailed, fixture.bob.0, String::new())]);
        assert_fails!(fixture.storage.record_failed_sign_in(&fixture.next_actor(), UserId(4711)).await, NotFound(ObjectKind::User));
    }

    async fn expired_sessions_and_links_are_deleted(fixture) {
        let now = fixture.current_actor().at;
        for ttl in [10, 20] {
            fixture.session(fixture.bob, None, ttl).await;
            fixture.link(fixture.bob, None, ttl).await;
        }
        fixture.storage.delete_expired_sign_ins(now.plus_millis(20)).await.unwrap();
        for table in ["browser_sessions", "sign_in_links"] {
            assert_eq!(fixture.raw.int(&format!("SELECT COUNT(*) FROM {table}")).await, 1, "{table}");
        }
        fixture.storage.delete_user(&fixture.next_actor(), fixture.bob).await.unwrap();
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM browser_sessions").await, 0);
    }
}
